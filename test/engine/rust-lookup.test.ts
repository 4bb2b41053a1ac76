import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRustLookup } from '../../src/engine/rust-lookup.js';
import { folderWith } from '../spec/support.js';

const FILES = {
  'Cargo.toml': '[workspace]\nmembers = ["jail", "util"]\n',
  'jail/Cargo.toml':
    '[package]\nname = "jail"\n[[test]]\nname = "odd"\npath = "checks/odd.rs"\nharness = false\n',
  'jail/src/lib.rs':
    'mod stop;\npub fn step() {}\n#[cfg(test)]\nmod tests {\n    fn r#match() {}\n}\n',
  'jail/src/stop.rs': 'mod tests {\n    #[rstest]\n    fn trims() {}\n}\n',
  'jail/src/bin/tool.rs': 'fn main() {}\nfn parses() {}\n',
  'jail/tests/stop_behavior.rs': 'proptest! {\n    fn row_2() {}\n}\n',
  'jail/tests/whole/main.rs': 'mod part;\n',
  'jail/tests/whole/part.rs': 'fn inner() {}\n',
  'jail/target/debug/build/out/gone.rs': 'fn gone() {}\n',
  'util/Cargo.toml': '[package]\nname = "util"\n',
  'util/src/lib.rs': 'fn helps() {}\n',
};

const lookup = (files: Readonly<Record<string, string>> = FILES, folder = 'jail') => {
  const top = folderWith(files);
  return createRustLookup(join(top, folder), top);
};

/** The reason, and the nearest names. */
async function said(name: string, of = lookup()): Promise<string | null> {
  const found = await of(name);
  return found === null ? null : [found.reason, ...found.facts].join('; ');
}

describe('a name that is there', () => {
  test.each([
    'jail',
    'jail::stop_behavior',
    'jail::whole',
    'jail::odd',
    'jail::odd odd',
    'jail::bin/tool',
    'jail::doc',
    'jail stop::tests::trims',
    'jail stop::tests',
    'jail stop',
    'jail stop::tests::trims::case_1',
    'jail tests::r#match',
    'jail::stop_behavior row_2',
    'jail::whole part::inner',
    'jail::bin/tool parses',
    'jail::doc src/lib.rs - step',
    'jail::doc src/stop.rs - Decoder::step #2',
    'src/stop.rs - Decoder',
    'src/stop.rs',
    'stop::tests::trims',
    'row_2',
    'util helps',
    ' helps ',
    'jail nowhere::*',
  ])('%s', async (name) => {
    expect(await said(name)).toBeNull();
  });
});

describe('a name that is not there', () => {
  test.each([
    ['jial stop', 'there is no package jial; nearest: jail'],
    [
      'jail::stop_behaviour row_2',
      'package jail has no integration test stop_behaviour; nearest: jail::stop_behavior',
    ],
    ['jail stop::tests::trms', 'package jail has no function or module trms; nearest: trims'],
    ['jail gone', 'package jail has no function or module gone'],
    ['jail sotp::tests::trims', 'package jail has no function or module sotp; nearest: stop'],
    ['util trims', 'package util has no function or module trims'],
    ['hleps', 'no package has a function or module hleps; nearest: helps'],
    ['jail::doc src/gone.rs - A', 'there is no file src/gone.rs'],
    ['src/gone.rs - A', 'there is no file src/gone.rs'],
  ])('%s', async (name, expected) => {
    expect(await said(name)).toBe(expected);
  });
});

test('where macros make names, only cargo can know them', async () => {
  const files = {
    ...FILES,
    'jail/src/made.rs': 'macro_rules! m { ($n:ident) => { fn $n() {} } }\n',
  };
  expect(await said('jail anything', lookup(files))).toBeNull();
  expect(await said('util anything', lookup(files))).not.toBeNull();
});

test('a crate without a workspace, and a manifest that cannot be read', async () => {
  const files = { 'Cargo.toml': '[package]\nname = "alone"\n', 'src/lib.rs': 'fn t() {}\n' };
  expect(await said('alone t', lookup(files, '.'))).toBeNull();
  const broken = { 'Cargo.toml': '[package\n', 'src/lib.rs': 'fn t() {}\n' };
  expect(await said('alone t', lookup(broken, '.'))).toBe('there is no package alone');
});
