import type { LoadTarget } from '../lane/lane.js';
import type { StepEvidence } from '../proof/evidence.js';
import { needsRestoredAgain, restoredScope } from '../proof/plan.js';
import type { SlotContext } from './context.js';
import type { Draft } from './draft.js';
import { runStep, type LaneState } from './lane-state.js';
import type { Session } from './plan.js';

/** Mutations whose bytes are back, and whose tests are now run on the restored tree together. */
export interface Settlement {
  readonly context: SlotContext;
  readonly session: Session;
  readonly lane: LaneState;
  readonly outside: readonly LaneState[];
  readonly drafts: readonly Draft[];
  /** The whole lane, whatever moved; or what moved, with or without what only a raise moved. */
  readonly extent: 'lane' | 'moved' | 'moved-but-raised';
}

/**
 * The restored half of proofs: runs what moved and the declared controls, once for all of
 * `drafts`. What differs from the baseline is repeated with the whole lane before anything is
 * concluded from it.
 *
 * @returns the runs of the session's own lane: none, one, or one and its repeat
 */
export async function settle(settlement: Settlement): Promise<readonly StepEvidence[]> {
  const { context, lane, outside, drafts, extent } = settlement;
  const measured = drafts.filter(({ mutated }) => mutated !== null);
  const ids = union(measured, lane, extent);
  const runs: StepEvidence[] = [];
  if (measured.length > 0 && (extent === 'lane' || ids.length > 0)) {
    const scope = extent === 'lane' ? ('lane' as const) : ids;
    const restored = await restoredStep(settlement, lane, measured, scope);
    runs.push(restored);
    for (const draft of measured) draft.restored = restored;
    if (repeats(measured, lane) && context.stop.reason() === null) {
      const again = await restoredStep(settlement, lane, measured, 'lane');
      runs.push(again);
      for (const draft of measured) draft.restoredAgain = again;
    }
  }
  for (const state of outside) {
    const concerned = measured.filter((draft) => stepsIn(draft, state).length > 0);
    const steps = concerned.flatMap((draft) => stepsIn(draft, state));
    const controls = union(concerned, state, 'moved-but-raised');
    if (controls.length === 0 || context.stop.reason() !== null) continue;
    const restored = await restoredStep(settlement, state, concerned, controls);
    for (const each of steps) each.restored = restored;
    if (!repeats(concerned, state)) continue;
    const restoredAgain = await restoredStep(settlement, state, concerned, 'lane');
    for (const each of steps) each.restoredAgain = restoredAgain;
  }
  return runs;
}

/** Of a lane of controls in which the draft was measured: its steps, or none. */
const stepsIn = (
  draft: Draft,
  { config }: LaneState,
): readonly Draft['outsideControls'][number][] =>
  draft.outsideControls.filter(
    ({ lane, mutated }) => lane.name === config.name && mutated !== null,
  );

/** Tests that the raise of a reach run moved must be green again too, before they count anew. */
function union(
  drafts: readonly Draft[],
  { config, baseline }: LaneState,
  extent: Settlement['extent'],
): readonly string[] {
  const known = new Set(baseline?.results.map(({ id }) => id));
  const raised = drafts
    .filter(({ lane }) => lane.name === config.name)
    .flatMap(({ reachStep }) => reachStep?.results ?? [])
    .map(({ id }) => id)
    .filter((id) => known.has(id));
  const own = drafts.flatMap((draft) => restoredScope(draft).get(config.name) ?? []);
  return [...new Set(extent === 'moved-but-raised' ? own : [...own, ...raised])];
}

const repeats = (drafts: readonly Draft[], { config }: LaneState): boolean =>
  drafts.some((draft) => needsRestoredAgain(draft).includes(config.name));

async function restoredStep(
  { context, session }: Settlement,
  lane: LaneState,
  drafts: readonly Draft[],
  scope: 'lane' | readonly string[],
): Promise<StepEvidence> {
  const targets = new Map<string, LoadTarget>();
  for (const { files } of drafts)
    for (const { path, baseline } of files) targets.set(path, { path, sha256: baseline });
  const { evidence, build } = await runStep(context, lane, session.probes, {
    step: 'restored',
    id: drafts.length === 1 ? (drafts[0]?.mutation.id ?? null) : null,
    scope,
    targets: [...targets.values()],
  });
  if (build.length > 0)
    for (const draft of drafts) draft.build = [...draft.build, { step: 'restored', causes: build }];
  return evidence;
}
