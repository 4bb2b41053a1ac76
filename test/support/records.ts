/** What of a record must be the same however the run was isolated and spread. */
import type { ProofRecord, RunRecord } from '../../src/record/schema.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A record without times, places and the number of slots, and without what scheduling decides:
 * which mutations shared a restored run, and which were measured a second time to be sure.
 */
export function comparable(record: RunRecord): Json {
  const { lanes, proofs, summary, exitCode, notVerified, selection, complete, stopped } = record;
  return plain({
    lanes: lanes.map(({ notes: _notes, ...lane }) => lane),
    proofs: proofs.map(comparableProof),
    summary,
    exitCode,
    notVerified,
    selection,
    complete,
    stopped,
  });
}

function comparableProof({ steps, ...proof }: ProofRecord): unknown {
  const whole = steps.filter(
    ({ step, scope }) =>
      step === 'baseline' || step === 'reach' || (step === 'mutated' && scope === 'lane'),
  );
  const first = whole.find(({ step }) => step === 'mutated');
  return {
    ...proof,
    facts: proof.facts.map(withoutTimes),
    // Known where the restored run happened to be that of the whole lane.
    around: proof.around.map(({ counts: { restored: _restored, ...counts }, ...around }) => ({
      ...around,
      counts,
    })),
    steps: [
      ...whole.filter(({ step }) => step !== 'mutated'),
      ...(first === undefined ? [] : [first]),
    ],
  };
}

const LEFT_OUT = new Set(['durationMs', 'log', 'tool']);
const withoutTimes = (text: string): string => text.replaceAll(/\d+(\.\d+)? ?m?s\b/g, '…');

function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !LEFT_OUT.has(key))
        .map(([key, each]) => [key, plain(each)]),
    );
  }
  return value as Json;
}
