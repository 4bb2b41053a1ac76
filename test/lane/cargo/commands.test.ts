import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  buildCommand,
  docCommand,
  lintArguments,
  shownCommand,
  testCommand,
} from '../../../src/lane/cargo/commands.js';
import { selectTargets } from '../../../src/lane/cargo/selection.js';
import type { CargoLane } from '../../../src/spec/model.js';
import { aLane, aPackage, aTarget, aWorkspace } from './builders.js';

const JAIL = aPackage('jail', [aTarget('lib', 'jail'), aTarget('test', 'stop')]);

function factsOf(lane: CargoLane) {
  const selected = selectTargets(lane, aWorkspace(JAIL), [JAIL]);
  if (!selected.ok) throw new Error(selected.error.message);
  return { cargo: ['cargo', '+nightly'], selection: selected.value, added: ['--locked'] } as const;
}

describe('what is started', () => {
  test('cargo builds with what it would run', () => {
    const lane = aLane({ packages: ['jail'], profile: 'release', args: ['--offline'] });
    const facts = factsOf(lane);
    const common = 'cargo +nightly test -p jail --lib --test * --profile release --offline';
    expect(testCommand(facts).join(' ')).toBe(`${common} --locked`);
    expect(buildCommand(facts).join(' ')).toBe(`${common} --locked --no-run --message-format=json`);
    expect(shownCommand(facts, lane).join(' ')).toBe(common);
  });

  test('documentation tests alone need the library', () => {
    const lane = aLane({ targets: ['doc'], select: 'step' });
    const facts = factsOf(lane);
    expect(buildCommand(facts).join(' ')).toBe(
      'cargo +nightly build --lib --locked --message-format=json',
    );
    expect(docOf(facts, 'jail')).toBe('cargo +nightly test --doc -p jail --locked');
    expect(shownCommand(facts, lane).join(' ')).toBe('cargo +nightly test --doc step');
  });
});

function docOf(facts: ReturnType<typeof factsOf>, name: string): string | null {
  const found = facts.selection.doctests.find((each) => each.name === name);
  return found === undefined ? null : docCommand(facts, found).join(' ');
}

test.each([
  ['fast', { jail: 'fast', tool: 'jail/fast', apart: null, renamed: 'cell?/fast' }],
  ['jail/fast', { jail: 'jail/fast', tool: 'jail/fast', apart: null, renamed: 'cell?/fast' }],
  ['odd', { jail: null, tool: null, apart: 'odd', renamed: null }],
  ['serde/std', { jail: 'serde/std', tool: 'serde/std', apart: 'serde/std', renamed: 'serde/std' }],
])('doctests of a package are asked for the features it can have: %s', (feature, expected) => {
  const jail = (key: string, optional: boolean) => ({
    package: 'jail',
    key,
    optional,
    folder: '/w/jail',
    isDevelopment: false,
  });
  const packages = [
    aPackage('jail', [aTarget('lib', 'jail')], { features: ['fast'] }),
    aPackage('tool', [aTarget('lib', 'tool')], { dependencies: [jail('jail', false)] }),
    aPackage('apart', [aTarget('lib', 'apart')], { features: ['odd'] }),
    aPackage('renamed', [aTarget('lib', 'renamed')], { dependencies: [jail('cell', true)] }),
  ];
  const lane = aLane({ targets: ['doc'], features: [feature] });
  const selected = selectTargets(lane, aWorkspace(...packages), packages);
  if (!selected.ok) throw new Error(selected.error.message);
  const facts = { cargo: ['cargo'], selection: selected.value, added: [] } as const;
  const named = selected.value.doctests.map((each) => {
    const [, given = null] = /--features (\S+)$/.exec(docCommand(facts, each).join(' ')) ?? [];
    return [each.name, given];
  });
  expect(Object.fromEntries(named)).toEqual(expected);
});

describe('a cap on lints, in the place that cargo reads', () => {
  const capped = (
    config: string | null,
    env: Record<string, string> = {},
    args: readonly string[] = [],
  ) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cp-config-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    mkdirSync(path.join(folder, '.cargo'));
    if (config !== null) writeFileSync(path.join(folder, '.cargo/config.toml'), config);
    const place = { cwd: path.join(folder, 'deep/er'), host: 'a-b-c' };
    const lane = aLane({ capLints: 'warn', args: [...args] });
    return lintArguments(lane, place, { HOME: '/nonexistent', ...env });
  };
  const build = ['--config', 'build.rustflags=["--cap-lints","warn"]'];
  const target = ['--config', 'target.a-b-c.rustflags=["--cap-lints","warn"]'];

  test.each([
    ['no configuration', null, {}, build],
    ['flags of every build', '[build]\nrustflags = ["-C", "a"]\n', {}, build],
    ['a target without flags', '[target.a-b-c]\nrunner = "x"\n', {}, build],
    ['flags of a target', '[target.a-b-c]\nrustflags = ["-C", "a"]\n', {}, target],
    ['flags of a cfg', "[target.'cfg(unix)']\nrustflags = []\n", {}, target],
    ['flags in a dotted key', 'target.a-b-c.rustflags = ["-C", "a"]\n', {}, target],
    ['flags of a target in a variable', null, { CARGO_TARGET_A_B_C_RUSTFLAGS: '' }, target],
    ['flags of another target', '[target.x-y-z]\nrustflags = ["-C", "a"]\n', {}, build],
    ['flags of another target in a variable', null, { CARGO_TARGET_X_Y_Z_RUSTFLAGS: '' }, build],
    ['a configuration that cannot be read', '[target', {}, build],
    ['flags in a variable, beside which it stands already', null, { RUSTFLAGS: '' }, []],
  ] as const)('%s', async (_, config, env, expected) => {
    expect(await capped(config, env)).toEqual(expected);
  });

  const other = ['--config', 'target.x-y-z.rustflags=["--cap-lints","warn"]'];
  const flags = '[target.x-y-z]\nrustflags = []\n';
  test.each([
    ['an argument', flags, {}, ['--target', 'x-y-z'], other],
    ['an argument in one word', flags, {}, ['--target=x-y-z'], other],
    ['a variable', flags, { CARGO_BUILD_TARGET: 'x-y-z' }, [], other],
    ['the configuration', `${flags}[build]\ntarget = "x-y-z"\n`, {}, [], other],
    [
      'an argument, over the others',
      flags,
      { CARGO_BUILD_TARGET: 'a-b-c' },
      ['--target=x-y-z'],
      other,
    ],
    [
      'an argument, without flags of its own',
      '[target.a-b-c]\nrustflags = []\n',
      {},
      ['--target=x-y-z'],
      build,
    ],
    ['each argument', flags, {}, ['--target', 'x-y-z', '--target=d-e-f'], [...other, ...build]],
  ] as const)('goes by the target that %s names', async (_, config, env, args, expected) => {
    expect(await capped(config, env, args)).toEqual(expected);
  });

  test('is given only where it is asked for', async () => {
    const lane = aLane({ capLints: null });
    expect(await lintArguments(lane, { cwd: '/', host: 'a-b-c' }, {})).toEqual([]);
  });
});
