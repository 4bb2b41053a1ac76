import type { Liveness } from '../proof/evidence.js';
import { judge } from '../proof/judge.js';
import { laneLiveness } from '../proof/plan.js';
import { proofRecord } from '../proof/record.js';
import type { ProofRecord } from '../record/schema.js';
import type { Draft } from './draft.js';

/**
 * Judges proofs one by one while their lane still runs, by what the lane has shown so far:
 * all of them are judged once more at its end.
 */
export function createProvisionalJudge(today: string): (draft: Draft) => ProofRecord {
  const shown = new Map<string, Liveness>();
  return (draft) => {
    const lane = draft.lane.name;
    const known = shown.get(lane) ?? { kind: 'not-shown' };
    const own = laneLiveness([{ evidence: draft, judgement: judge(draft, { today }) }]);
    const liveness = known.kind === 'dead' || own.kind === 'not-shown' ? known : own;
    shown.set(lane, liveness);
    draft.liveness = liveness;
    return proofRecord(draft, judge(draft, { today }));
  };
}
