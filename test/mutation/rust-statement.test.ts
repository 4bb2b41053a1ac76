import { describe, expect, test } from 'vitest';
import { removeFromRust } from '../../src/mutation/rust-statement.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

function remove(file: string | Buffer, from: number, to = from): string {
  const result = removeFromRust(toBytes(file), 'src/a.rs', from, to);
  if (result.ok) return result.value.toString('latin1');
  return result.error.kind === 'refused' ? `refused: ${result.error.why}` : result.error.kind;
}

/** A function around lines, and what is left of them. */
const fn = (...body: readonly string[]): string =>
  `fn f() {\n${body.map((line) => `    ${line}\n`).join('')}}\n`;

describe('the statement on a line is taken away whole', () => {
  test.each<[string, string, number, number, string]>([
    ['a call', fn('a();', 'b();', 'c();'), 3, 3, fn('a();', 'c();')],
    ['a let', fn('let a = 1;', 'b();'), 2, 2, fn('b();')],
    ['an assignment', fn('self.a = 1;', 'b();'), 2, 2, fn('b();')],
    ['a compound assignment', fn('a += 1;', 'b();'), 2, 2, fn('b();')],
    ['a return', fn('return;', 'b();'), 2, 2, fn('b();')],
    ['a macro call', fn('assert!(a);', 'b();'), 2, 2, fn('b();')],
    ['a macro call with braces', fn('m! { a }', 'b();'), 2, 2, fn('b();')],
    ['from the middle of a call', fn('a(', '    1,', ');', 'b();'), 3, 3, fn('b();')],
    ['from the middle of a chain', fn('a', '    .b()', '    .c();', 'd();'), 3, 3, fn('d();')],
    ['from the middle of a macro call', fn('m!(', '    1,', ');', 'b();'), 3, 3, fn('b();')],
    ['a string of several lines', fn('a("', '}', '");', 'b();'), 3, 3, fn('b();')],
    ['with its comment', fn('a(); // why', 'b();'), 2, 2, fn('b();')],
    [
      'without the comment that goes on',
      fn('a(); /* why', '*/ b();'),
      2,
      2,
      fn(' /* why', '*/ b();'),
    ],
    ['both statements of a line', fn('a();', 'b(); c();', 'd();'), 3, 3, fn('a();', 'd();')],
    ['with its attribute', fn('#[cfg(a)]', 'a();', 'b();'), 3, 3, fn('b();')],
    ['an attribute alone', fn('#[cfg(a)]', 'a();', 'b();'), 2, 2, fn('a();', 'b();')],
    ['the only one', fn('a();'), 2, 2, fn()],
    ['an if', fn('if a {', '    b();', '} else {', '    c();', '}', 'd();'), 2, 2, fn('d();')],
    [
      'an if from the second line of its condition',
      fn('if a', '    && b', '{', '    c();', '}', 'd();'),
      3,
      3,
      fn('d();'),
    ],
    ['an if on one line', fn('if a { b(); }', 'c();'), 2, 2, fn('c();')],
    ['a loop', fn('for a in b {', '    c();', '}', 'd();'), 2, 2, fn('d();')],
    ['a match', fn('match a {', '    _ => b(),', '}', 'c();'), 2, 2, fn('c();')],
    ['an unsafe block', fn('unsafe {', '    a();', '}', 'b();'), 2, 2, fn('b();')],
    [
      'a let with an else',
      fn('let Some(a) = b else {', '    return;', '};', 'c();'),
      2,
      2,
      fn('c();'),
    ],
    [
      'a line in an if',
      fn('if a {', '    b();', '    c();', '}'),
      3,
      3,
      fn('if a {', '    c();', '}'),
    ],
    [
      'a line in an else',
      fn('if a {', '    b();', '} else {', '    c();', '    d();', '}'),
      5,
      5,
      fn('if a {', '    b();', '} else {', '    d();', '}'),
    ],
    [
      'a line in a closure',
      fn('a.map(|x| {', '    b();', '    x', '});'),
      3,
      3,
      fn('a.map(|x| {', '    x', '});'),
    ],
    [
      'a statement that holds a closure',
      fn('a.map(|x| {', '    b();', '    x', '});', 'c();'),
      2,
      2,
      fn('c();'),
    ],
    [
      'a line in an arm',
      fn('match a {', '    A => {', '        b();', '        c();', '    }', '}'),
      4,
      4,
      fn('match a {', '    A => {', '        c();', '    }', '}'),
    ],
    ['several lines', fn('a();', 'b();', 'c();', 'd();'), 3, 4, fn('a();', 'd();')],
    [
      'lines with blanks and comments at their ends',
      fn('a();', '// x', 'b();', '', 'c();'),
      3,
      5,
      fn('a();', '// x', '', 'c();'),
    ],
    ['a range that holds an if', fn('a();', 'if b {', '    c();', '}', 'd();'), 2, 5, fn('d();')],
    ['a body on the line of its function', 'fn f() { a(); b(); }\n', 1, 1, 'fn f() {  }\n'],
    [
      'a whole function, named by its range',
      `use a;\n${fn('a();')}fn g() {}\n`,
      2,
      4,
      'use a;\nfn g() {}\n',
    ],
    [
      'a whole method with its attribute',
      `impl A {\n#[a]\n${fn('a();')}}\n`,
      2,
      5,
      'impl A {\n}\n',
    ],
    ['an attribute of a function', `#[inline]\n${fn('a();')}`, 1, 1, fn('a();')],
    ['an attribute of a type', '#[derive(A)]\nstruct B;\n', 1, 1, 'struct B;\n'],
    ['CRLF', 'fn f() {\r\n    a();\r\n    b();\r\n}\r\n', 2, 2, 'fn f() {\r\n    b();\r\n}\r\n'],
    [
      'bytes that are no UTF-8',
      Buffer.from('fn f() {\n    a("\xff");\n    b("\xe9");\n}\n', 'latin1').toString('latin1'),
      2,
      2,
      'fn f() {\n    b("\xe9");\n}\n',
    ],
  ])('%s', (_, file, from, to, expected) => {
    expect(remove(Buffer.from(file, 'latin1'), from, to)).toBe(expected);
  });
});

describe('the last expression of a block goes where nobody uses its value', () => {
  test.each<[string, string, number, string]>([
    ['of a function without a value', fn('a();', 'b()'), 3, fn('a();')],
    [
      'of a function with ()',
      fn('b()').replace('()', '() -> ()'),
      2,
      fn().replace('()', '() -> ()'),
    ],
    ['an if', fn('a();', 'if b {', '    c()', '}'), 3, fn('a();')],
    ['in an if without an else', fn('if a {', '    b()', '}'), 3, fn('if a {', '}')],
    [
      'in an else',
      fn('if a {', '    b()', '} else {', '    c()', '}'),
      5,
      fn('if a {', '    b()', '} else {', '}'),
    ],
    [
      'in an else if',
      fn('if a {', '    b()', '} else if d {', '    c()', '}'),
      5,
      fn('if a {', '    b()', '} else if d {', '}'),
    ],
    ['in a loop', fn('while a {', '    b()', '}'), 3, fn('while a {', '}')],
    ['in an unsafe block', fn('unsafe {', '    a()', '}', 'b();'), 3, fn('unsafe {', '}', 'b();')],
    [
      'in an if in the middle of a function with a value',
      'fn f() -> u8 {\n    if a {\n        b()\n    }\n    1\n}\n',
      3,
      'fn f() -> u8 {\n    if a {\n    }\n    1\n}\n',
    ],
  ])('%s', (_, file, line, expected) => {
    expect(remove(file, line)).toBe(expected);
  });

  const value = (...body: readonly string[]): string => fn(...body).replace('()', '() -> u8');
  test.each<[string, string, number]>([
    ['of a function', value('a();', 'b()'), 3],
    ['a return at the end', value('a();', 'return b();'), 3],
    ['in an if', value('if a {', '    b()', '} else {', '    c()', '}'), 3],
    ['in an else', value('if a {', '    b()', '} else {', '    c()', '}'), 5],
    ['in a match', value('match a {', '    A => {', '        b()', '    }', '}'), 4],
    ['the if itself', value('a();', 'if a {', '    b()', '} else {', '    c()', '}'), 3],
    ['in a let', fn('let a = {', '    b()', '};'), 3],
    ['in the else of a let', fn('let Some(a) = b else {', '    return', '};'), 3],
    ['in a closure', fn('a.map(|x| {', '    x', '});'), 3],
    ['in an async block', fn('let a = async {', '    x', '};'), 3],
    ['on the line of its function', 'fn f() -> u8 { 1 }\n', 1],
    ['of a method', `impl A {\n${value('a()')}}\n`, 3],
  ])('and is refused elsewhere: %s', (_, file, line) => {
    expect(remove(file, line)).toMatch(/^refused: line \d+ gives its block a value/);
  });
});

describe('an arm of a match', () => {
  const match = (...arms: readonly string[]): string =>
    fn('match a {', ...arms.map((arm) => `    ${arm}`), '}', 'z();');
  test.each<[string, string, number, number, string]>([
    [
      'does nothing from now on',
      match('A => b(),', 'B => c(),'),
      3,
      3,
      match('A => {},', 'B => c(),'),
    ],
    [
      'with a block on its line',
      match('A => { b(); }', 'B => {}'),
      3,
      3,
      match('A => {}', 'B => {}'),
    ],
    [
      'with a condition',
      match('A if x => b(),', '_ => {}'),
      3,
      3,
      match('A if x => {},', '_ => {}'),
    ],
    [
      'of several lines',
      match('A => b(', '    1,', '),', '_ => {}'),
      4,
      4,
      match('A => {},', '_ => {}'),
    ],
    ['two of them', match('A => b(),', 'B => c(),', '_ => {}'), 3, 4, match('_ => {}')],
    [
      'whose value is used, where another takes what is left',
      'fn f() -> u8 {\n    match a {\n        A => 1,\n        _ => 2,\n    }\n}\n',
      3,
      3,
      'fn f() -> u8 {\n    match a {\n        _ => 2,\n    }\n}\n',
    ],
    [
      'whose value is used, where a name takes what is left',
      'fn f() -> u8 {\n    match a {\n        1 => 1,\n        n => n,\n    }\n}\n',
      3,
      3,
      'fn f() -> u8 {\n    match a {\n        n => n,\n    }\n}\n',
    ],
  ])('%s', (_, file, from, to, expected) => {
    expect(remove(file, from, to)).toBe(expected);
  });

  test.each<[string, string, number, RegExp]>([
    ['that does nothing already', match('A => {}', 'B => {}'), 3, /does nothing/],
    ['that is ()', match('A => (),', 'B => {}'), 3, /does nothing/],
    [
      'that is needed',
      'fn f() -> u8 {\n    match a {\n        A => 1,\n        B => 2,\n    }\n}\n',
      3,
      /an arm that the `match` needs/,
    ],
    [
      'that takes what is left',
      'fn f() -> u8 {\n    match a {\n        A => 1,\n        _ => 2,\n    }\n}\n',
      4,
      /an arm that the `match` needs/,
    ],
    [
      'whose block begins here',
      match('A => {', '    b();', '}', '_ => {}'),
      3,
      /goes on with|lines inside/,
    ],
    [
      'whose block ends here',
      match('A => {', '    b();', '}', '_ => {}'),
      5,
      /line 5 goes on with/,
    ],
  ])('is refused: %s', (_, file, line, why) => {
    expect(remove(file, line)).toMatch(/^refused: /);
    expect(remove(file, line)).toMatch(why);
  });
});

describe('what is no statement is refused by name', () => {
  test.each<[string, string, number, number, RegExp]>([
    ['a blank line', fn('a();', '', 'b();'), 3, 3, /line 3 is blank; the next code is on line 4/],
    ['a comment', fn('// a', 'b();'), 2, 2, /line 2 is a comment; the next code is on line 3/],
    ['a doc comment', `/// a\n${fn('b();')}`, 1, 1, /line 1 is a comment/],
    ['inside a block comment', fn('/* a', 'b', '*/', 'c();'), 3, 3, /line 3 is a comment/],
    ['lines that are not there', fn('a();'), 9, 9, /not in the file, which has 3/],
    ['a function', fn('a();'), 1, 1, /line 1 begins a function.*--raise/],
    ['its closing brace', fn('a();'), 3, 3, /line 3 closes a function/],
    ['a signature of several lines', 'fn f(\n    a: u8,\n) {\n    b();\n}\n', 2, 2, /a function/],
    ['a method that a trait asks for', 'trait T {\n    fn f();\n}\n', 2, 2, /declares a function/],
    [
      'a function in a function',
      fn('fn g() {', '    a();', '}', 'b();'),
      2,
      2,
      /begins a function/,
    ],
    ['an import', 'use a::b;\n', 1, 1, /declares an import/],
    ['an import in a function', fn('use a::b;', 'b();'), 2, 2, /declares an import/],
    ['a constant', 'const A: u8 = 1;\n', 1, 1, /declares a constant.*--replace/],
    ['a struct', 'struct A {\n    b: u8,\n}\n', 1, 1, /declares a struct/],
    ['a field', 'struct A {\n    b: u8,\n}\n', 2, 2, /declares a field/],
    ['a variant', 'enum A {\n    B,\n}\n', 2, 2, /declares a variant/],
    ['an impl', 'impl A {\n    fn f() {}\n}\n', 1, 1, /declares an impl/],
    ['a module', 'mod a {\n    fn f() {}\n}\n', 1, 1, /declares a module/],
    [
      'an else',
      fn('if a {', '    b();', '} else {', '    c();', '}'),
      4,
      4,
      /line 4 goes on with the statement of lines 2 to 6/,
    ],
    ['a closing brace', fn('if a {', '    b();', '}', 'c();'), 4, 4, /line 4 goes on/],
    ['the end of a closure', fn('a.map(|x| {', '    x', '}).b();'), 4, 4, /line 4 goes on/],
    [
      'half an if',
      fn('a();', 'if b {', '    c();', '}'),
      2,
      4,
      /cut the statement of lines 3 to 5/,
    ],
    [
      'a head and half of a body',
      fn('if b {', '    c();', '    d();', '}', 'e();'),
      2,
      3,
      /cut the statement/,
    ],
    ['a lone semicolon', fn('a();', ';'), 3, 3, /does nothing/],
    ['a macro', 'macro_rules! m {\n    () => { a(); };\n}\n', 2, 2, /in a macro/],
    [
      'inside a macro call with braces',
      fn('select! {', '    a => b(),', '}', 'c();'),
      3,
      3,
      /in the macro call of lines 2 to 4/,
    ],
    ['code that is no Rust', 'fn f( {\n    a\n', 1, 1, /cannot be parsed/],
  ])('%s', (_, file, from, to, why) => {
    expect(remove(file, from, to)).toMatch(/^refused: /);
    expect(remove(file, from, to)).toMatch(why);
  });
});
