/** A take as a mutation that lanes can measure. */
import { posix } from 'node:path';
import type { MutationSpec, Where } from '../spec/model.js';
import type { Change } from './fix.js';
import type { Take } from './take-model.js';
import { takeBack } from './take.js';

const NOWHERE: Where = { file: 'the command line', line: 1, col: 1 };

export interface TakePlan {
  readonly changes: readonly Change[];
  /** Root relative to the tree. */
  readonly root: string;
  /** Names of the lanes; `near` null: the whole lane is near enough. */
  readonly lanes: { readonly near: string | null; readonly full: string };
}

/** `whole`, `hunk-2`, `hunks-1+2`, `support`; where the whole lane was asked later, and again after a crash. */
export function takeName(take: Take, { changes, lanes }: TakePlan): string {
  const source = changes.filter((change) => change.class === 'source' && change.obstacle === null);
  const isSupport = take.changes.some((id) => id.startsWith('s'));
  const isWhole = source.length === take.changes.length && !isSupport;
  const what = isSupport
    ? 'support'
    : isWhole
      ? 'whole'
      : take.changes.length === 1
        ? `hunk-${take.changes[0]}`
        : `hunks-${take.changes.join('+')}`;
  const where = take.lane === 'full' && lanes.near !== null ? ':lane' : '';
  return `${what}${where}${take.enders.length > 0 ? ':again' : ''}`;
}

export function mutationOf(take: Take, plan: TakePlan): MutationSpec {
  const wanted = new Set(take.changes);
  const taken = takeBack(plan.changes.filter(({ id }) => wanted.has(id)));
  return {
    id: takeName(take, plan),
    spec: null,
    why: null,
    role: 'mutation',
    lane: take.lane === 'near' ? (plan.lanes.near ?? plan.lanes.full) : plan.lanes.full,
    edits: taken
      .filter(({ before, after }) => before === null || after === null || !before.equals(after))
      .map(({ path, before, after }) => ({
        kind: 'bytes',
        file: posix.relative(plan.root, path),
        within: [],
        where: NOWHERE,
        before,
        after,
      })),
    flips:
      take.enders.length === 0
        ? { kind: 'any' }
        : {
            kind: 'tests',
            tests: take.enders.map((test) => ({
              test,
              count: null,
              min: null,
              from: 'passed',
              to: ['failed', 'error', 'crashed', 'timeout'],
              message: null,
              where: NOWHERE,
            })),
          },
    controls: [],
    exact: false,
    probes: [],
    accept: null,
    tags: [],
    refs: [],
    owner: null,
    where: NOWHERE,
  };
}
