import { relative, sep } from 'node:path';
import type { LaneDescription, LaneProblem, LoadTarget } from '../lane/lane.js';
import { endingPhrase } from '../proof/record.js';
import type { Breakage, Selection, StepEvidence, StepName } from '../proof/evidence.js';
import { emptyStep, resultsById } from '../proof/step.js';
import type { StepAnswer } from '../slot/protocol.js';
import type { LaneConfig, Probe } from '../spec/model.js';
import type { RunContext, SlotContext } from './context.js';
import { baselineLimits, limitsAfter } from './limits.js';

/** A lane in use: how it is run, and what its untouched tree gives. */
export interface LaneState {
  readonly config: LaneConfig;
  readonly description: LaneDescription | null;
  readonly problem: LaneProblem | null;
  readonly baseline: StepEvidence | null;
  readonly selection: Selection | null;
  readonly otherBaselines: readonly StepEvidence[];
  /** What the lane's build command reported before the baseline. */
  readonly build: readonly Breakage[];
}

export interface StepOrder {
  readonly step: StepName;
  /** The mutation's id; null for a lane's own runs. */
  readonly id: string | null;
  readonly scope: 'lane' | readonly string[];
  readonly without?: readonly string[];
  readonly targets: readonly LoadTarget[];
  /** While it runs, no other slot runs anything. */
  readonly isAlone?: boolean;
  /** Mutations that are to be measured in the lane. */
  readonly ahead?: number;
  /** Unified diff of the mutation that stands. */
  readonly patch?: string | null;
}

/** Runs one step in the slot, and tells the display of it. */
export async function runStep(
  context: SlotContext,
  lane: LaneState,
  probes: readonly Probe[],
  order: StepOrder,
): Promise<StepAnswer> {
  const { quiet } = context;
  const run = (): Promise<StepAnswer> => runNow(context, lane, probes, order);
  return order.isAlone === true ? quiet.alone(run) : quiet.beside(run);
}

async function runNow(
  context: SlotContext,
  lane: LaneState,
  probes: readonly Probe[],
  order: StepOrder,
): Promise<StepAnswer> {
  const { config, baseline } = lane;
  const slot = context.slot.number;
  const place = { lane: config.name, id: order.id, step: order.step, slot };
  let total = order.scope === 'lane' ? (lane.selection?.selected ?? null) : order.scope.length;
  let done = 0;
  // A raise moves tests too, but that is no news about the mutation.
  const told = order.step === 'mutated' ? context.told : null;
  const before = told !== null && baseline !== null ? resultsById(baseline.results) : null;
  context.emit({ type: 'step-started', ...place, tests: total });
  const answer = await context.slot.call(
    'run',
    {
      lane: config.name,
      step: order.step,
      label: order.id,
      scope: order.scope,
      without: order.without ?? [],
      targets: order.targets,
      probes: probes.map(({ path }) => path),
      isAlone: order.isAlone === true,
      isCold: context.warmDoubt?.isCold() === true,
      ...(typeof order.patch === 'string' ? { patch: order.patch } : {}),
      ...(order.ahead === undefined ? {} : { ahead: order.ahead }),
      limits:
        baseline === null
          ? baselineLimits(config.limits, context.slots)
          : limitsAfter(config.limits, baseline, context.slots),
    },
    (progress) => {
      if (progress.kind === 'collected') total = progress.selected;
      if (progress.kind === 'finished') {
        done += 1;
        const { test, outcome: to } = progress;
        const from = before?.get(test)?.outcome ?? null;
        const key = `${test}\0${to}`;
        // What is run a second time is no news, unless it is another one.
        if (before !== null && from !== to && told?.has(key) === false) {
          told.add(key);
          context.emit({ type: 'test-moved', ...place, test, from, to, message: null });
        }
      }
      const running = progress.kind === 'started' ? progress.test : null;
      context.emit({ type: 'step-progress', ...place, done, total, running });
    },
  );
  if (answer.differsWarm !== undefined) context.warmDoubt?.raise(answer.differsWarm);
  const evidence = slim(answer.evidence, baseline);
  context.emit({
    type: 'step-finished',
    ...place,
    counts: evidence.counts,
    complete: evidence.ending.kind === 'complete',
    ending: endingPhrase(evidence.ending),
    durationMs: evidence.durationMs,
  });
  return { ...answer, evidence };
}

/**
 * Ids come anew through the channel with every step; 10,000 mutations that move 20 tests each
 * would hold 200,000 copies of a few names.
 */
function slim(evidence: StepEvidence, baseline: StepEvidence | null): StepEvidence {
  if (baseline === null) return evidence;
  const known = resultsById(baseline.results);
  const same = (id: string): string => known.get(id)?.id ?? id;
  return {
    ...evidence,
    results: evidence.results.map((result) => ({ ...result, id: same(result.id) })),
    scope: evidence.scope === 'lane' ? 'lane' : evidence.scope.map(same),
  };
}

/** A lane of which nothing is known yet. */
export const unmeasured = (config: LaneConfig): LaneState => ({
  config,
  description: null,
  problem: null,
  baseline: null,
  selection: null,
  otherBaselines: [],
  build: [],
});

/**
 * Opens a lane in the slot and measures its untouched tree, as often as asked. Never throws
 * for what the project did: a lane that cannot be run has a `problem`.
 *
 * @param ahead mutations that are to be measured in it
 */
export async function measureBaseline(
  context: SlotContext,
  config: LaneConfig,
  probes: readonly Probe[],
  targets: readonly LoadTarget[],
  ahead: number,
): Promise<LaneState> {
  const nothing = unmeasured(config);
  const described = await context.slot.openLane(config);
  if (!described.ok) {
    const problem = described.error;
    return { ...nothing, baseline: neverRun(problem), description: null, problem };
  }
  const description = described.value;
  if (context.slot.number === 0)
    context.emit({ type: 'lane-described', lane: config.name, ...description });

  const ready: LaneState = { ...nothing, description };
  const order: StepOrder = { step: 'baseline', id: null, scope: 'lane', targets, ahead };
  // A lane serves several sessions, each with its own probe files, and as a lane of controls:
  // against an earlier baseline this one would hold nothing but the differences.
  await context.slot.call('adopt', { lane: config.name, baseline: null });
  const { evidence, selection, build } = await runStep(context, ready, probes, order);
  context.slot.rememberBaseline(config.name, evidence.results);
  let state: LaneState = { ...ready, baseline: evidence, selection, build };
  if (evidence.ending.kind !== 'complete') return state;

  for (let run = 1; run < context.settings.baselineRuns; run += 1) {
    if (context.stop.reason() !== null) break;
    const again = await runStep(context, state, probes, order);
    state = { ...state, otherBaselines: [...state.otherBaselines, again.evidence] };
  }
  return state;
}

/** The baseline of a lane that cannot be started: it says why. */
const neverRun = ({ message, hint }: LaneProblem): StepEvidence =>
  emptyStep(
    'baseline',
    'lane',
    { kind: 'no-channel', why: message.replaceAll(/\s*\n\s*/g, ' '), hint: hint ?? '' },
    0,
  );

/** Root-relative to tree-relative, with forward slashes. */
export function inTree(context: Pick<RunContext, 'tree' | 'root'>, path: string): string {
  const prefix = relative(context.tree, context.root).replaceAll(sep, '/');
  return prefix === '' ? path : `${prefix}/${path}`;
}
