/** Records that `prove` leaves. */
import type {
  ChangeRecord,
  FixTestRecord,
  MoveRecord,
  ProofRecord,
  ProveRecord,
  RunRecord,
} from '../../src/record/schema.js';
import { lane, move, proof, record, step } from './records.js';

const change = (rest: Partial<ChangeRecord>): ChangeRecord => ({
  id: '1',
  file: 'src/stream.py',
  line: 14,
  lines: { added: 7, removed: 1 },
  scope: 'Stream.pump',
  class: 'source',
  why: 'code',
  status: 'held',
  joined: [],
  joinedBy: null,
  names: [],
  proof: 'hunk-1',
  heldBy: ['tests/test_stream.py::test_abort_every_choice'],
  reason: null,
  ...rest,
});

const fixTest = (rest: Partial<FixTestRecord>): FixTestRecord => ({
  test: 'tests/test_stream.py::test_abort_every_choice',
  kind: 'new',
  withoutFix: 'failed',
  message: 'AssertionError: assert 1 == 3',
  proof: 'whole',
  rows: [],
  ...rest,
});

const prove = (rest: Partial<ProveRecord> = {}): ProveRecord => ({
  range: {
    text: 'main..HEAD',
    from: '5b8122b0',
    to: '9f4d1c22',
    commits: 2,
    subject: 'fix: abort every choice',
    notes: [],
    tested: 'HEAD',
  },
  arms: null,
  overall: 'partly-held',
  reason: 'The tests hold hunk 1. Nothing notices when hunk 2 is gone.',
  vacuous: [],
  whole: {
    proof: 'whole',
    state: 'held',
    heldBy: [
      'tests/test_stream.py::test_abort_every_choice',
      'tests/test_stream.py::test_abort_rows[2]',
    ],
    reason: null,
  },
  changes: [
    change({}),
    change({
      id: '2',
      line: 52,
      lines: { added: 3, removed: 0 },
      scope: 'Stream.close',
      status: 'unheld',
      proof: 'hunk-2',
      heldBy: [],
    }),
    change({
      id: 't1',
      class: 'test',
      file: 'tests/test_stream.py',
      why: 'named like test_*.py',
      status: 'stays',
      proof: null,
      heldBy: [],
      scope: null,
    }),
    change({
      id: 'o1',
      class: 'other',
      file: 'docs/stream.md',
      why: 'documentation in docs/',
      status: 'stays',
      proof: null,
      heldBy: [],
      scope: null,
    }),
  ],
  files: [],
  support: null,
  tests: [
    fixTest({}),
    fixTest({
      test: 'tests/test_stream.py::test_abort_rows',
      kind: 'changed',
      rows: [
        { row: '[1]', withoutFix: 'passed', message: null },
        { row: '[2]', withoutFix: 'failed', message: 'assert 1 == 2' },
      ],
    }),
    fixTest({
      test: 'tests/test_stream.py::test_close_is_quiet',
      withoutFix: 'passed',
      message: null,
    }),
  ],
  ...rest,
});

const flips = (...tests: readonly string[]) => ({
  declared: 0,
  expected: tests.map((test) => move(test)),
  missing: [],
  also: [],
});

const whole = proof('pinned', {
  id: 'whole',
  spec: null,
  why: null,
  flips: flips(
    'tests/test_stream.py::test_abort_every_choice',
    'tests/test_stream.py::test_abort_rows[2]',
  ),
});
const second = proof('survived', {
  id: 'hunk-2',
  spec: null,
  why: null,
  reason: '21 tests ran, none moved.',
  edits: [{ path: 'src/stream.py', line: 52, scope: 'Stream.close' }],
  reach: { state: 'unreached', by: [], noticed: [], why: null },
  steps: [step('mutated', { counts: { passed: 21 } })],
});

const asProve = (
  proofs: Parameters<typeof record>[0],
  answer: ProveRecord,
  rest: Partial<RunRecord> = {},
): RunRecord =>
  record(proofs, {
    command: ['counterproof', 'prove'],
    lanes: [
      lane({ command: ['.venv/bin/python', '-m', 'pytest', 'tests/test_stream.py'], select: null }),
    ],
    prove: answer,
    exitCode: 1,
    ...rest,
  });

const provePartly = asProve(
  [
    whole,
    proof('pinned', {
      id: 'hunk-1',
      spec: null,
      flips: flips('tests/test_stream.py::test_abort_every_choice'),
    }),
    second,
  ],
  prove(),
);

const proveJoined = asProve(
  [
    proof('broken', { id: 'whole', spec: null, why: null, reason: 'The mutant cannot be loaded.' }),
    proof('pinned', {
      id: 'hunks-1+2',
      spec: null,
      flips: flips('tests/test_stream.py::test_old'),
    }),
    proof('pinned', {
      id: 'hunks-4+5',
      spec: null,
      flips: flips('tests/test_stream.py::test_old'),
    }),
  ],
  prove({
    overall: 'not-measurable',
    reason: 'The tests hold hunks 1, 2, 4 and 5. There is no evidence about hunk 3.',
    range: {
      text: 'HEAD~3',
      from: '5b8122b0',
      to: '9f4d1c22',
      commits: 1,
      subject: null,
      notes: ['HEAD~3 is a merge: taken against its first parent 5b8122b'],
      tested: 'HEAD + 2 uncommitted files',
    },
    whole: {
      proof: 'whole',
      state: 'not-measurable',
      heldBy: [],
      reason: 'the tests use `fresh` by name, so without it they fail whatever it does',
    },
    changes: [
      change({
        joined: ['2'],
        joinedBy: 'name',
        names: ['clean'],
        proof: 'hunks-1+2',
        heldBy: ['tests/test_stream.py::test_old'],
      }),
      change({ id: '2', line: 20, proof: 'hunks-1+2', heldBy: ['tests/test_stream.py::test_old'] }),
      change({
        id: '3',
        line: 30,
        file: 'src/other.py',
        status: 'not-measurable',
        proof: null,
        heldBy: [],
        reason: 'the tests use `fresh` by name, so without it they fail whatever it does',
      }),
      change({
        id: '4',
        line: 40,
        file: 'src/other.py',
        joined: ['5'],
        joinedBy: 'redundant',
        proof: 'hunks-4+5',
        heldBy: ['tests/test_stream.py::test_old'],
      }),
      change({
        id: '5',
        line: 50,
        file: 'src/other.py',
        joined: ['4'],
        joinedBy: 'redundant',
        proof: 'hunks-4+5',
        heldBy: ['tests/test_stream.py::test_old'],
      }),
      change({
        id: '6',
        line: 60,
        file: 'src/other.py',
        status: 'together',
        joined: ['5'],
        joinedBy: 'name',
        names: ['x'],
        proof: null,
        heldBy: [],
      }),
    ],
    files: [{ file: 'src/other.py', proof: 'hunks-4+5' }],
    tests: [
      fixTest({ withoutFix: 'broken', message: "ImportError: cannot import name 'fresh'" }),
      fixTest({ test: 'tests/test_stream.py::test_hang', withoutFix: 'timeout', message: null }),
      fixTest({
        test: 'tests/test_stream.py::test_fixture',
        withoutFix: 'error',
        message: 'RuntimeError: no engine',
      }),
      fixTest({ test: 'tests/test_stream.py::test_crash', withoutFix: 'crashed', message: null }),
      fixTest({ test: 'tests/test_stream.py::test_flaky', withoutFix: 'flaky', message: null }),
      fixTest({
        test: 'tests/test_stream.py::test_out',
        withoutFix: 'not-run',
        message: 'the lane does not select it',
      }),
    ],
  }),
  { exitCode: 3 },
);

const proveNothing = asProve(
  [],
  prove({
    overall: 'nothing-to-prove',
    reason: 'The range changes tests, and no source that they could hold.',
    whole: null,
    changes: prove().changes.slice(2),
    tests: [
      fixTest({ withoutFix: 'not-run', message: 'the fix could not be taken back', proof: null }),
    ],
  }),
  { exitCode: 5, lanes: [] },
);

/** A new name that most of many new tests use, and an old test that others notice before them. */
const curve = (name: string): string =>
  `tests/test_algorithms.py::TestCurveValidation::test_curve_validation_${name}`;
const REJECTED = Array.from({ length: 13 }, (_, index) =>
  curve(`rejects_the_wrong_curve_for_es_${index}`),
);
const anyAlgorithm = (part: string): string =>
  `tests/integration/test_${part}_part.py::TestAlgorithms::test_any_algorithm_by_its_name`;
const OLD = 'tests/test_old.py::test_old';
const MISSING = "ImportError: cannot import name 'Curve' from 'algorithms'";
const byName = (held: readonly string[], ...tests: readonly string[]): ProofRecord['flips'] => {
  const found = flips(...held, ...tests);
  const said = (one: MoveRecord): MoveRecord =>
    tests.includes(one.test) ? { ...one, message: MISSING } : one;
  return { ...found, expected: found.expected.map(said), also: found.also.map(said) };
};

const proveByName = asProve(
  [
    { ...whole, flips: byName(REJECTED.slice(0, 1), ...REJECTED.slice(1), OLD) },
    proof('pinned', { id: 'hunk-1', spec: null, flips: flips(OLD, ...REJECTED.slice(0, 2)) }),
    // The code swallows that it misses a name, so that a test says something else.
    proof('pinned', {
      id: 'hunk-2',
      spec: null,
      flips: byName([OLD, ...REJECTED.slice(1, 2)], ...REJECTED.slice(0, 1)),
    }),
  ],
  prove({
    overall: 'held',
    reason: 'The tests hold both hunks. But 2 new tests pass without it.',
    vacuous: ['first', 'second'].map(anyAlgorithm),
    whole: { proof: 'whole', state: 'held', heldBy: REJECTED.slice(0, 1), reason: null },
    changes: [
      change({ heldBy: [OLD, curve('a'), curve('b'), curve('c'), ...REJECTED.slice(0, 2)] }),
      change({ id: '2', line: 52, proof: 'hunk-2', heldBy: [OLD] }),
    ],
    tests: [
      ...REJECTED.map((test) => fixTest({ test })),
      ...['first', 'second'].map((part) =>
        fixTest({
          test: anyAlgorithm(part),
          withoutFix: 'passed',
          message: null,
        }),
      ),
    ],
  }),
);

/** The same with `--allow-unheld`. */
const proveAllowed: RunRecord = {
  ...proveByName,
  command: ['counterproof', 'prove', '--allow-unheld'],
  exitCode: 0,
};

/** Ctrl-C when all that counts was known. */
const proveCutShort: RunRecord = {
  ...proveByName,
  complete: false,
  stopped: 'interrupted by SIGINT',
  exitCode: 130,
};

/** Ctrl-C after the first run. */
const proveInterrupted = asProve(
  [whole],
  prove({
    overall: 'not-measurable',
    reason: 'The tests hold the fix as a whole. There is no evidence about hunks 1 and 2.',
    changes: ['1', '2'].map((id) =>
      change({
        id,
        status: 'not-measurable',
        proof: null,
        heldBy: [],
        reason: 'the run ended early: interrupted by SIGINT',
      }),
    ),
  }),
  {
    command: ['counterproof', 'prove', 'HEAD', '-x', '--report', 'terminal', '--', '-x'],
    complete: false,
    stopped: 'interrupted by SIGINT',
    exitCode: 130,
  },
);

const proveUnheld = asProve(
  [
    proof('survived', {
      ...second,
      id: 'whole',
      reach: { state: 'reached', by: [OLD, 'tests/test_a.py::test_a'], noticed: [], why: null },
    }),
  ],
  prove({
    overall: 'unheld',
    reason: 'No test fails without the fix.',
    whole: { proof: 'whole', state: 'unheld', heldBy: [], reason: '21 tests ran, none moved.' },
    changes: ['1', '2'].map((id) =>
      change({ id, status: 'skipped', proof: 'whole', heldBy: [], line: 10 * Number(id) }),
    ),
    tests: [fixTest({ withoutFix: 'passed', message: null })],
  }),
);

const NASTY = 'tests/`x|y`.py::test_\u001b[31m\u202e<b>@name';

const proveHostile = asProve(
  [
    { ...whole, flips: flips(NASTY) },
    { ...second, reach: { state: 'reached', by: [NASTY], noticed: [], why: null } },
  ],
  prove({
    range: { ...prove().range, subject: `fix: \u001b[31m${'long '.repeat(60)}`, text: 'a|b..`c`' },
    whole: { proof: 'whole', state: 'held', heldBy: [NASTY], reason: null },
    changes: [
      change({
        file: `src/${'deep/'.repeat(30)}\u202e.py`,
        heldBy: [NASTY],
        scope: 'S'.repeat(90),
      }),
      change({ id: '2', file: 'src/a|b.py', status: 'unheld', proof: 'hunk-2', heldBy: [] }),
    ],
    tests: [fixTest({ test: NASTY, message: '\u001b[1m| `a` <img>\n@team' })],
  }),
);

export const PROVE_RECORDS: { readonly [name: string]: RunRecord } = {
  'prove-partly': provePartly,
  'prove-joined': proveJoined,
  'prove-nothing': proveNothing,
  'prove-by-name': proveByName,
  'prove-allowed': proveAllowed,
  'prove-cut-short': proveCutShort,
  'prove-interrupted': proveInterrupted,
  'prove-unheld': proveUnheld,
  'prove-hostile': proveHostile,
};
