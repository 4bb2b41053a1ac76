import { describe, expect, test } from 'vitest';
import { readDepInfo } from '../../../src/lane/cargo/dep-info.js';

describe('the files that went into a unit', () => {
  test.each([
    ['one output', 'a.d: src/lib.rs src/used.rs\n', ['src/lib.rs', 'src/used.rs']],
    [
      'several outputs, each input once',
      'a.d: src/lib.rs c.json\n\nliba.rlib: src/lib.rs c.json\n\nsrc/lib.rs:\nc.json:\n',
      ['src/lib.rs', 'c.json'],
    ],
    ['spaces in names', 'a.d: src/my\\ file.rs b.rs\n', ['src/my file.rs', 'b.rs']],
    ['spaces in the output', '/my\\ t/a.d: b.rs\n', ['b.rs']],
    ['a drive', 'C:\\t\\a.d: C:\\w\\b.rs\n', ['C:\\w\\b.rs']],
    ['letters beyond ASCII', 'a.d: src/größe.rs\n', ['src/größe.rs']],
    ['an empty file', '', []],
    ['comments', '# env-dep:A=b: c\n# checksum:x file_len:3 src/x.rs\na.d: b.rs\n', ['b.rs']],
  ])('%s', (_, text, expected) => {
    expect(readDepInfo(text)).toEqual(expected);
  });
});
