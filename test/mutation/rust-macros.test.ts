import { describe, expect, it, test } from 'vitest';
import { toLocatedEdit } from '../../src/mutation/located.js';
import { macrosAround } from '../../src/mutation/rust-macros.js';
import { twinsOf } from '../../src/mutation/twins.js';

const editOf = (before: string, after: string, path = 'src/lib.rs') =>
  toLocatedEdit(path, Buffer.from(before), Buffer.from(after));

/** `1` becomes `9`. */
const around = (before: string, after = before.replace('1', '9')): readonly string[] =>
  macrosAround(editOf(before, after));

describe('the macros that all of an edit is handed to', () => {
  test.each<[string, string, readonly string[]]>([
    ['an argument', 'fn f() { assert!(x < 1); }\n', ['`assert!`']],
    ['by its path', 'fn f() { log::trace!("1"); }\n', ['`log::trace!`']],
    ['one in another', 'fn f() { vec![stringify!(1)]; }\n', ['`vec!`', '`stringify!`']],
    ['in a rule', 'macro_rules! m { () => { stringify!(1) }; }\n', ['`stringify!`']],
    ['in a branch', 'cfg_if! { if #[cfg(unix)] { fn f() { m!(1) } } }\n', ['`m!`']],
    ['of an item', 'm! { struct S(1); }\n', ['`m!`']],
    ['an attribute', '#[cfg_attr(unix, path = "1.rs")]\nmod m;\n', ['`cfg_attr`']],
    ['an inner one', '#![cfg_attr(unix, allow(a1))]\n', ['`cfg_attr`']],
    ['plain code', 'fn f() { g(1); }\n', []],
    ['a branch itself', 'cfg_if! { if #[cfg(unix)] { fn f() { g(1) } } }\n', []],
    ['a rule itself', 'macro_rules! m { () => { 1 }; }\n', []],
    ['a comment', 'fn f() { assert!(x); /* 1 */ }\n', []],
    ['another attribute', '#[serde(rename = "1")]\nstruct S;\n', []],
  ])('%s', (_, before, expected) => {
    expect(around(before)).toEqual(expected);
  });

  it('a call that comes, goes, or takes the place of another', () => {
    expect(around('fn f() {\n    m!(1);\n    g();\n}\n', 'fn f() {\n    g();\n}\n')).toEqual([
      '`m!`',
    ]);
    expect(around('fn f() {\n    g();\n}\n', 'fn f() {\n    m!(1);\n    g();\n}\n')).toEqual([
      '`m!`',
    ]);
    expect(around('fn f() {\n    m!(1);\n}\n', 'fn f() {\n    n!(1);\n}\n')).toEqual([
      '`m!`',
      '`n!`',
    ]);
    expect(around('fn f() {\n    m!(1);\n}\n', 'fn f() {\n    g(1);\n}\n')).toEqual([]);
  });

  it('of two changes one is plain code', () => {
    expect(
      around('fn f() { m!(1); }\n\nfn g() { 1 }\n', 'fn f() { m!(9); }\n\nfn g() { 9 }\n'),
    ).toEqual([]);
  });

  it('none of another language, or of a file that is made', () => {
    expect(macrosAround(editOf('assert(1)\n', 'assert(9)\n', 'a.py'))).toEqual([]);
    expect(macrosAround(toLocatedEdit('src/lib.rs', null, Buffer.from('m!(1);\n')))).toEqual([]);
  });
});

describe('twins have all that follows an edit on the same lines and columns', () => {
  test.each<[string, string, string, string, string]>([
    ['longer', 'm!(1); f();\n', 'm!(100); f();\n', 'm!(1\n); f();\n', 'm!(100\n); f();\n'],
    [
      'a line less',
      'm!(\n  a,\n  b,\n);\nf();\n',
      'm!(\n  a,\n);\nf();\n',
      'm!(\n  a,\n  b,\n\n);\nf();\n',
      'm!(\n  a,\n\n\n);\nf();\n',
    ],
    ['a sign', 'm!(a == b);\n', 'm!(a != b);\n', 'm!(a ==\n b);\n', 'm!(a !=\n b);\n'],
    ['signs that touch', 'm!(a>>b);\n', 'm!(c>>b);\n', 'm!(a\n>>b);\n', 'm!(c\n>>b);\n'],
    [
      'a text of lines',
      'm!("a\nb\nc");\n',
      'm!("a\nB\nd\nc");\n',
      'm!("a\nb\nc"\n\n);\n',
      'm!("a\nB\nd\nc"\n);\n',
    ],
    ['a lifetime', "m!('a, 'b);\n", "m!('ac, 'b);\n", "m!('a\n, 'b);\n", "m!('ac\n, 'b);\n"],
    ['beyond ASCII', 'm!("ü", b);\n', 'm!("öö", b);\n', 'm!("ü"\n, b);\n', 'm!("öö"\n, b);\n'],
    [
      'two places',
      'm!(1);\nf();\nm!(2);\n',
      'm!(10);\nf();\nm!(20);\n',
      'm!(1\n);\nf();\nm!(2\n);\n',
      'm!(10\n);\nf();\nm!(20\n);\n',
    ],
  ])('%s', (_, before, after, one, two) => {
    const twins = twinsOf(editOf(before, after));
    expect([twins?.before.after?.toString(), twins?.after.after?.toString()]).toEqual([one, two]);
  });

  it('and there are none of what cannot be read', () => {
    expect(twinsOf(editOf('fn f( -> u8 { m!(1) }\n', 'fn f( -> u8 { m!(9) }\n'))).toBeNull();
    expect(twinsOf(toLocatedEdit('src/lib.rs', Buffer.from('m!(1);\n'), null))).toBeNull();
  });
});
