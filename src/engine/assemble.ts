import { arch, cpus, release, type as osType } from 'node:os';
import { endingOf, exitCode } from '../proof/exit-code.js';
import { judge } from '../proof/judge.js';
import { laneLiveness } from '../proof/plan.js';
import { notVerified } from '../proof/not-verified.js';
import { proofRecord, summarise } from '../proof/record.js';
import { environmentFacts } from '../record/environment.js';
import type { ProofRecord, RunRecord } from '../record/schema.js';
import { SCHEMA_VERSION } from '../record/schema.js';
import { besideGaps } from './jobs.js';
import { laneRecords } from './lane-record.js';
import type { LaneState } from './lane-state.js';
import type { ProjectFacts } from './project-facts.js';
import type { RunOrder } from './run.js';
import type { SessionState } from './session.js';

export interface Assembly {
  readonly order: RunOrder;
  readonly project: ProjectFacts;
  /** Why the run ended early; null: it did not. */
  readonly stopped: string | null;
  readonly states: readonly SessionState[];
  /** Where edits landed, as the record says it. */
  readonly isolation: string;
  /** Slots that were used at the most. */
  readonly jobs: number;
  /** What else there is to know of the tree, in whole sentences. */
  readonly notes: readonly string[];
  readonly durationMs: number;
}

/** Judges every proof by the whole of what its lane showed, and writes it all down. */
export function assembleRecord(assembly: Assembly): RunRecord {
  const { order, project, stopped, durationMs } = assembly;
  const isAsked = order.rounds !== undefined;
  const states = isAsked ? asMeasuredLast(assembly.states) : assembly.states;
  const proofs = judgeAll(states, order.startedAt.toISOString().slice(0, 10));
  const lanes = laneRecords(states);
  const planned = isAsked ? plannedLast(order.mutations) : order.mutations;
  const declared = planned.filter(({ pulledIn }) => !pulledIn).map(({ spec }) => spec.id);
  const { otherLanes } = order;
  const received = order.interrupts.received();
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: { name: 'counterproof', version: order.version },
    command: [...order.command],
    startedAt: order.startedAt.toISOString(),
    durationMs,
    complete: stopped === null && proofs.length === planned.length,
    stopped,
    project,
    environment: {
      ...environmentFacts({
        type: osType(),
        release: release(),
        arch: arch(),
        cpus: cpus().length,
        node: process.versions.node,
        env: process.env,
      }),
      isolation: assembly.isolation,
      jobs: assembly.jobs,
      seeds: mergedFacts(states, ({ description }) => description?.seeds),
      runners: mergedFacts(states, ({ description }) => description?.versions),
    },
    selection: { declared, shard: null },
    lanes,
    proofs,
    summary: summarise(proofs, declared.length),
    exitCode: exitCode({
      signal: received === null ? null : endingOf(received),
      declared: declared.length,
      proofs,
      allow: order.allow,
    }),
    notVerified: [
      ...order.notVerified,
      ...assembly.notes,
      ...new Set(states.flatMap(besideGapsOf)),
      ...notVerified({ lanes, proofs, declared, otherLanes, stopped }),
    ],
  };
}

const besideGapsOf = ({ session, opened, working }: SessionState): readonly string[] =>
  besideGaps([session.lane, ...(opened?.outside.map(({ config }) => config) ?? [])], working);

/** Without what was measured once more in another lane, and without the lanes that hold nothing else. */
function asMeasuredLast(states: readonly SessionState[]): readonly SessionState[] {
  const last = new Map<string, SessionState>();
  for (const state of states) for (const { mutation } of state.drafts) last.set(mutation.id, state);
  return states.flatMap((state) => {
    const drafts = state.drafts.filter(({ mutation }) => last.get(mutation.id) === state);
    return drafts.length === 0 && state.drafts.length > 0 ? [] : [{ ...state, drafts }];
  });
}

const plannedLast = (mutations: RunOrder['mutations']): RunOrder['mutations'] => [
  ...new Map(mutations.map((one) => [one.spec.id, one])).values(),
];

/**
 * A lane's liveness counts over all its sessions, whatever probes stood in them. Of a judgement
 * nothing is kept but what the record says: 10,000 of them are as large as their evidence.
 */
function judgeAll(states: readonly SessionState[], today: string): ProofRecord[] {
  const lanes = [...new Set(states.map(({ session }) => session.lane.name))];
  return lanes.flatMap((name) => {
    const drafts = states
      .filter(({ session }) => session.lane.name === name)
      .flatMap((state) => state.drafts);
    const liveness = laneLiveness(
      drafts.map((evidence) => {
        const { verdict, flipped, also } = judge(evidence, { today });
        return { evidence, judgement: { verdict, flipped, also } };
      }),
    );
    for (const draft of drafts) draft.liveness = liveness;
    return drafts.map((draft) => proofRecord(draft, judge(draft, { today })));
  });
}

function mergedFacts(
  states: readonly SessionState[],
  pick: (lane: LaneState) => Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const lanes = states.flatMap(({ opened }) =>
    opened === null ? [] : [...opened.outside, opened.lane],
  );
  return Object.fromEntries(lanes.flatMap((lane) => Object.entries(pick(lane) ?? {})));
}
