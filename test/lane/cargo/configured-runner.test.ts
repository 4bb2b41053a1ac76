import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { holds, parseCfg } from '../../../src/lane/cargo/cfg-expression.js';
import { targetVariable } from '../../../src/lane/cargo/configuration.js';
import { configuredRunner } from '../../../src/lane/cargo/configured-runner.js';

const TRIPLE = 'x86_64-unknown-linux-gnu';
const LINUX = new Set(['unix', 'target_os="linux"', 'target_arch="x86_64"']);

describe('cfg expressions', () => {
  test.each([
    ['cfg(unix)', true],
    ['cfg(windows)', false],
    ['cfg(target_os = "linux")', true],
    ['cfg(target_os="macos")', false],
    ['cfg(all(unix, not(target_os = "macos"),))', true],
    ['cfg(any(windows, all()))', true],
    ['cfg(any())', false],
    ['cfg(not(any(unix, windows)))', false],
  ])('%s: %s', (text, expected) => {
    const cfg = parseCfg(text);
    expect(cfg !== null && holds(cfg, LINUX)).toBe(expected);
  });

  test.each([TRIPLE, 'cfg(unix', 'cfg()', 'cfg(not(a, b))', 'cfg(a = b)', 'cfg(unix) x'])(
    '%s is none',
    (text) => {
      expect(parseCfg(text)).toBeNull();
    },
  );
});

/** Folders `top`, `top/mid/deep` and `top/home`, with Cargo's configuration files in them. */
function ask(
  files: Readonly<Record<string, string>>,
  {
    env = {},
    command = ['cargo', 'test'],
  }: { env?: Record<string, string>; command?: readonly string[] } = {},
) {
  const top = mkdtempSync(path.join(os.tmpdir(), 'cp runner ü-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const cwd = path.join(top, 'mid', 'deep');
  mkdirSync(cwd, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  }
  return configuredRunner({
    cwd,
    env: { CARGO_HOME: path.join(top, 'home'), ...env },
    triple: TRIPLE,
    command,
    cfgs: () => Promise.resolve(LINUX),
  }).then((found) =>
    found.ok
      ? { ...found.value, words: found.value.words.map((word) => word.replace(top, 'TOP')) }
      : found.error.why,
  );
}

const byTriple = (runner: string): string => `[target.${TRIPLE}]\nrunner = ${runner}\n`;

describe("the project's own runner", () => {
  test('of no configuration there is none', async () => {
    expect(await ask({})).toEqual({ words: [], notes: [] });
  });

  test.each([
    ['a string, split at white space', '"env  FOO=1"', ['env', 'FOO=1']],
    ['a list', '["env", "FOO=a b"]', ['env', 'FOO=a b']],
    ['a path, relative to the parent of .cargo', '"tools/run -x"', ['TOP/mid/tools/run', '-x']],
  ])('%s', async (_what, runner, words) => {
    expect(await ask({ 'mid/.cargo/config.toml': byTriple(runner) })).toEqual({ words, notes: [] });
  });

  test('the deepest file counts, cargo home last, and of two names the old one', async () => {
    const home = { 'home/config.toml': byTriple('"home"') };
    const mid = { 'mid/.cargo/config.toml': byTriple('"mid"') };
    const deep = {
      'mid/deep/.cargo/config': byTriple('"old"'),
      'mid/deep/.cargo/config.toml': byTriple('"new"'),
    };
    expect(await ask(home)).toMatchObject({ words: ['home'] });
    expect(await ask({ ...home, ...mid })).toMatchObject({ words: ['mid'] });
    expect(await ask({ ...home, ...mid, ...deep })).toMatchObject({ words: ['old'] });
  });

  test('the variable outweighs the files', async () => {
    expect(targetVariable('thumbv8m.main-none-eabi', 'RUNNER')).toBe(
      'CARGO_TARGET_THUMBV8M_MAIN_NONE_EABI_RUNNER',
    );
    expect(
      await ask(
        { 'mid/.cargo/config.toml': byTriple('"mid"') },
        { env: { [targetVariable(TRIPLE, 'RUNNER')]: 'sudo -E' } },
      ),
    ).toMatchObject({ words: ['sudo', '-E'] });
  });

  test('a triple outweighs a cfg, and a cfg must hold', async () => {
    const cfg = (text: string, runner: string): string =>
      `[target.'cfg(${text})']\nrunner = "${runner}"\n`;
    const file = 'mid/.cargo/config.toml';
    expect(await ask({ [file]: cfg('windows', 'wine') + cfg('unix', 'env') })).toMatchObject({
      words: ['env'],
    });
    expect(await ask({ [file]: cfg('windows', 'wine') })).toMatchObject({ words: [] });
    expect(
      await ask({ [file]: cfg('unix', 'env'), 'home/config.toml': byTriple('"home"') }),
    ).toMatchObject({ words: ['home'] });
    expect(await ask({ [file]: cfg('unix', 'a') + cfg('target_os = "linux"', 'b') })).toMatch(
      /^several/,
    );
  });

  test('where it cannot be known, it says so', async () => {
    const command = ['cargo', 'test', '--config', `target.${TRIPLE}.runner="x"`];
    expect(await ask({}, { command })).toMatch(/sets a runner$/);
    expect(
      await ask(
        { 'mid/deep/own.toml': byTriple('"x"') },
        { command: ['cargo', 'test', '--config=own.toml'] },
      ),
    ).toMatch(/own.toml` sets a runner$/);
    expect(await ask({}, { command: ['cargo', 'test', '--config', 'build.jobs=1'] })).toEqual({
      words: [],
      notes: [],
    });
    expect(await ask({ 'mid/.cargo/config.toml': 'include = "x.toml"' })).toMatchObject({
      notes: [expect.stringMatching(/includes was not asked/)],
    });
  });
});
