import { describe, expect, it, test } from 'vitest';
import { markedVersions } from '../../src/mutation/left-out.js';
import { toLocatedEdit } from '../../src/mutation/located.js';
import { COMPILED_MARKER } from '../../src/mutation/rust-gates.js';

const ATTRIBUTE = `#[${COMPILED_MARKER}]`;
const STATEMENT = `compile_error!("${COMPILED_MARKER}");`;

/** Of the file before the edit and after it, each with its marks; `|` stands for one. */
function marks(before: string | null, after: string | null, path = 'src/lib.rs') {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
  const versions = markedVersions(toLocatedEdit(path, bytes(before), bytes(after)));
  return versions.map(({ edit, why }) => ({
    why,
    text: edit.after?.toString().replaceAll(` ${ATTRIBUTE}`, '|').replaceAll(` ${STATEMENT}`, '|'),
  }));
}

const OFF = '#[cfg(feature = "off")]';

describe('the mark stands beside what may leave the edited code out', () => {
  test.each<[string, string, string]>([
    ['a function', `${OFF}\nfn f() -> u8 {\n    1\n}\n`, `${OFF}|\nfn f() -> u8 {\n    1\n}\n`],
    [
      'a module',
      `${OFF}\nmod m {\n    fn f() -> u8 { 1 }\n}\n`,
      `${OFF}|\nmod m {\n    fn f() -> u8 { 1 }\n}\n`,
    ],
    [
      'behind others',
      `${OFF}\n/// F.\n#[inline]\nfn f() -> u8 { 1 }\n`,
      `${OFF}\n/// F.\n#[inline]|\nfn f() -> u8 { 1 }\n`,
    ],
    [
      'a statement',
      `fn f() {\n    ${OFF}\n    g(1);\n}\n`,
      `fn f() {\n    ${OFF}|\n    g(1);\n}\n`,
    ],
    ['on one line', `fn f() { g(2); ${OFF} g(1); }\n`, `fn f() { g(2); ${OFF}| g(1); }\n`],
    [
      'an arm',
      `fn f() { match x { ${OFF} 3 => 1, _ => 2 } }\n`,
      `fn f() { match x { ${OFF}| 3 => 1, _ => 2 } }\n`,
    ],
    ['a field of a value', `fn f() { S { ${OFF} a: 1 } }\n`, `fn f() { S { ${OFF}| a: 1 } }\n`],
    ['an argument', `fn f() { g(${OFF} 1, 2) }\n`, `fn f() { g(${OFF}| 1, 2) }\n`],
    ['a test', '#[test]\nfn f() { g(1) }\n', '#[test]|\nfn f() { g(1) }\n'],
    [
      'an attribute of a crate',
      '#[tokio::main]\nasync fn f() { g(1) }\n',
      '#[tokio::main]|\nasync fn f() { g(1) }\n',
    ],
    [
      'a whole file',
      '#![cfg(unix)]\n#![no_std]\nfn f() -> u8 { 1 }\n',
      '#![cfg(unix)]\n#![no_std]|\nfn f() -> u8 { 1 }\n',
    ],
    ['a whole body', 'fn f() -> u8 { #![cfg(unix)] 1 }\n', 'fn f() -> u8 { #![cfg(unix)]| 1 }\n'],
    [
      'a macro',
      'macro_rules! m { () => { 2 }; (a) => { 1 }; }\n',
      'macro_rules! m { () => { 2 }; (a) => {| 1 }; }\n',
    ],
    [
      'what a macro takes',
      'macro_rules! m { (1) => { 2 }; }\n',
      'macro_rules! m { (1) => {| 2 }; }\n',
    ],
    [
      'a branch',
      `cfg_if! { if ${OFF} { fn f() { g(1) } } else { fn h() {} } }\n`,
      `cfg_if! { if ${OFF} {| fn f() { g(1) } } else { fn h() {} } }\n`,
    ],
    [
      'behind a doc comment',
      '#![cfg(unix)]\n//! Text.\nfn f() -> u8 { 1 }\n',
      '#![cfg(unix)]\n//! Text.\n|fn f() -> u8 { 1 }\n',
    ],
  ])('%s', (_, before, expected) => {
    const after = before.replace('1', '9');
    expect(marks(before, after).map(({ text }) => text)).toEqual([
      expected,
      expected.replace('1', '9'),
    ]);
  });
});

describe('nothing is asked of what is compiled where its file is', () => {
  test.each<[string, string, string]>([
    ['no attribute', 'fn f() -> u8 { 1 }\n', 'fn f() -> u8 { 9 }\n'],
    [
      'attributes that leave it there',
      '/// F.\n#[inline]\nfn f() -> u8 { 1 }\n',
      '/// F.\n#[inline]\nfn f() -> u8 { 9 }\n',
    ],
    [
      'an attribute of the neighbour',
      `${OFF}\nfn g() {}\nfn f() -> u8 { 1 }\n`,
      `${OFF}\nfn g() {}\nfn f() -> u8 { 9 }\n`,
    ],
    [
      '`cfg!` is compiled on either side',
      'fn f() { if cfg!(unix) { g(1) } }\n',
      'fn f() { if cfg!(unix) { g(9) } }\n',
    ],
    ['an argument of a macro', 'fn f() { assert!(1 == x); }\n', 'fn f() { assert!(9 == x); }\n'],
    [
      'one of two changes',
      `${OFF}\nfn g() -> u8 { 1 }\n\nfn f() -> u8 { 1 }\n`,
      `${OFF}\nfn g() -> u8 { 9 }\n\nfn f() -> u8 { 9 }\n`,
    ],
    ['the attribute goes', `${OFF}\nfn f() {}\n`, 'fn f() {}\n\n'],
    ['what cannot be parsed', `${OFF}\nfn f( -> u8 { 1 }\n`, `${OFF}\nfn f( -> u8 { 9 }\n`],
    ['blank lines', `${OFF}\nfn f() {}\n`, `${OFF}\n\nfn f() {}\n`],
  ])('%s', (_, before, after) => {
    expect(marks(before, after)).toEqual([]);
  });

  it('nor of another language, or a file that is made or deleted', () => {
    expect(marks('@a\ndef f(): 1\n', '@a\ndef f(): 9\n', 'a.py')).toEqual([]);
    expect(marks(null, `${OFF}\nfn f() {}\n`)).toEqual([]);
    expect(marks(`${OFF}\nfn f() {}\n`, null)).toEqual([]);
  });
});

it('every change has its mark, and every one is named once', () => {
  const file = (n: number): string =>
    `${OFF}\nfn f() -> u8 { ${n} }\n\nfn g() {}\n\n#[cfg(windows)]\nfn h() -> u8 { ${n} }\n`;
  const [before] = marks(file(1), file(9));
  expect(before).toEqual({
    why: `${OFF}; #[cfg(windows)]`,
    text: file(1).replace(OFF, `${OFF}|`).replace('(windows)]', '(windows)]|'),
  });
});

it('what is taken away is asked of the file before, what is put in of the file after', () => {
  const [full, empty] = [`${OFF}\nfn f() {\n    g();\n}\n`, `${OFF}\nfn f() {\n}\n`];
  expect(marks(full, empty)).toHaveLength(1);
  expect(marks(empty, full).map(({ text }) => text)).toEqual([full.replace(OFF, `${OFF}|`)]);
});
