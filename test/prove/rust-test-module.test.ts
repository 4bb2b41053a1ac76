import { expect, test } from 'vitest';
import { holdsOnlyTests, isDeclaredForTests } from '../../src/prove/rust-test-module.js';

const CRATE: Readonly<Record<string, string>> = {
  'src/lib.rs': 'pub mod test;\nmod a;\n#[cfg(test)]\nmod tests;\nmod c;\n',
  'src/test.rs': 'pub fn run_tests() {}\n',
  'src/a.rs': '#[cfg(test)]\nmod tests;\npub mod deep;\n#[path = "b.rs"]\nmod test;\n',
  'src/a/deep/mod.rs': '#[cfg(all(test, unix))]\nmod tests;\n',
  'src/tests/mod.rs': 'mod help;\n',
  'src/c.rs': '#![cfg(test)]\nmod tests;\n',
};

test.each([
  ['src/test.rs', false],
  ['src/a/tests.rs', true],
  ['src/a/deep/tests.rs', true],
  ['src/tests/mod.rs', true],
  ['src/tests/help.rs', true],
  ['src/c/tests.rs', true],
  ['src/a/test.rs', null],
  ['src/nowhere/tests.rs', null],
])('%s is declared for tests alone: %s', (path, yes) => {
  const read = (file: string): Buffer | null =>
    CRATE[file] === undefined ? null : Buffer.from(CRATE[file]);
  expect(isDeclaredForTests(path, read)).toBe(yes);
});

test.each([
  ['use a::b;\n\n// Why.\n#[test]\nfn a() {}\n', true],
  ['#![cfg(test)]\nfn help() {}\n', true],
  ['fn help() {}\n#[test]\nfn a() {}\n', false],
  ['use a::b;\n', false],
])('%j holds only tests: %s', (text, yes) => {
  expect(holdsOnlyTests(Buffer.from(text))).toBe(yes);
});
