/**
 * Everything that one edit of a crate can come to, by the built command and real builds.
 *
 * What a person must be able to rely on in a cargo lane, and where it is shown:
 *
 * | what | here | elsewhere |
 * |---|---|---|
 * | one test flips, its neighbour holds; the other way round | `caps`, `another-caught-it`, `control-moved` | |
 * | sources dated 2020, or as old as the build; a restored file with an old time | every one: see `OLD_TIMES` | lane/cargo/builds |
 * | no type; a lint under `deny(warnings)`, with and without a cap | `no-type`, `only-a-lint`, `under-a-cap` | lane/cargo/failed-builds |
 * | `process::exit(0)`, stack overflow, and who is to blame | `exits-with-0`, `overflows` | lane/cargo/run |
 * | a hang is named, nothing is left; a process that a test leaves | `hangs`, `leaves-a-process` | lane/cargo/run, process |
 * | `delta` is not `delta_max`; the same name in two executables | `one-name-in-another`, `of-two-alike` | lane/cargo/arguments |
 * | unknown, ignored, red before, `should_panic` | `misspelt`, `ignored`, `red-before`, `should-panic` | |
 * | verdicts and totals that tests print, bytes that are no text | `t::forges`, `t::caps` in every run | lane/cargo/run |
 * | a red executable does not keep the next one from running | `caps` with a control in it | |
 * | no change of code; no anchor, two of them | `only-space`, `fits-twice`, `fits-nowhere` | mutation/*, spec/* |
 * | a liveness mutation that flips nothing | `idle`, `nobody-here-looks` | proof/judge/* |
 * | nothing selected, nothing graded, a created lock file | below | exit-codes |
 * | a target that needs a feature is no target left out | `needs-a-feature` | lane/cargo/failed-builds |
 * | cfg, feature, orphan, unrelated package | | cargo-builds |
 * | path dependency, `include_str!`, a file read at run time | | cargo-builds |
 * | kill -9, Ctrl-C, two runs, two worktrees | | cargo-killed |
 * | odd crates: macros, links, own folders of tests, odd environments | | cargo-odd |
 */
import { readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { fixture } from '../support/fixtures.js';
import { processesOf } from '../support/processes.js';
import {
  counterproof,
  createProject,
  prove,
  verdicts,
  type Files,
  type Proven,
} from '../support/project.js';
import { swap } from '../support/specs.js';

const LIB = 'src/lib.rs';
const CAPS = ['x > 10', 'x > 99'] as const;
const ENDING = { within: 'pub fn ending' };
const SECOND = { within: 'pub fn second' };

const UNIT: readonly MutationInput[] = [
  swap('alive', LIB, ['    x\n', '    x + 1\n'], { role: 'liveness', ...ENDING }),

  swap('caps', LIB, CAPS, { flips: ['t::caps'], controls: ['t::passes', 'clamp::a same'] }),
  swap('another-caught-it', LIB, CAPS, { flips: ['t::passes'] }),
  swap('control-moved', LIB, CAPS, { flips: 'none', controls: ['t::caps'] }),

  swap('no-type', LIB, ['x / 2', '"x"'], { flips: ['t::delta::x_delta'] }),
  swap('only-a-lint', LIB, ['x * 2', 'let unused = 1;\n    x * 3'], { flips: ['t::delta::delta'] }),

  swap('exits-with-0', LIB, ['    x\n', '    std::process::exit(x as i32 - 1)\n'], {
    ...ENDING,
    flips: [{ test: 't::ends', to: ['crashed'] }],
    controls: ['t::delta', 'clamp::b'],
  }),
  swap('overflows', LIB, ['n - 1)', 'n + 1)'], { flips: ['t::goes_down'] }),
  swap('hangs', LIB, ['n -= 1', 'n -= 0'], { flips: ['t::loops'] }),
  swap('leaves-a-process', LIB, ['"true"', '"setsid sleep 999 &"'], {
    flips: ['t::starts_another'],
  }),

  swap('one-name-in-another', LIB, ['x * 2', 'x * 3'], { flips: ['t::delta::delta'] }),
  swap('of-two-alike', LIB, ['"same"', '"other"'], {
    ...SECOND,
    flips: ['clamp::b same'],
    controls: ['clamp::a same'],
  }),
  swap('should-panic', LIB, ['assert!(x > 0, "not positive");', 'let _ = x;'], {
    flips: ['t::refuses'],
  }),
  swap('misspelt', LIB, CAPS, { flips: ['t::cap'] }),
  swap('ignored', LIB, CAPS, { flips: ['t::net'] }),
  swap('red-before', LIB, CAPS, { flips: ['t::red'] }),

  swap('only-space', LIB, ['x / 2\n', 'x / 2 \n'], { flips: ['t::delta::x_delta'] }),
  swap('fits-twice', LIB, ['"same"', '"other"'], { flips: ['clamp::b same'] }),
  swap('fits-nowhere', LIB, ['x % 2', 'x % 3'], { flips: ['t::caps'] }),
];

const CAPPED: readonly MutationInput[] = [
  swap('under-a-cap', LIB, ['"same"', 'let unused = 1;\n    "other"'], {
    ...SECOND,
    flips: ['clamp::b same'],
  }),
];

const QUIET: readonly MutationInput[] = [
  swap('idle', LIB, ['x / 2', 'x / 2 + 0'], { role: 'liveness' }),
  swap('nobody-here-looks', LIB, ['x * 2', 'x * 3'], { flips: ['clamp::a same'] }),
];

const NEEDY: readonly MutationInput[] = [
  swap('needs-a-feature', LIB, CAPS, { flips: ['clamp::needy with_the_feature'] }),
];

const PYTHON: readonly MutationInput[] = [
  swap('in-python', 'calc.py', ['a + b', 'a - b'], { flips: ['test_calc.py::test_add'] }),
];

const VERDICTS = {
  alive: 'pinned',
  caps: 'pinned',
  'another-caught-it': 'caught-elsewhere',
  'control-moved': 'control-moved',
  'no-type': 'broken',
  'only-a-lint': 'broken',
  'exits-with-0': 'pinned',
  overflows: 'moved-otherwise',
  hangs: 'timeout',
  'leaves-a-process': 'survived',
  'one-name-in-another': 'pinned',
  'of-two-alike': 'pinned',
  'should-panic': 'pinned',
  misspelt: 'not-selected',
  ignored: 'baseline-red',
  'red-before': 'baseline-red',
  'only-space': 'survived',
  'fits-twice': 'not-applied',
  'fits-nowhere': 'not-applied',
  'under-a-cap': 'pinned',
  idle: 'dead-lane',
  'nobody-here-looks': 'dead-lane',
  'needs-a-feature': 'broken',
  'in-python': 'pinned',
};

/**
 * Runs after every write, before the build: the source gets the very time of the last build, or
 * lies in 2020 where there was none. Cargo alone would build no mutant, and no original after it.
 */
const OLD_TIMES = `cd "$1" && built=$(ls -t "$CARGO_TARGET_DIR"/debug/.fingerprint/clamp-*/dep-test-lib-clamp 2>/dev/null | head -n 1)
if [ -n "$built" ]; then touch -r "$built" src/lib.rs; else touch -d 2020-01-01 src/lib.rs; fi
echo touched >> "$TOUCHED"
`;

const one = (mutations: readonly MutationInput[], lane: string): string =>
  JSON.stringify({ version: 1, lane, mutations });

const cargo = { runner: 'cargo' };

const FILES: Files = {
  ...fixture('cargo/clamp'),
  '.gitignore': 'target/\n__pycache__/\n',
  'old-times.sh': OLD_TIMES,
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'test_calc.py': 'from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n',
  'counterproof.yaml': JSON.stringify({
    version: 1,
    lanes: {
      unit: {
        ...cargo,
        targets: ['lib', 'test:a', 'test:b'],
        limits: { test: '5s' },
        build: ['sh', 'old-times.sh', '.'],
      },
      capped: { ...cargo, targets: 'test:b', capLints: 'warn' },
      quiet: { ...cargo, targets: 'test:a' },
      needy: { ...cargo, targets: 'test:needy' },
      py: { runner: 'pytest' },
    },
  }),
  'mutations/1.yaml': one(UNIT, 'unit'),
  'mutations/2.yaml': one(CAPPED, 'capped'),
  'mutations/3.yaml': one(QUIET, 'quiet'),
  'mutations/4.yaml': one(NEEDY, 'needy'),
  'mutations/5.yaml': one(PYTHON, 'py'),
};

/** The facts of one proof, which a report shows under its verdict. */
const factsOf = (run: Proven, id: string): string => run.proof(id).facts.join('\n');

const alsoOf = (run: Proven, id: string): readonly string[] =>
  run.proof(id).flips.also.map(({ test }) => test);

const stepOf = (run: Proven, id: string, name: string) =>
  run.proof(id).steps.find(({ step }) => step === name);

it('gives every edit its verdict, and none by an exit code or by what a test prints', async () => {
  const project = createProject(FILES);
  for (const file of Object.keys(FILES).filter((name) => name.endsWith('.rs')))
    utimesSync(join(project.folder, file), 1_577_836_800, 1_577_836_800);
  const before = project.snapshot();
  const env = { TOUCHED: join(dirname(project.folder), 'touched') };

  const run = await prove(project, ['run'], { env });

  expect(verdicts(run)).toEqual(VERDICTS);
  expect(run.exitCode).toBe(1);
  expect(run.record.summary).toMatchObject({ declared: 24, graded: 13 });
  expect(run.record.lanes.map(({ name, runner }) => `${name} ${runner}`)).toEqual([
    ...['unit', 'capped', 'quiet', 'needy'].map((name) => `${name} cargo`),
    'py pytest',
  ]);
  const [unit] = run.record.lanes;
  expect(unit).toMatchObject({
    baseline: { counts: { passed: 13, failed: 1, skipped: 1 } },
    closing: { equal: true },
  });

  // Who flipped, who did not.
  expect(run.proof('caps')).toMatchObject({
    flips: { expected: [{ test: 'clamp t::caps', to: 'failed', restored: 'passed' }], also: [] },
    controls: [{ held: true }, { held: true }],
    loaded: { proof: 'rebuilt' },
  });
  expect(run.proof('another-caught-it').reason).toContain('clamp t::caps');
  expect(alsoOf(run, 'one-name-in-another')).toEqual(['clamp t::delta::delta_max']);
  expect(run.proof('of-two-alike')).toMatchObject({
    flips: { expected: [{ test: 'clamp::b same' }], also: [] },
    controls: [{ selector: 'clamp::a same', held: true }],
  });

  // What keeps a mutant from being measured.
  expect(factsOf(run, 'no-type')).toMatch(/^src\/lib\.rs:16: E0308: mismatched types$/);
  expect(factsOf(run, 'only-a-lint')).toMatch(/^src\/lib\.rs:12: unused_variables: .*`unused`$/);
  expect(run.proof('hangs').reason).toContain('clamp t::loops');
  expect(run.proof('needs-a-feature').reason).toMatch(/needy.*requires the features: `extra`/);
  expect(factsOf(run, 'misspelt')).toContain('clamp t::caps');
  expect(factsOf(run, 'ignored')).toContain('needs a net');
  expect(factsOf(run, 'fits-twice')).toContain('src/lib.rs:48, 52');
  for (const id of ['misspelt', 'ignored', 'red-before', 'fits-twice', 'fits-nowhere'])
    expect(run.proof(id).steps.map(({ step }) => step)).toEqual(['baseline']);

  // A test that takes the process with it is one test.
  expect(run.proof('exits-with-0').flips.expected).toMatchObject([
    { test: 'clamp t::ends', to: 'crashed', message: 'the process ended: exit 0, no result' },
  ]);
  expect(alsoOf(run, 'overflows')).toEqual(['clamp t::goes_down']);
  expect(factsOf(run, 'overflows')).toContain('SIGABRT (stack overflow)');
  for (const id of ['exits-with-0', 'overflows'])
    expect(stepOf(run, id, 'mutated')?.complete).toBe(true);

  expect(run.proof('leaves-a-process').reach).toMatchObject({ state: 'reached' });
  expect(stepOf(run, 'leaves-a-process', 'mutated')?.notes.join('\n')).toMatch(
    /a process was left over and killed: sleep 999/,
  );
  for (const id of ['only-space', 'idle'])
    expect(factsOf(run, id)).toContain('No test executable changed');

  // As it was found: cargo's lock file, which is said, is gone.
  expect(processesOf(project)).toEqual([]);
  expect(project.snapshot()).toEqual(before);
  expect(unit?.notes.join('\n')).toContain('cargo wrote Cargo.lock, which was not there before');
  for (const { files } of run.record.proofs)
    for (const { baseline, restored } of files) expect(restored).toBe(baseline);
  expect(readFileSync(env.TOUCHED, 'utf8').length).toBeGreaterThan(20);

  // What is left of a run says whether it proved anything.
  for (const [id, exitCode] of [
    ['under-a-cap', 0],
    ['needs-a-feature', 3],
    ['nothing-at-all', 5],
  ] as const)
    expect(await counterproof(project, ['run', '--only', id], { env })).toMatchObject({ exitCode });
});
