/** Records as a run leaves them, one for each thing that a reader may meet. */
import { createHash } from 'node:crypto';
import type { VerdictCode } from '../../src/proof/verdict.js';
import { GROUP_OF } from '../../src/proof/verdict.js';
import type {
  LaneRecord,
  MoveRecord,
  ProofRecord,
  RunRecord,
  StepRecord,
} from '../../src/record/schema.js';

export function sum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function move(test: string, rest: Partial<MoveRecord> = {}): MoveRecord {
  return {
    test,
    from: 'passed',
    to: 'failed',
    phase: 'call',
    at: 'tests/test_routes.py:88',
    message: "AssertionError: assert '/pause' == '/pause_generation'",
    restored: 'passed',
    ...rest,
  };
}

export function step(name: StepRecord['step'], rest: Partial<StepRecord> = {}): StepRecord {
  return {
    step: name,
    scope: 'lane',
    counts: { passed: 681, skipped: 2 },
    exit: { code: 0, signal: null },
    durationMs: 2900,
    complete: true,
    ending: 'complete',
    log: null,
    notes: [],
    ...rest,
  };
}

export function lane(rest: Partial<LaneRecord> = {}): LaneRecord {
  return {
    name: 'unit',
    runner: 'pytest',
    command: ['pytest', '-m', 'pre_merge and gpu_0'],
    from: 'pyproject.toml',
    tool: '.venv/bin/python',
    versions: { python: '3.12.3', pytest: '9.0.3' },
    select: 'pre_merge and gpu_0',
    probes: [],
    collected: 763,
    selected: 683,
    deselected: 80,
    files: [{ file: 'tests/test_routes.py', collected: 15, selected: 15 }],
    preExisting: [],
    collectionErrors: [],
    quarantined: [],
    baseline: {
      counts: { passed: 681, skipped: 2 },
      durationMs: 12_400,
      complete: true,
      ending: 'complete',
    },
    closing: null,
    alive: { by: 'alive', flipped: 'tests/test_routes.py::test_post' },
    notes: [],
    ...rest,
  };
}

const PATCH = `--- a/src/routes.py
+++ b/src/routes.py
@@ -40,3 +40,3 @@
     def pause(self, mode):
-        return self.post("/pause_generation", mode)
+        return self.post("/pause", mode)
`;

export function proof(verdict: VerdictCode, rest: Partial<ProofRecord> = {}): ProofRecord {
  return {
    id: 'rename-pause-route',
    spec: 'mutations/routes.yaml',
    why: 'The route name is the contract with the engine.',
    lane: 'unit',
    role: 'mutation',
    pulledIn: false,
    verdict,
    group: GROUP_OF[verdict],
    reason: '1 test notices, 682 did not move.',
    facts: [],
    next: [],
    accepted: null,
    patch: PATCH,
    edits: [{ path: 'src/routes.py', line: 41, scope: 'EngineClient.pause' }],
    files: [
      {
        path: 'src/routes.py',
        baseline: sum('routes'),
        mutated: sum('routes mutated'),
        restored: sum('routes'),
      },
    ],
    probes: [],
    steps: [
      step('mutated', {
        counts: { passed: 680, failed: 1, skipped: 2 },
        exit: { code: 1, signal: null },
      }),
      step('restored', { scope: 1, counts: { passed: 1 }, durationMs: 300 }),
    ],
    flips: { declared: 1, expected: [], missing: [], also: [] },
    controls: [],
    around: [],
    still: { held: 682, total: 682 },
    loaded: { proof: 'compiled', from: 'test process' },
    reach: null,
    values: [],
    kept: [],
    durationMs: 3200,
    ...rest,
  };
}

export function record(
  proofs: readonly ProofRecord[],
  rest: Partial<Omit<RunRecord, 'proofs'>> = {},
): RunRecord {
  const counted = proofs.filter((each) => !each.pulledIn);
  const count = (test: (each: ProofRecord) => boolean): number => counted.filter(test).length;
  const refuted = count((each) => each.group === 'refuted' && each.accepted === null);
  const accepted = count((each) => each.group === 'refuted' && each.accepted !== null);
  const pinned = count((each) => each.group === 'proven');
  const noEvidence = count((each) => each.group === 'no-evidence');
  const notRestored = count((each) => each.group === 'critical');
  return {
    schemaVersion: 1,
    tool: { name: 'counterproof', version: '0.1.0' },
    command: ['counterproof', 'run'],
    startedAt: '2026-11-30T01:36:12.000Z',
    durationMs: 15_600,
    complete: true,
    stopped: null,
    project: { root: '.', commit: '5b8122b0', tree: '9f4d1c22', dirty: [] },
    environment: {
      os: 'Linux 6.1.0',
      arch: 'x64',
      cpus: 2,
      node: '20.20.2',
      isolation: 'in place',
      jobs: 1,
      seeds: { PYTHONHASHSEED: '0' },
      runners: { python: '3.12.3', pytest: '9.0.3' },
      variables: { CI: 'true', PYTHONPATH: '(set)' },
    },
    selection: { declared: counted.map((each) => each.id), shard: null },
    lanes: [lane()],
    proofs: [...proofs],
    summary: {
      declared: counted.length,
      graded: refuted + accepted + pinned,
      pinned,
      refuted,
      noEvidence,
      accepted,
      notRestored,
    },
    exitCode:
      notRestored > 0 ? 4 : refuted > 0 ? 1 : noEvidence > 0 ? 3 : counted.length === 0 ? 5 : 0,
    notVerified: ['80 deselected tests', 'a closing run of the lane (--verify full)'],
    ...rest,
  };
}

const PAUSE = 'tests/test_routes.py::test_pause_uses_native_route';

export const pinnedProof = proof('pinned', {
  flips: { declared: 1, expected: [move(PAUSE)], missing: [], also: [] },
  controls: [
    {
      selector: 'tests/test_logprobs.py',
      lane: 'unit',
      held: true,
      total: 40,
      moved: [],
      counts: {
        baseline: { passed: 39, skipped: 1 },
        mutated: { passed: 39, skipped: 1 },
        restored: { passed: 39, skipped: 1 },
      },
    },
  ],
  around: [
    {
      group: 'tests/test_routes.py',
      held: 14,
      moved: 1,
      counts: {
        baseline: { passed: 15 },
        mutated: { passed: 14, failed: 1 },
        restored: { passed: 1 },
      },
    },
  ],
});

const DECODE = [
  'test_stream_yields_every_token',
  'test_stream_stops_on_finish',
  'test_stream_keeps_order',
  'test_stream_reports_usage',
  'test_stream_ends_on_eos',
  'test_stream_ends_on_length',
  'test_stream_ends_on_stop',
  'test_stream_is_empty',
].map((name) => `tests/test_decode_handler.py::${name}`);

export const survivedProof = proof('survived', {
  id: 'strip-request-ids',
  spec: 'mutations/cancel.yaml',
  why: null,
  reason: '111 tests ran, none moved.',
  next: [
    'assert in one of these tests what the edit takes away, and run it again',
    'or, if the gap is known, put this into the spec:',
    '  accept: { verdict: survived, because: "…" }',
  ],
  patch: `--- a/src/decode_handler.py
+++ b/src/decode_handler.py
@@ -792 +792 @@
-    async with self._monitor(future, context, request_ids):
+    async with self._monitor(future, context):
`,
  edits: [{ path: 'src/decode_handler.py', line: 792, scope: '_process_token_stream' }],
  files: [
    {
      path: 'src/decode_handler.py',
      baseline: sum('decode'),
      mutated: sum('decode mutated'),
      restored: sum('decode'),
    },
  ],
  steps: [
    step('mutated', { counts: { passed: 111 }, durationMs: 2200 }),
    step('restored', { scope: 0, counts: {}, durationMs: 0 }),
    step('reach', { counts: { passed: 103, failed: 8 }, exit: { code: 1, signal: null } }),
  ],
  flips: { declared: 1, expected: [], missing: [DECODE[0] ?? ''], also: [] },
  still: { held: 110, total: 110 },
  loaded: { proof: 'compiled', from: 'test process' },
  reach: { state: 'reached', by: DECODE, noticed: DECODE, why: null },
  durationMs: 2200,
});

export const unreachedProof = proof('survived', {
  ...survivedProof,
  id: 'dead-branch',
  reach: { state: 'unreached', by: [], noticed: [], why: null },
  next: ['write a test that gets to src/decode_handler.py:792'],
});

export const notLoadedProof = proof('not-loaded', {
  id: 'half-up',
  spec: null,
  reason: 'No verdict: these tests do not import the file you edit.',
  facts: [
    'you edit src/calc/money.py, ba1a531f581d2e60',
    'imported .venv/lib/python3.11/site-packages/calc/money.py, 77c04be19a3fd512',
    'an installed copy; whatever passed says nothing about src/',
  ],
  next: [
    'install the project in place, then try again:',
    '  .venv/bin/python -m pip install -e .',
    'or, just this once, let pytest look into src/ first:',
    '  counterproof try src/calc/money.py:12 … -- -o pythonpath=src',
  ],
  patch: null,
  edits: [{ path: 'src/calc/money.py', line: 12, scope: null }],
  files: [],
  steps: [],
  still: null,
  loaded: { proof: 'none', from: null },
  durationMs: 0,
});

export const partialProof = proof('partial', {
  id: 'early-return',
  reason: '1 of 2 expected tests flipped.',
  flips: {
    declared: 2,
    expected: [move('tests/test_strip.py::TestStrip::test_tail')],
    missing: ['tests/test_strip.py::TestStrip::test_list_stop'],
    also: [
      move('tests/test_strip.py::TestStrip::test_setup', {
        to: 'error',
        phase: 'setup',
        at: null,
        message: 'fixture failed',
      }),
    ],
  },
  around: [
    {
      group: 'TestStrip',
      held: 28,
      moved: 2,
      counts: {
        baseline: { passed: 30 },
        mutated: { passed: 28, failed: 1, error: 1 },
        restored: null,
      },
    },
  ],
  still: { held: 680, total: 681 },
  next: ['take test_list_stop out of flips, or make it assert the stop list'],
});

export const controlMovedProof = proof('control-moved', {
  id: 'share-sampler',
  reason: 'A declared control moved: 1 of 40 in tests/test_logprobs.py.',
  flips: { declared: 1, expected: [move(PAUSE)], missing: [], also: [] },
  controls: [
    {
      selector: 'tests/test_logprobs.py',
      lane: 'gpu',
      held: false,
      total: 40,
      moved: [
        move('tests/test_logprobs.py::test_top_k', {
          to: 'skipped',
          at: null,
          message: 'needs a sampler',
        }),
      ],
      counts: {
        baseline: { passed: 39, skipped: 1 },
        mutated: { passed: 38, skipped: 2 },
        restored: { passed: 39, skipped: 1 },
      },
    },
  ],
  still: { held: 681, total: 682 },
});

export const acceptedProof = proof('survived', {
  ...survivedProof,
  id: 'apply-missing-commit',
  accepted: { because: 'no unit test pins the abort path yet', until: '2027-01-31' },
  next: [],
});

export const brokenProof = proof('broken', {
  id: 'drop-colon',
  reason: 'src/routes.py does not compile with the edit.',
  facts: ['src/routes.py:41 SyntaxError: expected ":"'],
  next: ['correct the edit: a mutant that does not compile shows nothing about the tests'],
  steps: [],
  files: [
    { path: 'src/routes.py', baseline: sum('routes'), mutated: null, restored: sum('routes') },
  ],
  still: null,
  loaded: { proof: 'none', from: null },
});

export const timeoutProof = proof('timeout', {
  id: 'never-ends',
  reason: 'The mutated step did not end within 60s.',
  facts: ['running: tests/test_stream.py::test_close'],
  next: ['raise limits.step of the lane if 60s is too little'],
  steps: [
    step('mutated', {
      counts: { passed: 400 },
      complete: false,
      ending: 'step limit of 60s reached',
      exit: { code: null, signal: 'SIGKILL' },
      durationMs: 60_000,
      notes: ['1 process outlived the step and was killed'],
    }),
    step('restored', { scope: 0, counts: {}, durationMs: 0 }),
  ],
  still: null,
  loaded: { proof: 'compiled', from: 'test process' },
});

export const notRestoredProof = proof('not-restored', {
  id: 'disk-full',
  reason: 'src/routes.py could not be put back: no space left on device.',
  facts: ['its original is in .counterproof/journal/1/original'],
  next: ['make room, then: counterproof recover'],
  files: [
    {
      path: 'src/routes.py',
      baseline: sum('routes'),
      mutated: sum('routes mutated'),
      restored: sum('routes mutated'),
    },
  ],
  kept: [{ path: 'src/routes.py', keptAs: '.counterproof/kept/routes.py.1' }],
  still: null,
});

export const flakyProof = proof('flaky', {
  id: 'jitter',
  reason: 'test_pause_uses_native_route disagrees with itself between equal runs.',
  facts: ['mutated run 1: failed; mutated run 2: passed'],
  next: ['steady the test, or put it into quarantine'],
  flips: { declared: 1, expected: [move(PAUSE)], missing: [], also: [] },
});

/** 24 mutations as in a nightly sweep: 20 pinned, one of each other face, one liveness pulled in. */
export const many: RunRecord = record(
  [
    proof('pinned', {
      id: 'alive',
      role: 'liveness',
      pulledIn: true,
      flips: {
        declared: 0,
        expected: [],
        missing: [],
        also: [move('tests/test_routes.py::test_post')],
      },
      still: null,
    }),
    { ...pinnedProof, durationMs: 2900 },
    {
      ...pinnedProof,
      id: 'early-return-strip',
      flips: {
        declared: 1,
        expected: [move('tests/test_strip.py::TestStrip::test_tail')],
        missing: [],
        also: [move('tests/test_strip.py::TestStrip::test_list_stop')],
      },
      around: partialProof.around,
      still: { held: 681, total: 682 },
    },
    ...Array.from({ length: 18 }, (_, index) => ({
      ...pinnedProof,
      id: `core-${String(index + 1).padStart(2, '0')}`,
      files: [
        { path: 'src/core.py', baseline: sum('c'), mutated: sum(`c${index}`), restored: sum('c') },
      ],
    })),
    acceptedProof,
    survivedProof,
    notLoadedProof,
    timeoutProof,
  ],
  {
    durationMs: 187_000,
    lanes: [
      lane({
        preExisting: [
          { test: 'tests/test_old.py::test_clock', outcome: 'failed', message: 'assert 1 == 2' },
          { test: 'tests/test_old.py::test_zone', outcome: 'error', message: null },
        ],
        collectionErrors: [{ file: 'tests/test_gpu.py', message: 'ImportError: no module cuda' }],
        quarantined: [{ test: 'tests/test_net.py::test_dns', because: 'needs the network' }],
        closing: {
          counts: { passed: 681, skipped: 2 },
          durationMs: 11_900,
          equal: true,
          ending: 'complete',
        },
      }),
    ],
  },
);

const VOIDED = Array.from({ length: 24 }, (_, index) => `m${index}`);

/** 24 mutations that the end of their lane voided, two that no test of the lane can show, one pinned. */
export const alike: RunRecord = record(
  [
    pinnedProof,
    ...VOIDED.map((id) =>
      proof('unsettled', {
        id,
        reason: 'The closing run differs from the baseline, twice in the same way.',
        facts: ['tests/test_db.py::test_rows: passed before, failed now'],
        next: ['find what the lane leaves outside the tree'],
        flips: { declared: 1, expected: [move(PAUSE)], missing: [], also: [] },
      }),
    ),
    { ...notLoadedProof, id: 'elsewhere' },
    { ...notLoadedProof, id: 'elsewhere-too' },
  ],
  {
    notVerified: [
      ...VOIDED.map((id) => `${id}: what the tests notice (unsettled)`),
      'elsewhere: what the tests notice (not-loaded)',
      'elsewhere-too: what the tests notice (not-loaded)',
      'that its closing run is as the baseline',
    ],
  },
);

/** What a report says for a line of `notVerified`: those of the voided mutations are one. */
export const inGroup = (gap: string): string => gap.replace(/^m\d+: /, 'm0 and 23 more: ');

const HOSTILE = [
  'tests/test_x.py::test_a[`tick`]',
  'tests/test_x.py::test_b[a|b\\|c]',
  'tests/test_x.py::test_c[<img src=x onerror=1>]',
  'tests/test_x.py::test_d[\u001B[31mred\u001B[0m\u0007]',
  'tests/test_x.py::test_e[line\nbreak\r\ttab]',
  'tests/test_x.py::test_f[\u202Eabc\u2066def\u200B]',
  'tests/test_x.py::test_g[@octocat #123 GH-7 https://example.com]',
  'tests/test_x.py::test_h[``` -->]',
  'tests/test_x.py::test_i[日本語テスト]',
  'tests/test_x.py::test_j[\uD800 ]',
];

/** A project whose test ids try to steer the terminal or the page. */
export const hostile: RunRecord = record(
  [
    {
      ...survivedProof,
      id: 'evil\u001B]0;title\u0007|`<b>',
      reason: 'See @octocat, #123, <script>alert(1)</script> and `code` | pipe\u001B[2J.',
      facts: HOSTILE,
      flips: {
        declared: 10,
        expected: HOSTILE.map((test) => move(test, { message: test })),
        missing: [],
        also: [],
      },
      patch: '--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-```` four ticks\r\n+``` three \u001B[31m\n',
      edits: [{ path: 'src/a|b`c.py', line: 1, scope: '<i>' }],
      reach: { state: 'reached', by: HOSTILE, noticed: [], why: null },
    },
  ],
  { notVerified: ['- [ ] a task\n# a heading', '<!-- a comment'] },
);

/** One mutation that moves 500 tests. */
export const huge: RunRecord = record([
  {
    ...partialProof,
    id: 'remove-everything',
    flips: {
      declared: 500,
      expected: Array.from({ length: 500 }, (_, index) =>
        move(`tests/test_generated.py::TestGenerated::test_case[${index}-${'x'.repeat(60)}]`, {
          message: `AssertionError: ${'m'.repeat(200)} ${index}`,
        }),
      ),
      missing: [],
      also: [],
    },
  },
]);

export const interrupted: RunRecord = record([pinnedProof], {
  complete: false,
  stopped: 'SIGINT',
  selection: { declared: ['rename-pause-route', 'second', 'third'], shard: null },
  summary: {
    declared: 3,
    graded: 1,
    pinned: 1,
    refuted: 0,
    noEvidence: 0,
    accepted: 0,
    notRestored: 0,
  },
  exitCode: 130,
});

export const nothing: RunRecord = record([], {
  lanes: [],
  exitCode: 5,
  durationMs: 40,
  notVerified: ['no lane was run'],
});

const asTry = (only: ProofRecord): RunRecord =>
  record([only], { command: ['counterproof', 'try', 'src/routes.py:41'] });

/** By name, for tables of tests. */
export const RECORDS: { readonly [name: string]: RunRecord } = {
  pinned: asTry({ ...pinnedProof, spec: null }),
  'survived-reached': record([survivedProof]),
  'survived-unreached': record([unreachedProof]),
  'not-loaded': record([notLoadedProof], { durationMs: 1300 }),
  partial: record([partialProof]),
  'control-moved': record([controlMovedProof]),
  accepted: record([acceptedProof]),
  broken: record([brokenProof]),
  timeout: record([timeoutProof]),
  'not-restored': record([notRestoredProof]),
  flaky: record([flakyProof]),
  many,
  alike,
  hostile,
  huge,
  interrupted,
  nothing,
};
