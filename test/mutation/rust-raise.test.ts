import { describe, expect, test } from 'vitest';
import { splitLines } from '../../src/mutation/lines.js';
import { raiseInRust } from '../../src/mutation/rust-raise.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

/** Puts `if X {}` at the head of the function on a 1-based line. */
function raise(file: string | Buffer, line: number): string {
  const result = raiseInRust(splitLines(toBytes(file)), line - 1, 'if X {}');
  return result.ok ? result.value.toString('latin1') : `refused: ${result.error}`;
}

describe('the statement stands first in the body', () => {
  test.each<[string, string, number, string]>([
    ['a function', 'fn f() {\n    a();\n}\n', 1, 'fn f() {\n    if X {}\n    a();\n}\n'],
    [
      'from a line of the body',
      'fn f() {\n    a();\n    b()\n}\n',
      3,
      'fn f() {\n    if X {}\n    a();\n    b()\n}\n',
    ],
    [
      'from the closing brace',
      'fn f() {\n    a();\n}\n',
      3,
      'fn f() {\n    if X {}\n    a();\n}\n',
    ],
    [
      'a signature of several lines, with where',
      'fn f<T>(\n    t: T,\n) -> T\nwhere\n    T: Copy,\n{\n    t\n}\n',
      4,
      'fn f<T>(\n    t: T,\n) -> T\nwhere\n    T: Copy,\n{\n    if X {}\n    t\n}\n',
    ],
    [
      'from an attribute',
      '#[inline]\n#[cold]\nfn f() {\n    a();\n}\n',
      1,
      '#[inline]\n#[cold]\nfn f() {\n    if X {}\n    a();\n}\n',
    ],
    [
      'from a doc comment',
      '/// Does.\n/// More.\nfn f() {\n    a();\n}\n',
      1,
      '/// Does.\n/// More.\nfn f() {\n    if X {}\n    a();\n}\n',
    ],
    [
      'an attribute on the line',
      '#[inline] pub const fn f() {\n    a();\n}\n',
      1,
      '#[inline] pub const fn f() {\n    if X {}\n    a();\n}\n',
    ],
    [
      'after inner attributes and doc comments',
      'fn f() {\n    #![allow(a)]\n    // c\n    //! doc\n    /*! doc */\n    a();\n}\n',
      1,
      'fn f() {\n    #![allow(a)]\n    // c\n    //! doc\n    /*! doc */\n    if X {}\n    a();\n}\n',
    ],
    [
      'after an inner doc comment that comes last',
      'fn f() {\n    //! doc\n    a();\n}\n',
      1,
      'fn f() {\n    //! doc\n    if X {}\n    a();\n}\n',
    ],
    [
      'behind an inner attribute on the line',
      'fn f() { #![allow(a)] a() }\n',
      1,
      'fn f() { #![allow(a)] if X {} a() }\n',
    ],
    [
      'before an attribute of a statement',
      'fn f() {\n    #[cfg(a)]\n    a();\n}\n',
      1,
      'fn f() {\n    if X {}\n    #[cfg(a)]\n    a();\n}\n',
    ],
    ['a body on the line', 'fn f() -> u8 { 1 }\n', 1, 'fn f() -> u8 { if X {} 1 }\n'],
    ['a body without blanks', 'fn f()->u8{1}\n', 1, 'fn f()->u8{ if X {} 1}\n'],
    ['an empty body', 'fn f() {}\n', 1, 'fn f() { if X {} }\n'],
    ['an empty body of two lines', 'fn f() {\n}\n', 1, 'fn f() {\n    if X {}\n}\n'],
    [
      'behind a comment on the line',
      'fn f() { // c\n    a()\n}\n',
      1,
      'fn f() { // c\n    if X {}\n    a()\n}\n',
    ],
    [
      'before a comment that goes on below',
      'fn f() { /* c\n    d */ a()\n}\n',
      1,
      'fn f() { if X {} /* c\n    d */ a()\n}\n',
    ],
    [
      'a method',
      'impl A {\n    fn f(&self) {\n        a\n    }\n}\n',
      2,
      'impl A {\n    fn f(&self) {\n        if X {}\n        a\n    }\n}\n',
    ],
    [
      'a default method of a trait',
      'trait A {\n    fn g(&self);\n    fn f(&self) { a }\n}\n',
      3,
      'trait A {\n    fn g(&self);\n    fn f(&self) { if X {} a }\n}\n',
    ],
    [
      'a function in a function',
      'fn f() {\n    fn g() {\n        a\n    }\n    g()\n}\n',
      3,
      'fn f() {\n    fn g() {\n        if X {}\n        a\n    }\n    g()\n}\n',
    ],
    [
      'the outer of two',
      'fn f() {\n    fn g() {\n        a\n    }\n    g()\n}\n',
      5,
      'fn f() {\n    if X {}\n    fn g() {\n        a\n    }\n    g()\n}\n',
    ],
    [
      'a closure with a block, from inside it',
      'fn f() {\n    a.map(|x| {\n        x\n    });\n}\n',
      3,
      'fn f() {\n    a.map(|x| {\n        if X {}\n        x\n    });\n}\n',
    ],
    [
      'the function, from the line on which a closure begins',
      'fn f() {\n    a.map(|x| {\n        x\n    });\n}\n',
      2,
      'fn f() {\n    if X {}\n    a.map(|x| {\n        x\n    });\n}\n',
    ],
    [
      'the function around a closure without a block',
      'fn f() {\n    a.map(\n        |x| x\n    );\n}\n',
      3,
      'fn f() {\n    if X {}\n    a.map(\n        |x| x\n    );\n}\n',
    ],
    [
      'the function around an async block and an unsafe one',
      'async fn f() {\n    async {\n        unsafe {\n            a\n        }\n    };\n}\n',
      4,
      'async fn f() {\n    if X {}\n    async {\n        unsafe {\n            a\n        }\n    };\n}\n',
    ],
    [
      'the function around a macro call',
      'fn f() {\n    assert!(\n        a\n    );\n}\n',
      3,
      'fn f() {\n    if X {}\n    assert!(\n        a\n    );\n}\n',
    ],
    [
      'a closure of a constant',
      'static F: L = L::new(|| {\n    a()\n});\n',
      2,
      'static F: L = L::new(|| {\n    if X {}\n    a()\n});\n',
    ],
    [
      'tabs',
      'impl A {\n\tfn f() {\n\t\ta\n\t}\n}\n',
      2,
      'impl A {\n\tfn f() {\n\t\tif X {}\n\t\ta\n\t}\n}\n',
    ],
    ['tabs in an empty body', '\tfn f() {\n\t}\n', 1, '\tfn f() {\n\t\tif X {}\n\t}\n'],
    ['CRLF', 'fn f() {\r\n    a\r\n}\r\n', 1, 'fn f() {\r\n    if X {}\r\n    a\r\n}\r\n'],
    [
      'CRLF behind an inner doc comment',
      'fn f() {\r\n    //! d\r\n    a\r\n}\r\n',
      1,
      'fn f() {\r\n    //! d\r\n    if X {}\r\n    a\r\n}\r\n',
    ],
    ['no newline at the end', 'fn f() {\n    a }', 1, 'fn f() {\n    if X {}\n    a }'],
    [
      'braces and quotes that are none',
      'fn f<\'a>(c: char) {\n    let s = r#"}"{"#; // }\n    c == \'{\'\n}\n',
      3,
      'fn f<\'a>(c: char) {\n    if X {}\n    let s = r#"}"{"#; // }\n    c == \'{\'\n}\n',
    ],
    [
      'beside code that the parser does not know',
      'fn f() {\n    a\n}\nfn g( {\n    b\n}\n',
      1,
      'fn f() {\n    if X {}\n    a\n}\nfn g( {\n    b\n}\n',
    ],
    [
      'a raw name and a foreign ABI',
      'pub unsafe extern "C" fn r#match() {\n    a\n}\n',
      1,
      'pub unsafe extern "C" fn r#match() {\n    if X {}\n    a\n}\n',
    ],
  ])('%s', (_, file, line, expected) => {
    expect(raise(file, line)).toBe(expected);
  });

  test.each<[string, Buffer]>([
    [
      'UTF-8 of every length',
      Buffer.from("// é€😀\nfn f(ß: &str) {\n    let é = ('😀', 'é', \"€😀\");\n}\n"),
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from('// \xe9\xff\nfn f() {\n    a("\xf0\x9f")\n}\n', 'latin1'),
    ],
    ['a byte order mark', Buffer.from('\uFEFF// é\nfn f() {\n    a\n}\n')],
  ])('at the right byte in %s', (_, file) => {
    const at = file.indexOf('{\n') + 2;
    const expected = Buffer.concat([
      file.subarray(0, at),
      Buffer.from('    if X {}\n'),
      file.subarray(at),
    ]);
    expect(raise(file, 2)).toBe(expected.toString('latin1'));
  });
});

describe('where there is no such place it says why', () => {
  test.each<[string, string, number, RegExp]>([
    ['module level', 'use a;\n', 1, /line 1 is at module level/],
    ['a module', 'mod a {\n    use b;\n}\n', 2, /line 2 is at module level/],
    ['a blank line', '\nfn f() {}\n', 1, /module level/],
    ['a type', 'struct A {\n    b: u8,\n}\n', 2, /line 2 lies in a type/],
    ['an attribute of a type', '#[derive(Debug)]\nstruct A;\n', 1, /line 1 lies in a type/],
    ['a type in a function', 'fn f() {\n    struct A {\n        b: u8,\n    }\n}\n', 3, /a type/],
    ['an impl', 'impl A {\n    type B = u8;\n}\n', 2, /a type/],
    ['a constant', 'const A: u8 = {\n    1\n};\n', 2, /line 2 lies in a constant/],
    ['a constant of a trait', 'trait T {\n    const A: u8 = 1;\n}\n', 2, /a constant/],
    ['a method that a trait asks for', 'trait T {\n    fn f(&self);\n}\n', 2, /without a body/],
    ['a foreign function', 'extern "C" {\n    fn f();\n}\n', 2, /without a body/],
    [
      'a macro',
      'macro_rules! m {\n    () => {\n        fn f() { a }\n    };\n}\n',
      3,
      /in a macro/,
    ],
    [
      'a macro in a function',
      'fn f() {\n    macro_rules! m {\n        () => { a };\n    }\n}\n',
      3,
      /macro/,
    ],
    [
      'a macro call',
      'cfg_if! {\n    if #[cfg(a)] {\n        fn f() { a }\n    }\n}\n',
      3,
      /in a macro/,
    ],
    [
      'a macro call in a module',
      'mod a {\n    m! {\n        fn f() {}\n    }\n}\n',
      3,
      /in a macro/,
    ],
    ['code that is no Rust', 'fn f( {\n    a\n}\n', 1, /cannot be parsed/],
  ])('%s', (_, file, line, why) => {
    expect(raise(file, line)).toMatch(/^refused: /);
    expect(raise(file, line)).toMatch(why);
  });
});
