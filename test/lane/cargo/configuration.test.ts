import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfigs, targetsOf } from '../../../src/lane/cargo/configuration.js';

/** What cargo builds for in `deep`, with files that each set `build.target`; null: a folder. */
async function targets(
  files: Readonly<Record<string, string | null>>,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: readonly string[] } = {},
) {
  const top = mkdtempSync(path.join(tmpdir(), 'cp target ü-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const cwd = path.join(top, 'deep');
  mkdirSync(cwd);
  for (const [name, target] of Object.entries(files)) {
    const file = path.join(top, name);
    mkdirSync(target === null ? file : path.dirname(file), { recursive: true });
    if (target !== null) writeFileSync(file, `build.target = ${target}\n`);
  }
  const given = { HOME: path.join(top, 'user'), ...env };
  return targetsOf(args, given, await readConfigs(cwd, given));
}

test.each<readonly [string, Readonly<Record<string, string | null>>, readonly string[]]>([
  ['none', {}, []],
  ['a file further up', { '.cargo/config.toml': '"outer"' }, ['outer']],
  [
    'the deepest file',
    { '.cargo/config.toml': '"outer"', 'deep/.cargo/config.toml': '"inner"' },
    ['inner'],
  ],
  [
    'of two names in one folder the old one',
    { 'deep/.cargo/config.toml': '"new"', 'deep/.cargo/config': '"old"' },
    ['old'],
  ],
  [
    'a file beside a folder of the old name',
    { 'deep/.cargo/config': null, 'deep/.cargo/config.toml': '"new"' },
    ['new'],
  ],
  ['a list', { 'deep/.cargo/config.toml': '["a", "b"]' }, ['a', 'b']],
  ['a file that cannot be read', { 'deep/.cargo/config.toml': '[' }, []],
  ["the home of the user's cargo", { 'user/.cargo/config.toml': '"home"' }, ['home']],
])('goes by %s', async (_, files, expected) => {
  expect(await targets(files)).toEqual(expected);
});

test('a relative home is one of the folder in which cargo is started', async () => {
  const files = { 'home/config.toml': '"home"', 'user/.cargo/config.toml': '"user"' };
  expect(await targets(files, { env: { CARGO_HOME: '../home' } })).toEqual(['home']);
  expect(await targets(files, { env: { CARGO_HOME: '' } })).toEqual(['user']);
});

test('the variable outweighs the files, and arguments, each of them, outweigh both', async () => {
  const files = { 'deep/.cargo/config.toml': '"file"' };
  const env = { CARGO_BUILD_TARGET: 'variable' };
  expect(await targets(files, { env })).toEqual(['variable']);
  const args = ['--target', 'a', '--offline', '--target=b'];
  expect(await targets(files, { env, args })).toEqual(['a', 'b']);
});
