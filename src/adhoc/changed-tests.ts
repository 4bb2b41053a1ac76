/** The new and changed tests of a range, and which lanes run them. */
import { posix } from 'node:path';
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
  /** Whether it is not known: a lane that could not be asked may have it, or another test has its name. */
  readonly isOpen: boolean;
}

/** @param root relative to the tree, as the paths of the tests are */
export function placeTests(
  tests: readonly FixTest[],
  root: string,
  lanes: readonly AskedLane[],
): readonly PlacedTest[] {
  return tests.map((test) => {
    const all = lanes.flatMap(({ found }) =>
      found === null ? [] : [...found.ids, ...found.deselected],
    );
    const { id, of, isSure } = nameOf(test, root, all);
    const selecting = lanes.filter(({ found }) => found?.ids.some(of) === true);
    const lost = lanes.some(({ found }) => found === null);
    if (!isSure) return { kind: test.kind, id, lanes: [], why: [SEVERAL], isOpen: true };
    return {
      kind: test.kind,
      id,
      lanes: selecting.map(({ name }) => name),
      why: selecting.length > 0 ? [] : lanes.map((lane) => whyNot(lane, of)),
      isOpen: selecting.length === 0 && lost,
    };
  });
}

const SEVERAL = 'tests of several executables or modules have this name';

interface TestName {
  readonly id: string;
  readonly of: (id: string) => boolean;
  /** Whether no other test can be meant. */
  readonly isSure: boolean;
}

/**
 * Which executables compile a Rust file is known to a build alone, so a test is known by its name
 * where only one test of the lanes has it.
 */
function nameOf(test: FixTest, root: string, all: readonly string[]): TestName {
  const file = posix.relative(root, test.path);
  if (!file.endsWith('.rs')) {
    const [own] = idsOf(test, root, () => []);
    const of = (id: string): boolean => own !== undefined && own.among([id]).length > 0;
    return { id: own?.test ?? file, of, isSure: true };
  }
  const of = (id: string): boolean => {
    const path = id.slice(id.indexOf(' ') + 1);
    return path === test.name || path.endsWith(`::${test.name}`);
  };
  const found = new Set(all.filter(of));
  const [only] = found;
  return {
    id: found.size === 1 && only !== undefined ? only : `${file} ${test.name}`,
    of,
    isSure: found.size < 2,
  };
}

function whyNot({ name, select, found }: AskedLane, of: (id: string) => boolean): string {
  if (found === null) return `${name}: not known, it could not be asked`;
  if (!found.deselected.some(of)) return `${name}: does not collect it`;
  return `${name}: deselects it${select === null ? '' : ` (${select})`}`;
}
