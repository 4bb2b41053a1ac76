import { describe, expect, test } from 'vitest';
import { doctestLines, mayHoldDoctests } from '../../src/spec/rust-doctests.js';

const block = (info: string, mark = '///'): string =>
  [`${mark} Doubles.`, `${mark} \`\`\`${info}`, `${mark} let x = 1;`, `${mark} \`\`\``].join('\n');

describe('by its text a file may hold doctests', () => {
  test.each([
    ['a plain block', block('')],
    ['of the crate', block('', '//!')],
    ['inside a module', `mod a {\n    ${block('').replaceAll('\n', '\n    ')}\n}`],
    ['said to be Rust', block('rust,edition2021')],
    ['that must panic', block('should_panic')],
    ['that must not compile', block('compile_fail,E0277')],
    ['ignored on one target', block('ignore-wasm32')],
    ['fenced by waves', block('').replaceAll('```', '~~~~')],
    ['in a block comment', `/** Doubles.\n${block('', ' *')}\n */`],
    ['behind a text block', `${block('text')}\nfn f() {}\n${block('')}`],
  ])('%s', (_, text) => {
    expect(mayHoldDoctests('src/lib.rs', text)).toBe(true);
  });

  test.each([
    ['text', block('text')],
    ['another language', block('sh')],
    ['ignored', block('rust,ignore')],
    ['no documentation', block('', '//')],
    ['no documentation either', block('', '////')],
    ['a string', 'const FENCE: &str = "\n```\nlet x = 1;\n```\n";'],
    ['nothing', ''],
  ])('none: %s', (_, text) => {
    expect(mayHoldDoctests('src/lib.rs', text)).toBe(false);
  });
});

test('a page that a comment includes has blocks of its own', () => {
  expect(mayHoldDoctests('README.md', '# Use\n\n```\nlet x = 1;\n```\n')).toBe(true);
  expect(mayHoldDoctests('README.md', '# Use\n\n```sh\nls\n```\n')).toBe(false);
});

test('the lines of a block, fences included, and none of what is around it', () => {
  const lines = [`${block('')}\n/// More.\nfn f() {}`, block('text')].join('\n').split('\n');
  expect([...doctestLines(lines)]).toEqual([1, 2, 3]);
});
