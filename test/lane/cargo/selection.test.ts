import { describe, expect, test } from 'vitest';
import { selectTargets, withProbes } from '../../../src/lane/cargo/selection.js';
import type { CargoLane } from '../../../src/spec/model.js';
import { aLane, aPackage, aTarget, aWorkspace } from './builders.js';

const JAIL = aPackage(
  'jail',
  [
    aTarget('lib', 'jail'),
    aTarget('bin', 'tool'),
    aTarget('test', 'stop'),
    aTarget('test', 'start'),
    aTarget('example', 'x', { test: false }),
    aTarget('custom-build', 'build-script-build', { test: false }),
  ],
  { features: ['default', 'fancy'] },
);
const MACROS = aPackage('macros', [aTarget('proc-macro', 'macros')]);
const WORKSPACE = aWorkspace(JAIL, MACROS);

const select = (lane: Partial<CargoLane>, workspace = WORKSPACE) =>
  selectTargets(aLane(lane), workspace, workspace.packages);

describe('what cargo is asked for', () => {
  test.each([
    ['nothing said', {}, [], ['--lib', '--bin', '*', '--test', '*'], []],
    [
      'a package',
      { packages: ['jail'] },
      ['-p', 'jail'],
      ['--lib', '--bin', '*', '--test', '*'],
      [],
    ],
    ['one without binaries and tests', { packages: ['macros'] }, ['-p', 'macros'], ['--lib'], []],
    ['the library', { targets: ['lib'] }, [], ['--lib'], []],
    ['one test', { targets: ['test:stop'] }, [], ['--test', 'stop'], []],
    ['all tests and one of them', { targets: ['tests', 'test:stop'] }, [], ['--test', '*'], []],
    ['features', { features: ['fancy', 'dep/x'] }, [], undefined, ['--features', 'fancy,dep/x']],
    ['no default features', { noDefaultFeatures: true }, [], undefined, ['--no-default-features']],
    ['all features', { allFeatures: true }, [], undefined, ['--all-features']],
    ['a profile', { profile: 'release' }, [], undefined, ['--profile', 'release']],
    ['arguments', { args: ['--offline', '--', '--nocapture'] }, [], undefined, ['--offline']],
  ] as const)('%s', (_, lane, packages, targets, build) => {
    const selected = select(lane);
    expect(selected).toMatchObject({
      ok: true,
      value: { packageArguments: packages, buildArguments: build },
    });
    if (targets !== undefined)
      expect(selected).toMatchObject({ value: { targetArguments: targets } });
  });

  test.each([
    ['the whole workspace', ['--workspace'], ['jail', 'macros']],
    ['all but some of it', ['--workspace', '--exclude', 'jail'], ['macros']],
    ['all but others', ['--all', '--exclude=macros'], ['jail']],
    ['what is for the executables asks for nothing', ['--', '--workspace'], ['jail']],
  ])('%s may be asked for by cargo’s own arguments', (_, args, expected) => {
    const selected = selectTargets(aLane({ args }), WORKSPACE, [JAIL]);
    expect(selected.ok && selected.value.packages.map(({ name }) => name)).toEqual(expected);
  });

  test('the whole workspace is no part of what is asked for package by package', () => {
    const args = ['--offline', '--workspace', '--exclude', 'jail'];
    expect(select({ args, packages: ['jail'] })).toMatchObject({
      value: {
        packages: [{ name: 'macros' }],
        packageArguments: ['--workspace', '--exclude', 'jail'],
        buildArguments: ['--offline'],
      },
    });
  });

  test('what stands after `--` is for the executables', () => {
    expect(select({ args: ['--offline', '--', '--nocapture'] })).toMatchObject({
      value: { testArguments: ['--nocapture'] },
    });
  });

  test('targets that cargo does not test by itself are left out, by naming the others', () => {
    const workspace = aWorkspace(
      aPackage('jail', [
        aTarget('lib', 'jail', { test: false }),
        aTarget('bin', 'tool'),
        aTarget('bin', 'untested', { test: false }),
        aTarget('test', 'stop', { test: false }),
      ]),
    );
    expect(select({}, workspace)).toMatchObject({
      value: { targetArguments: ['--bin', 'tool'] },
    });
    expect(select({ targets: ['tests', 'test:stop'] }, workspace)).toMatchObject({
      value: { targetArguments: ['--test', '*'] },
    });
  });

  test('documentation tests are those of libraries that have any', () => {
    const selected = select({ targets: ['doc'] });
    expect(selected).toMatchObject({
      value: { targetArguments: [], doctests: [{ name: 'jail' }] },
    });
    expect(select({})).toMatchObject({ value: { doctests: [] } });
  });
});

describe('a probe file', () => {
  const probed = (lane: Partial<CargoLane>, ...probes: readonly string[]) => {
    const selected = select(lane);
    if (!selected.ok) throw new Error(selected.error.message);
    return withProbes(selected.value, probes).targetArguments;
  };

  test.each([
    ['is built where the lane builds no tests', ['lib'], '/w/stop.rs', ['--lib', '--test', 'stop']],
    [
      'is built beside another test',
      ['test:start'],
      '/w/stop.rs',
      ['--test', 'start', '--test', 'stop'],
    ],
    ['is built as a binary', ['lib'], '/w/tool.rs', ['--lib', '--bin', 'tool']],
    ['is not named twice', ['test:stop'], '/w/stop.rs', ['--test', 'stop']],
    ['is among all tests already', ['tests'], '/w/stop.rs', ['--test', '*']],
    ['is no target of its own', ['lib'], '/w/src/stop.rs', ['--lib']],
  ] as const)('%s', (_, targets, probe, expected) => {
    expect(probed({ targets }, probe)).toEqual(expected);
  });
});

describe('what cannot be selected is said, with what may have been meant', () => {
  test.each([
    [
      'a package',
      { packages: ['jial'] },
      'there is no package `jial` in this workspace',
      'Did you mean `jail`?',
    ],
    [
      'a package like no other',
      { packages: ['zzzzzzz'] },
      'there is no package `zzzzzzz` in this workspace',
      'Its packages are jail, macros.',
    ],
    [
      'a test',
      { packages: ['jail'], targets: ['test:stpo'] },
      'there is no integration test `stpo` in jail',
      'Did you mean `stop`?',
    ],
    [
      'a test where there is none',
      { packages: ['macros'], targets: ['test:stop'] },
      'there is no integration test `stop` in macros',
      'There is none at all.',
    ],
    [
      'a feature',
      { packages: ['jail'], features: ['fanzy'] },
      'there is no feature `fanzy` in jail',
      'Did you mean `fancy`?',
    ],
    [
      'a package beside those of the lane',
      { packages: ['macros'], args: ['-p', 'jail'] },
      '`-p` cannot be among `args`',
      'Name it under `packages` in the lane.',
    ],
    [
      'binaries of a package without any',
      { packages: ['macros'], targets: ['bins'] },
      'nothing to test: macros has no target of bins',
      'Name other `packages` or `targets` in the lane.',
    ],
    [
      'a target folder',
      { args: ['--offline', '--target-dir=/shared', '--', '--target-dir'] },
      '`--target-dir` cannot be among `args`',
      'A lane builds in a folder of its own, which it shares with nobody.',
    ],
    [
      'another workspace',
      { args: ['--manifest-path', 'other/Cargo.toml'] },
      '`--manifest-path` cannot be among `args`',
      'Name the folder of the workspace with `cwd` in the lane.',
    ],
  ] as const)('%s', (_, lane, message, hint) => {
    expect(select(lane)).toEqual({ ok: false, error: { message, hint } });
  });
});
