/** The record of a run: the only input of every report. Version 1. */
import { z } from 'zod';
import { OUTCOMES } from '../proof/outcome.js';
import { VERDICTS } from '../proof/verdict.js';

/** Raised whenever a reader of the version before could misread a record. */
export const SCHEMA_VERSION = 1;

const outcome = z.enum(OUTCOMES);
const counts = z.partialRecord(outcome, z.number().int().nonnegative());
const sum = z.string().regex(/^[0-9a-f]{64}$/);

const move = z.strictObject({
  test: z.string(),
  from: outcome.nullable().describe('null: the test did not exist in the baseline'),
  to: outcome,
  phase: z.enum(['setup', 'call', 'teardown']).nullable(),
  at: z.string().nullable().describe('path:line of the failure'),
  message: z.string().nullable().describe('first line of the failure'),
  restored: outcome.nullable().describe('outcome in the restored run; null: not run'),
});

const step = z.strictObject({
  step: z.enum(['baseline', 'mutated', 'restored', 'reach', 'closing']),
  scope: z
    .union([z.literal('lane'), z.number().int()])
    .describe('the whole lane, or how many tests'),
  counts,
  exit: z.strictObject({ code: z.number().int().nullable(), signal: z.string().nullable() }),
  durationMs: z.number(),
  complete: z.boolean(),
  ending: z.string().describe('`complete`, or in one phrase why not'),
  executables: z
    .strictObject({
      built: z.number().int().nonnegative(),
      sums: z.array(z.strictObject({ id: z.string(), sha256: sum })),
    })
    .optional()
    .describe('test executables: all of them in the baseline, else those that are not as in it'),
  log: z.string().nullable().describe('path of the log, relative to the record'),
  notes: z.array(z.string()),
});

const control = z.strictObject({
  selector: z.string(),
  lane: z.string(),
  held: z.boolean().nullable().describe('null: not measured'),
  total: z.number().int(),
  moved: z.array(move),
  counts: z.strictObject({
    baseline: counts.nullable(),
    mutated: counts.nullable(),
    restored: counts.nullable(),
  }),
});

const around = z.strictObject({
  group: z.string().describe('a class or file that contains a flipped test'),
  held: z.number().int(),
  moved: z.number().int(),
  counts: z.strictObject({ baseline: counts, mutated: counts, restored: counts.nullable() }),
});

const proof = z.strictObject({
  id: z.string(),
  spec: z.string().nullable(),
  why: z.string().nullable(),
  lane: z.string(),
  role: z.enum(['mutation', 'liveness']),
  pulledIn: z.boolean().describe('a liveness mutation outside the selection: counts in no total'),
  verdict: z.enum(VERDICTS),
  group: z.enum(['critical', 'no-evidence', 'refuted', 'proven']),
  reason: z.string().describe('one sentence'),
  facts: z.array(z.string()).describe('what the verdict rests on, a line each'),
  next: z.array(z.string()).describe('what to do about it, a line each'),
  accepted: z.strictObject({ because: z.string(), until: z.string().nullable() }).nullable(),
  patch: z.string().nullable().describe('as applied; null: it did not apply'),
  edits: z.array(
    z.strictObject({ path: z.string(), line: z.number().int(), scope: z.string().nullable() }),
  ),
  files: z.array(
    z.strictObject({
      path: z.string(),
      baseline: sum.nullable(),
      mutated: sum.nullable(),
      restored: sum.nullable(),
    }),
  ),
  probes: z.array(z.strictObject({ path: z.string(), sha256: sum })),
  steps: z.array(step),
  flips: z.strictObject({
    declared: z.number().int().describe('how many tests were expected to flip'),
    expected: z.array(move),
    missing: z.array(z.string()),
    also: z.array(move).describe('moves of tests that nobody named'),
  }),
  controls: z.array(control),
  around: z.array(around),
  still: z.strictObject({ held: z.number().int(), total: z.number().int() }).nullable(),
  loaded: z.strictObject({
    proof: z.enum(['compiled', 'rebuilt', 'by-effect', 'none']),
    from: z.string().nullable(),
  }),
  reach: z
    .strictObject({
      state: z.enum(['reached', 'unreached', 'unknown']),
      by: z.array(z.string()),
      noticed: z.array(z.string()),
      why: z.string().nullable(),
    })
    .nullable(),
  unrun: z
    .array(z.strictObject({ tests: z.string(), why: z.string() }))
    .optional()
    .describe('tests that may notice the edit, and that the lane does not run'),
  values: z.array(
    z.strictObject({
      test: z.string(),
      key: z.string(),
      values: z.strictObject({ baseline: z.unknown(), mutated: z.unknown() }),
      same: z.boolean(),
    }),
  ),
  kept: z
    .array(z.strictObject({ path: z.string(), keptAs: z.string() }))
    .describe("somebody's work, found in a mutated file and kept aside"),
  durationMs: z.number(),
});

const lane = z.strictObject({
  name: z.string(),
  runner: z.enum(['pytest', 'cargo', 'junit']),
  command: z.array(z.string()),
  from: z.string(),
  tool: z.string(),
  versions: z.record(z.string(), z.string()),
  select: z.string().nullable(),
  probes: z.array(z.string()),
  collected: z.number().int(),
  selected: z.number().int(),
  deselected: z.number().int(),
  files: z.array(
    z.strictObject({ file: z.string(), collected: z.number().int(), selected: z.number().int() }),
  ),
  preExisting: z.array(
    z.strictObject({ test: z.string(), outcome, message: z.string().nullable() }),
  ),
  collectionErrors: z.array(z.strictObject({ file: z.string().nullable(), message: z.string() })),
  quarantined: z.array(z.strictObject({ test: z.string(), because: z.string() })),
  baseline: z
    .strictObject({ counts, durationMs: z.number(), complete: z.boolean(), ending: z.string() })
    .nullable(),
  closing: z
    .strictObject({ counts, durationMs: z.number(), equal: z.boolean(), ending: z.string() })
    .nullable(),
  alive: z.strictObject({ by: z.string(), flipped: z.string() }).nullable(),
  notes: z.array(z.string()),
});

const WITHOUT_FIX = [
  'failed',
  'passed',
  'error',
  'broken',
  'crashed',
  'timeout',
  'flaky',
  'not-run',
] as const;

const withoutFix = z
  .enum(WITHOUT_FIX)
  .describe('`broken`: it failed by a name that is gone; `not-run`: nothing is known');

/** From `prove`: what tests make of a range of commits. */
const prove = z.strictObject({
  range: z.strictObject({
    text: z.string(),
    from: z.string().describe('commit or tree before it'),
    to: z.string().nullable().describe('commit after it; null: the working tree'),
    commits: z.number().int(),
    subject: z.string().nullable(),
    notes: z.array(z.string()),
    tested: z.string().describe('what lies on disk: `HEAD + 2 uncommitted files`'),
  }),
  arms: z
    .strictObject({ old: z.string(), fresh: z.string() })
    .nullable()
    .describe('two trees that were compared whole; null: a range, taken back part by part'),
  overall: z.enum(['held', 'partly-held', 'unheld', 'not-measurable', 'nothing-to-prove']),
  reason: z.string().describe('one or two sentences'),
  vacuous: z
    .array(z.string())
    .describe('new tests that pass without the fix: with any, `held` ends with 1'),
  breaks: z
    .array(
      z.strictObject({
        test: z.string(),
        proof: z.string().describe('the proof that turns it green'),
        message: z.string().nullable().describe('first line of its failure with the change'),
      }),
    )
    .optional()
    .describe('tests that fail with the change in place and pass when it is taken back'),
  whole: z
    .strictObject({
      proof: z.string(),
      state: z.enum(['held', 'unheld', 'not-measurable']),
      heldBy: z.array(z.string()),
      reason: z.string().nullable(),
    })
    .nullable()
    .describe('the whole fix taken back; null: not measured'),
  changes: z.array(
    z.strictObject({
      id: z.string(),
      file: z.string(),
      line: z.number().int().nullable().describe('null: the file as a whole'),
      others: z
        .array(z.string())
        .optional()
        .describe('further places, as `file:line`: lines that moved have two'),
      lines: z.strictObject({ added: z.number().int(), removed: z.number().int() }),
      scope: z.string().nullable(),
      class: z.enum(['source', 'test', 'support', 'other']),
      why: z.string().describe('why it has this class'),
      status: z
        .enum(['held', 'unheld', 'together', 'not-measurable', 'skipped', 'aside', 'stays'])
        .describe(
          '`together`: nothing notices it and those of `joined`, without which it cannot go; `skipped`: only the whole was taken back; `aside`: no test need notice it, and none does; `stays`: is never taken back',
        ),
      joined: z.array(z.string()).describe('changes that were taken back with it'),
      joinedBy: z.enum(['name', 'redundant']).nullable(),
      names: z.array(z.string()).describe('names that join them'),
      proof: z.string().nullable(),
      heldBy: z.array(z.string()).describe('tests that fail without it'),
      reason: z.string().nullable(),
    }),
  ),
  files: z
    .array(z.strictObject({ file: z.string(), proof: z.string() }))
    .describe('files with several changes, taken back whole'),
  support: z.string().nullable().describe('the proof of support code taken back'),
  tests: z.array(
    z.strictObject({
      test: z.string(),
      kind: z.enum(['new', 'changed']),
      withoutFix,
      message: z.string().nullable().describe('first line of the failure'),
      proof: z.string().nullable().describe('the proof that shows it'),
      rows: z
        .array(z.strictObject({ row: z.string(), withoutFix, message: z.string().nullable() }))
        .describe('of a parametrised test'),
    }),
  ),
});

export const recordSchema = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  tool: z.strictObject({ name: z.literal('counterproof'), version: z.string() }),
  command: z.array(z.string()).describe('the command line, without node'),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  complete: z.boolean(),
  stopped: z.string().nullable().describe('why the run ended early; null: it did not'),
  project: z.strictObject({
    root: z.string().describe('relative to the tree'),
    commit: z.string().nullable(),
    tree: z.string().nullable().describe('git tree id of tracked and not ignored files'),
    dirty: z.array(z.string()),
  }),
  environment: z.strictObject({
    os: z.string(),
    arch: z.string(),
    cpus: z.number().int(),
    node: z.string(),
    isolation: z.string(),
    jobs: z.number().int(),
    seeds: z.record(z.string(), z.string()),
    runners: z.record(z.string(), z.string()),
    variables: z.record(z.string(), z.string()).describe('variables known to change what tests do'),
  }),
  selection: z.strictObject({
    declared: z.array(z.string()),
    shard: z
      .strictObject({ index: z.number().int(), total: z.number().int(), planHash: z.string() })
      .nullable(),
  }),
  lanes: z.array(lane),
  proofs: z.array(proof),
  summary: z.strictObject({
    declared: z.number().int(),
    graded: z.number().int(),
    pinned: z.number().int(),
    refuted: z.number().int(),
    noEvidence: z.number().int(),
    accepted: z.number().int(),
    notRestored: z.number().int(),
  }),
  exitCode: z.number().int(),
  notVerified: z.array(z.string()),
  prove: prove.optional(),
});

export type RunRecord = z.infer<typeof recordSchema>;
export type ProofRecord = RunRecord['proofs'][number];
export type LaneRecord = RunRecord['lanes'][number];
export type MoveRecord = ProofRecord['flips']['expected'][number];
export type ControlRecord = ProofRecord['controls'][number];
export type StepRecord = ProofRecord['steps'][number];
export type ProveRecord = z.infer<typeof prove>;
export type ChangeRecord = ProveRecord['changes'][number];
export type FixTestRecord = ProveRecord['tests'][number];
