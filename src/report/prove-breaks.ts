/** Tests that the change breaks, in words that every report shares. */
import type { FixTestRecord, ProofRecord } from '../record/schema.js';
import type { ProveView } from './prove-wording.js';

type Break = NonNullable<ProveView['prove']['breaks']>[number];

export const breaksOf = ({ prove }: ProveView): readonly Break[] => prove.breaks ?? [];

/** Tests that pass only while this was taken back. */
export const brokenBy = (view: ProveView, proof: ProofRecord | null): readonly string[] =>
  breaksOf(view)
    .filter((each) => each.proof === proof?.id)
    .map(({ test }) => test);

/** Each test that the answer tells of, once. */
export function allBroken(view: ProveView): readonly Break[] {
  const { whole, changes } = view.prove;
  const proofs = new Set([whole?.proof, ...changes.map(({ proof }) => proof)]);
  const told = breaksOf(view).filter(({ proof }) => proofs.has(proof));
  return [...new Map(told.map((each) => [each.test, each])).values()];
}

/** `fails with the fix, passes without it`; `fails on v2, passes on v1`. */
export function breakText({ prove }: ProveView): string {
  return prove.arms === null
    ? 'fails with this change and passes without it'
    : `fails on ${prove.arms.fresh} and passes on ${prove.arms.old}`;
}

/** Rows of a new or changed test that the change breaks; the test itself where it has no rows. */
export function brokenRows(view: ProveView, { test, rows }: FixTestRecord): readonly string[] {
  const ids = rows.length === 0 ? [test] : rows.map(({ row }) => test + row);
  const broken = new Set(allBroken(view).map((each) => each.test));
  return ids.filter((id) => broken.has(id));
}
