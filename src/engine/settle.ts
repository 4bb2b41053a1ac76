import type { LoadTarget } from '../lane/lane.js';
import type { StepEvidence } from '../proof/evidence.js';
import { needsRestoredAgain, restoredScope } from '../proof/plan.js';
import type { RunContext } from './context.js';
import type { Draft } from './draft.js';
import { runStep, type LaneState } from './lane-state.js';
import type { Session } from './plan.js';

/** Mutations whose bytes are back, and whose tests are now run on the restored tree together. */
export interface Settlement {
  readonly context: RunContext;
  readonly session: Session;
  readonly lane: LaneState;
  readonly outside: readonly LaneState[];
  readonly drafts: readonly Draft[];
  /** The whole lane, whatever moved. */
  readonly whole: 'whole' | 'narrow';
}

/**
 * The restored half of proofs: runs what moved and the declared controls, once for all of
 * `drafts`. What differs from the baseline is repeated with the whole lane before anything is
 * concluded from it.
 */
export async function settle(settlement: Settlement): Promise<void> {
  const { context, lane, outside, drafts, whole } = settlement;
  const measured = drafts.filter(({ mutated }) => mutated !== null);
  const ids = union(measured, lane);
  if (measured.length > 0 && (whole === 'whole' || ids.length > 0)) {
    const scope = whole === 'whole' ? ('lane' as const) : ids;
    const restored = await restoredStep(settlement, lane, measured, scope);
    for (const draft of measured) draft.restored = restored;
    if (repeats(measured, lane) && context.stop.reason() === null) {
      const again = await restoredStep(settlement, lane, measured, 'lane');
      for (const draft of measured) draft.restoredAgain = again;
    }
  }
  for (const state of outside) {
    const concerned = measured.filter(
      (draft) => stepsOf(draft, state)?.mutated !== null && stepsOf(draft, state) !== undefined,
    );
    const controls = union(concerned, state);
    if (controls.length === 0 || context.stop.reason() !== null) continue;
    const restored = await restoredStep(settlement, state, concerned, controls);
    for (const draft of concerned) assign(draft, state, { restored });
    if (!repeats(concerned, state)) continue;
    const restoredAgain = await restoredStep(settlement, state, concerned, 'lane');
    for (const draft of concerned) assign(draft, state, { restoredAgain });
  }
}

const stepsOf = (
  draft: Draft,
  { config }: LaneState,
): Draft['outsideControls'][number] | undefined =>
  draft.outsideControls.find((each) => each.lane.name === config.name);

function assign(
  draft: Draft,
  state: LaneState,
  steps: Partial<Draft['outsideControls'][number]>,
): void {
  Object.assign(stepsOf(draft, state) ?? {}, steps);
}

const union = (drafts: readonly Draft[], { config }: LaneState): readonly string[] => [
  ...new Set(drafts.flatMap((draft) => restoredScope(draft).get(config.name) ?? [])),
];

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
