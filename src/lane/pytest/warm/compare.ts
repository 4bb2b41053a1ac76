/** Whether two runs of one tree say the same: the condition under which a warm one stands for a cold one. */
import type { Ending, LoadEvidence } from '../../../proof/evidence.js';
import type { Outcome } from '../../../proof/outcome.js';
import { unreachable } from '../../../result.js';
import type { LaneRun } from '../../lane.js';

/**
 * The first difference, in words; null: none. Messages and times are left out, which differ
 * between two cold runs as well (an address, a path).
 *
 * @param ignored ids that may differ: quarantined tests
 */
export function difference(
  cold: LaneRun,
  warm: LaneRun,
  ignored: ReadonlySet<string>,
): string | null {
  const [coldEnd, warmEnd] = [endingText(cold.ending), endingText(warm.ending)];
  if (coldEnd !== warmEnd) return `it ended as ${coldEnd} cold and as ${warmEnd} warm`;
  return (
    outcomeDifference(cold, warm, ignored) ??
    selectionDifference(cold, warm) ??
    loadDifference(cold, warm)
  );
}

function outcomeDifference(
  cold: LaneRun,
  warm: LaneRun,
  ignored: ReadonlySet<string>,
): string | null {
  const after = new Map(warm.results.map((result) => [result.id, result]));
  for (const { id, outcome, broken } of cold.results) {
    const other = after.get(id);
    after.delete(id);
    if (ignored.has(id)) continue;
    if (other?.outcome !== outcome)
      return `${id} is ${outcome} cold and ${other?.outcome ?? 'missing'} warm`;
    if ((other.broken === null) !== (broken === null))
      return `${id} is blamed on the edited file in one of them alone`;
  }
  const extra = [...after.keys()].find((id) => !ignored.has(id));
  return extra === undefined ? null : `${extra} is there warm alone`;
}

function selectionDifference(cold: LaneRun, warm: LaneRun): string | null {
  const order = cold.results.findIndex(({ id }, index) => warm.results[index]?.id !== id);
  // Tests that did not come to an end are listed behind the others, in the order of their start.
  if (order >= 0 && cold.ending.kind === 'complete') return 'the tests run in another order';
  const same =
    cold.selection.collected === warm.selection.collected &&
    cold.selection.selected === warm.selection.selected &&
    cold.selection.deselected.length === warm.selection.deselected.length &&
    cold.collectionErrors.length === warm.collectionErrors.length &&
    cold.collectionErrors.every(
      ({ stage, file }, index) =>
        warm.collectionErrors[index]?.stage === stage && warm.collectionErrors[index].file === file,
    );
  return same ? null : 'other tests are collected';
}

function loadDifference(cold: LaneRun, warm: LaneRun): string | null {
  const after = new Map(warm.loads.map((load) => [load.path, loadText(load)]));
  const other = cold.loads.find((load) => after.get(load.path) !== loadText(load));
  return other === undefined ? null : `${other.path} is loaded in another way`;
}

const loadText = ({ proof, sha256, elsewhere, by }: LoadEvidence): string =>
  JSON.stringify([proof, sha256, elsewhere, by]);

function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'timeout':
    case 'out-of-memory':
      return ending.test === null ? ending.kind : `${ending.kind} in ${ending.test}`;
    case 'crashed':
      return ending.test === null ? ending.how : `${ending.how} in ${ending.test}`;
    case 'broken':
      return `broken (${ending.causes.map(({ stage, file }) => file ?? stage).join(', ')})`;
    case 'complete':
    case 'incomplete':
    case 'no-channel':
    case 'empty':
    case 'cancelled':
      return ending.kind;
    default:
      return unreachable(ending);
  }
}

/** Tests that two runs of one scope tell differently. */
export function differing(
  cold: LaneRun,
  warm: LaneRun,
  ignored: ReadonlySet<string>,
): readonly string[] {
  const outcomes = new Map(cold.results.map(({ id, outcome }) => [id, outcome]));
  return movedIn(warm, outcomes, 'lane', ignored);
}

/** Tests that did otherwise than in the baseline, among those that the run was to have. */
export function movedIn(
  run: LaneRun,
  baseline: ReadonlyMap<string, Outcome>,
  scope: 'lane' | readonly string[],
  ignored: ReadonlySet<string>,
): readonly string[] {
  const now = new Map(run.results.map(({ id, outcome }) => [id, outcome]));
  const asked = scope === 'lane' ? [...baseline.keys()] : scope;
  return [...new Set([...asked, ...now.keys()])].filter(
    (id) => !ignored.has(id) && now.get(id) !== baseline.get(id),
  );
}
