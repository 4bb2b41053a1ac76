/** The new and changed tests of a range, and which lanes run them. */
import type { Collector } from '../engine/collect.js';
import { endingPhrase } from '../proof/record.js';
import { idsOf, type FixTest } from '../prove/tests-of.js';
import type { LaneConfig } from '../spec/model.js';

export interface AskedLane {
  readonly name: string;
  /** What the lane selects by, as it is written; null: it takes everything. */
  readonly select: string | null;
  /** null: it could not be asked. */
  readonly found: {
    readonly ids: readonly string[];
    readonly deselected: readonly string[];
  } | null;
  /** Why it could not. */
  readonly problem: string | null;
}

/** Has each lane collect its tests; none is run where its runner can tell them otherwise. */
export async function askLanes(
  lanes: readonly LaneConfig[],
  { collect }: Pick<Collector, 'collect'>,
): Promise<readonly AskedLane[]> {
  const asked: AskedLane[] = [];
  for (const lane of lanes) {
    const { name, select } = lane;
    const answer = await collect(lane);
    if (!answer.ok) {
      asked.push({ name, select, found: null, problem: answer.error.message });
      continue;
    }
    const { ids, selection, ending } = answer.value.collection;
    asked.push(
      ending.kind === 'complete'
        ? { name, select, found: { ids, deselected: selection.deselected }, problem: null }
        : { name, select, found: null, problem: endingPhrase(ending) },
    );
  }
  return asked;
}

export interface PlacedTest extends Pick<FixTest, 'kind'> {
  /** As a lane calls it; where none has it, by its file and name. */
  readonly id: string;
  /** Names of lanes that select it: all of it, or rows. */
  readonly lanes: readonly string[];
  /** Where no lane has it: of each lane why, a phrase. */
  readonly why: readonly string[];
  /** Whether a lane that could not be asked may have it. */
  readonly isOpen: boolean;
}

/** @param root relative to the tree, as the paths of the tests are */
export function placeTests(
  tests: readonly FixTest[],
  root: string,
  lanes: readonly AskedLane[],
): readonly PlacedTest[] {
  return tests.map((test) => {
    const { of, base } = idsOf(test, root);
    const all = lanes.flatMap(({ found }) =>
      found === null ? [] : [...found.ids, ...found.deselected],
    );
    const selecting = lanes.filter(({ found }) => found?.ids.some(of) === true);
    const isOpen = selecting.length === 0 && lanes.some(({ found }) => found === null);
    return {
      kind: test.kind,
      id: base(all),
      lanes: selecting.map(({ name }) => name),
      why: selecting.length > 0 ? [] : lanes.map((lane) => whyNot(lane, of)),
      isOpen,
    };
  });
}

function whyNot({ name, select, found }: AskedLane, of: (id: string) => boolean): string {
  if (found === null) return `${name}: not known, it could not be asked`;
  if (!found.deselected.some(of)) return `${name}: does not collect it`;
  return `${name}: deselects it${select === null ? '' : ` (${select})`}`;
}
