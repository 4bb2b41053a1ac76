import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/spec/config.js';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import { makeSource } from '../../src/spec/source.js';
import { brief, configFrom, folderWith } from './support.js';

function faultsOf(text: string, file = 'counterproof.yaml'): readonly string[] {
  const config = parseConfig(makeSource(file, text), { root: '/project', file: null });
  return config.ok ? [] : brief(config.error);
}

const lane = (fields: string): string => `lanes:\n  unit:\n    runner: pytest\n    ${fields}\n`;

const FULL = `
version: 1
x-note: ours
lanes:
  unit:
    runner: pytest                    # the only one
    select: pre_merge and gpu_0   # pytest: -m
    paths: [tests]
    args: ["-p", "no:randomly"]
    command: [uv, run, pytest]
    build: make
    prepare: [make, deps]
    env: { A: 1, B: null, C: yes, x-D: "" }
    cwd: sub
    slots: 1
    limits: { step: 5m, test: 250ms, memory: 2GB, output: 16MiB }
    quarantine: [{ test: "a::b", because: "flaky" }]
    warm: off
  plain: { runner: pytest, command: auto, build: null, prepare: ~, slots: auto, limits: { step: auto, test: 90, memory: auto } }
defaults: { lane: unit, isolation: in-place, verify: full }
`;

describe('a configuration is read', () => {
  test('with every field as it is meant', () => {
    const { lanes, defaults, file } = configFrom(FULL);
    expect(file).toBeNull();
    expect(defaults).toEqual({ lane: 'unit', isolation: 'in-place', verify: 'full' });
    expect(lanes).toEqual([
      {
        name: 'unit',
        runner: 'pytest',
        select: 'pre_merge and gpu_0',
        paths: ['tests'],
        args: ['-p', 'no:randomly'],
        command: ['uv', 'run', 'pytest'],
        build: 'make',
        prepare: ['make', 'deps'],
        env: { A: '1', B: 'null', C: 'yes', 'x-D': '' },
        cwd: 'sub',
        slots: 1,
        limits: { stepMs: 300_000, testMs: 250, memoryBytes: 2e9, outputBytes: 16 * 1024 * 1024 },
        quarantine: [{ test: 'a::b', because: 'flaky' }],
        warm: 'off',
        where: { file: 'counterproof.yaml', line: 5, col: 3 },
      },
      {
        ...implicitLane(),
        name: 'plain',
        limits: { ...implicitLane().limits, testMs: 90_000 },
        where: { file: 'counterproof.yaml', line: 19, col: 3 },
      },
    ]);
  });

  test('with the fields of cargo', () => {
    const { lanes } = configFrom(`
lanes:
  decoder:
    runner: cargo
    packages: jail
    targets: [lib, bins, tests, doc, "test:stop_behavior"]
    select: stop
    features: [serde, other/std]
    noDefaultFeatures: true
    profile: ci
    toolchain: nightly-2026-01-31
    capLints: warn
    harness: exit-code
    args: ["--test-threads=1"]
    env: { RUST_LOG: debug }
    quarantine: [{ test: "jail tests::slow", because: "takes a minute" }]
  plain: { runner: cargo }
`);
    const plain = {
      name: 'plain',
      runner: 'cargo',
      select: null,
      packages: [],
      targets: [],
      features: [],
      noDefaultFeatures: false,
      allFeatures: false,
      profile: null,
      toolchain: null,
      capLints: null,
      harness: 'libtest',
      args: [],
      build: null,
      prepare: null,
      env: {},
      cwd: '.',
      slots: 'auto',
      limits: implicitLane().limits,
      quarantine: [],
    };
    expect(lanes).toEqual([
      {
        ...plain,
        name: 'decoder',
        select: 'stop',
        packages: ['jail'],
        targets: ['lib', 'bins', 'tests', 'doc', 'test:stop_behavior'],
        features: ['serde', 'other/std'],
        noDefaultFeatures: true,
        profile: 'ci',
        toolchain: 'nightly-2026-01-31',
        capLints: 'warn',
        harness: 'exit-code',
        args: ['--test-threads=1'],
        env: { RUST_LOG: 'debug' },
        quarantine: [{ test: 'jail tests::slow', because: 'takes a minute' }],
        where: { file: 'counterproof.yaml', line: 3, col: 3 },
      },
      { ...plain, where: { file: 'counterproof.yaml', line: 17, col: 3 } },
    ]);
  });

  const reports: readonly [written: string, report: string][] = [
    ['command: [npx, vitest, "--outputFile={report}"]', '{report}'],
    ['command: [npm, test], args: ["--out={report}"]', '{report}'],
    ['command: [make, test], env: { OUT: "{report}" }', '{report}'],
    ['command: [./run-tests], report: "{report}"', '{report}'],
    ['command: [ctest, "--out={report}/a.xml"], report: "{report}/*.xml"', '{report}/*.xml'],
    [
      'command: [mvn, test], report: "target/surefire-reports/*.xml"',
      'target/surefire-reports/*.xml',
    ],
  ];
  test.each(reports)('with the report of a junit lane: { %s }', (written, report) => {
    const { lanes } = configFrom(`lanes: { web: { runner: junit, ${written} } }`);
    expect(lanes).toMatchObject([{ runner: 'junit', report }]);
  });

  test('an empty one has only defaults, and the lane that is found', () => {
    const empty = { lane: null, isolation: 'auto', verify: 'moved' };
    for (const text of ['', '# nothing', 'version: 1', '{}'])
      expect(configFrom(text)).toEqual({
        file: null,
        lanes: [implicitLane()],
        defaults: empty,
        prove: { testPaths: [], sourcePaths: [] },
      });
  });

  test('from pyproject.toml the same as from YAML', () => {
    const toml = `
[tool.other]
lane = 1
[tool.counterproof]
version = 1
[tool.counterproof.lanes.unit]
runner = "pytest"
select = "fast"
x-note = 3
env = { A = "1" }
limits = { step = "5m", test = 30 }
[[tool.counterproof.lanes.unit.quarantine]]
test = "a"
because = "b"
[tool.counterproof.defaults]
lane = "unit"
`;
    const config = configFrom(toml, 'pyproject.toml');
    expect(config.defaults.lane).toBe('unit');
    expect(config.lanes).toEqual([
      {
        ...implicitLane(),
        name: 'unit',
        select: 'fast',
        env: { A: '1' },
        limits: { ...implicitLane().limits, stepMs: 300_000, testMs: 30_000 },
        quarantine: [{ test: 'a', because: 'b' }],
        where: { file: 'pyproject.toml', line: 6, col: 2 },
      },
    ]);
  });
});

describe('a configuration is refused', () => {
  const table: readonly [about: string, text: string, faults: readonly string[]][] = [
    ['an unknown key', 'lane: {}\n', ['1:1 unknown key `lane`']],
    [
      'another version',
      'version: 2\n',
      ['1:10 this version of Counterproof reads version 1 of the format'],
    ],
    [
      'an unknown runner',
      'lanes:\n  a: { runner: pytset }\n',
      ['2:16 `pytset` is none of pytest, cargo, junit'],
    ],
    ['no runner', 'lanes:\n  a: { select: x }\n', ['2:6 `runner` is missing']],
    ['an empty lane', 'lanes:\n  a:\n', ['2:3 expected a mapping, found nothing']],
    ['lanes as a list', 'lanes: [a]\n', ['1:8 expected a mapping, found a list']],
    [
      'a lane of a bad name',
      'lanes:\n  "a b": { runner: pytest }\n',
      ["2:3 a lane's name has letters, digits, `_`, `.` and `-` in it"],
    ],
    [
      'an unknown default lane',
      `${lane('warm: off')}defaults: { lane: unti }\n`,
      ['5:19 there is no lane `unti`'],
    ],
    [
      'an unknown word',
      'defaults: { isolation: overlai }\n',
      ['1:24 `overlai` is none of auto, overlay, in-place'],
    ],
    [
      'a command as a text',
      lane('command: python -m pytest'),
      ['4:14 expected `auto` or a list, found `python -m pytest`'],
    ],
    ['an empty command', lane('command: []'), ['4:14 the list is empty']],
    ['a duration with a wrong unit', lane('limits: { step: 5min }'), ['4:21 not a duration']],
    ['a duration of nothing', lane('limits: { step: 0 }'), ['4:21 not a duration']],
    ['a duration that no timer has', lane('limits: { step: 999999h }'), ['4:21 not a duration']],
    ['a negative duration', lane('limits: { test: -5s }'), ['4:21 not a duration']],
    ['a size with a wrong unit', lane('limits: { memory: 2gb }'), ['4:23 not a size']],
    ['a size of nothing', lane('limits: { output: 0MB }'), ['4:23 not a size']],
    ['no slot', lane('slots: 0'), ['4:12 expected at least 1']],
    [
      'a wrong number of slots',
      lane('slots: many'),
      ['4:12 expected `auto` or a whole number, found `many`'],
    ],
    ["a field of another runner's lanes", lane('packages: [jail]'), ['4:5 unknown key `packages`']],
    [
      'two runners in one lane',
      'lanes:\n  a: { runner: cargo, paths: [tests], command: [cargo], warm: off }\n',
      ['2:23 unknown key `paths`', '2:39 unknown key `command`', '2:57 unknown key `warm`'],
    ],
    [
      'targets that cargo has no tests for',
      'lanes:\n  a: { runner: cargo, targets: [lib, benches, test] }\n',
      [
        '2:38 a target is one of lib, bins, tests, doc and test:NAME',
        '2:47 a target is one of lib, bins, tests, doc and test:NAME',
      ],
    ],
    [
      'a toolchain as cargo takes it',
      'lanes:\n  a: { runner: cargo, toolchain: +nightly }\n',
      ['2:34 no name of a toolchain'],
    ],
    [
      'an unknown level and an unknown harness',
      'lanes:\n  a: { runner: cargo, capLints: deny, harness: exitcode }\n',
      ['2:33 `deny` is none of allow, warn', '2:48 `exitcode` is none of libtest, exit-code'],
    ],
    [
      'a flag as a word',
      'lanes:\n  a: { runner: cargo, allFeatures: yes }\n',
      ['2:36 expected `true` or `false`, found `yes`'],
    ],
    [
      "null as cargo's filter",
      'lanes:\n  a: { runner: cargo, select: null }\n',
      ['2:31 `null` is read as the name of a test'],
    ],
    ['junit without a command', 'lanes:\n  a: { runner: junit }\n', ['2:6 `command` is missing']],
    [
      'a junit command that is found by nobody',
      'lanes:\n  a: { runner: junit, command: auto }\n',
      ['2:32 expected a list, found `auto`'],
    ],
    [
      'a junit command without a report',
      'lanes:\n  a: { runner: junit, command: [npx, vitest] }\n',
      ['2:32 the command has no `{report}`, and no `report` says where it writes'],
    ],
    [
      'two places for a report',
      'lanes:\n  a: { runner: junit, command: [x, "{report}"], report: out.xml }\n',
      ['2:57 the command writes to `{report}`, and `report` names another place'],
    ],
    [
      'a report outside',
      'lanes:\n  a: { runner: junit, command: [x], report: ../out/*.xml }\n',
      ['2:45 the path leads out of the tree'],
    ],
    ['null as a marker', lane('select: null'), ['4:13 `null` is read as the name of a marker']],
    [
      'a cut marker expression',
      lane('select: a #b'),
      ['4:15 YAML takes this for a comment, and cuts it off the text before it'],
    ],
    ['a folder outside', lane('cwd: ../x'), ['4:10 the path leads out of the tree']],
    [
      'quarantine without a reason',
      lane('quarantine: [{ test: a }]'),
      ['4:18 `because` is missing'],
    ],
    [
      'several at once',
      'version: 3\nlanes:\n  a: { runner: pytest, slots: 0 }\ndefaults: { verify: all }\n',
      [
        '1:10 this version of Counterproof reads version 1 of the format',
        '3:31 expected at least 1',
        '4:21 `all` is none of moved, full',
      ],
    ],
    [
      'a whole lane and a name beside a lane of the wrong shape',
      'lanes:\n  a: { runner: pytset }\n  b: { runner: pytest, limits: { step: soon } }\ndefaults: { lane: c }\n',
      [
        '2:16 `pytset` is none of pytest, cargo, junit',
        '3:40 not a duration',
        '4:19 there is no lane `c`',
      ],
    ],
  ];
  test.each(table)('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  const hints: readonly [about: string, text: string, hint: string][] = [
    [
      "a field of another runner's lanes",
      lane('packages: [jail]'),
      '`packages` goes with `runner: cargo`.',
    ],
    [
      'a field of two other runners',
      'lanes: { a: { runner: cargo, command: [x] } }',
      '`command` goes with `runner: pytest` or `runner: junit`.',
    ],
    [
      'a misspelt field of its own',
      'lanes: { a: { runner: cargo, toolchian: x } }',
      'Did you mean `toolchain`?',
    ],
    ['a misspelt runner', 'lanes: { a: { runner: pytset } }', 'Did you mean `pytest`?'],
  ];
  test.each(hints)('with a way out: %s', (_, text, hint) => {
    const config = parseConfig(makeSource('counterproof.yaml', text), { root: '/p', file: null });
    expect(config.ok ? [] : config.error.map((fault) => fault.hint)).toEqual([hint]);
  });

  const toml: readonly [about: string, text: string, faults: readonly string[]][] = [
    ['a syntax error', '[tool.counterproof]\nlanes = \n', ['2:9 TOML: ']],
    ['no table', '[tool.other]\na = 1\n', ['1:1 the file has no table [tool.counterproof]']],
    ['an unknown key', '[tool.counterproof]\n\nlane = "a"\n', ['3:1 unknown key `lane`']],
    [
      'an unknown key in an inline table',
      '[tool.counterproof]\ndefaults = { verfy = "full" }\n',
      ['2:14 unknown key `verfy`'],
    ],
    [
      'a value in a table',
      '[tool.counterproof.lanes.unit]\nrunner = "pytest"\nslots = 0\n',
      ['3:9 expected at least 1'],
    ],
    [
      'a value under a dotted key',
      '[tool.counterproof]\nlanes.unit.runner = "cagro"\n',
      ['2:21 `cagro` is none of pytest, cargo, junit'],
    ],
    [
      'a value in an inline table',
      '[tool.counterproof]\ndefaults = { lane = "a", verify = "all" }\n',
      ['2:35 `all` is none of moved, full'],
    ],
    [
      'a value in a second table of a list',
      '[tool.counterproof.lanes.unit]\nrunner = "pytest"\n[[tool.counterproof.lanes.unit.quarantine]]\ntest = "a"\nbecause = "b"\n[[tool.counterproof.lanes.unit.quarantine]]\ntest = 3\nbecause = "b"\n',
      ['7:8 expected a text, found `3`'],
    ],
    [
      'a date',
      '[tool.counterproof.lanes.unit]\nrunner = "pytest"\nselect = 2026-01-31\n',
      ['3:10 expected a text, found a date'],
    ],
    [
      'a missing key',
      '[tool.counterproof.lanes.unit]\nselect = "a"\n',
      ['1:2 `runner` is missing'],
    ],
    [
      'keys inside a long string do not count',
      '[tool.x]\na = """\n[tool.counterproof]\nlane = 1\n"""\n[tool.counterproof]\nlane = 1\n',
      ['7:1 unknown key `lane`'],
    ],
  ];
  test.each(toml)('in TOML: %s', (_, text, faults) => {
    const found = faultsOf(text, 'pyproject.toml');
    expect(found.map((fault, index) => fault.slice(0, faults[index]?.length))).toEqual(faults);
  });

  test('a file that is not there, and a second one beside it', () => {
    const root = folderWith({
      'counterproof.yaml': '',
      'pyproject.toml': '[tool.counterproof]\n',
    });
    const missing = loadConfig({ root, configFile: join(root, 'nowhere.yaml') });
    expect(missing.ok ? [] : brief(missing.error)).toEqual([
      '1:1 cannot be read: there is no such file',
    ]);
    const twice = loadConfig({ root, configFile: join(root, 'counterproof.yaml') });
    expect(twice.ok ? [] : brief(twice.error)).toEqual([
      '1:1 there is a second configuration: [tool.counterproof] in pyproject.toml',
    ]);
  });

  test('the file is named in the configuration, and relative to the root in faults', () => {
    const root = folderWith({ 'counterproof.yaml': 'lanes: { a: { runner: pytest } }' });
    const configFile = join(root, 'counterproof.yaml');
    const config = loadConfig({ root, configFile });
    expect(config).toMatchObject({
      ok: true,
      value: { file: configFile, lanes: [{ where: { file: 'counterproof.yaml' } }] },
    });
    expect(loadConfig({ root, configFile: null })).toMatchObject({
      ok: true,
      value: { file: null, lanes: [{ name: 'pytest', where: null }] },
    });
  });
});
