/** Proofs without evidence for one and the same cause: what is said of one is said of all, once. */
import type { ProofRecord, RunRecord } from '../record/schema.js';
import { faceOf } from './face.js';
import { notVerifiedOf } from './wording.js';

/** Proofs of which a report says the same, in the order of the record; most are alone. */
export type Alike = readonly [ProofRecord, ...ProofRecord[]];

/** Two are read as fast as one with a heading for both. */
const LEAST = 3;

/** Groups in the order of their first member. Only what has no evidence is ever put together. */
export function groupAlike(proofs: readonly ProofRecord[]): readonly Alike[] {
  return together(proofs, causeOf);
}

/** Null: this proof has a cause of its own. */
function causeOf(proof: ProofRecord): string | null {
  const { lane, verdict, reason, facts, next, kept } = proof;
  if (faceOf(proof) !== 'no-evidence' || kept.length > 0) return null;
  return JSON.stringify([lane, verdict, reason, facts, next]);
}

/** `m0 and 23 more` */
export const namesIn = ([first, ...others]: Alike): string =>
  namesOf([first.id, ...others.map(({ id }) => id)]);

function namesOf([first, ...others]: readonly [string, ...string[]]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

interface Gap {
  readonly text: string;
  /** Of the mutation that it is a gap of; null: of something else. */
  readonly id: string | null;
  readonly what: string;
}

/** Everything not verified; a gap that several proofs share stands once, with the names of all. */
export function gapsOf(record: RunRecord): readonly string[] {
  // A mutation may be called as the gaps of a lane begin.
  const lanes = new Set(record.lanes.map(({ name }) => `lane ${name}`));
  const ids = new Set(record.proofs.map(({ id }) => id).filter((id) => !lanes.has(id)));
  const gaps = notVerifiedOf(record).map((text): Gap => {
    const id = [...text.matchAll(/: /g)]
      .map(({ index }) => text.slice(0, index))
      .findLast((start) => ids.has(start));
    return { text, id: id ?? null, what: id === undefined ? text : text.slice(id.length + 2) };
  });
  return together(gaps, ({ id, what }) => (id === null ? null : what)).map((group) => {
    const [first, ...others] = group;
    if (first.id === null || others.length === 0) return first.text;
    return `${namesOf([first.id, ...others.map(({ id }) => id ?? '')])}: ${first.what}`;
  });
}

function together<T>(
  all: readonly T[],
  keyOf: (one: T) => string | null,
): readonly (readonly [T, ...T[]])[] {
  const byKey = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === null) continue;
    const group = byKey.get(key) ?? [];
    group.push(one);
    byKey.set(key, group);
  }
  return all.flatMap((one): readonly (readonly [T, ...T[]])[] => {
    const group = byKey.get(keyOf(one) ?? '') ?? [];
    const [first, ...others] = group;
    if (first === undefined || group.length < LEAST) return [[one]];
    return first === one ? [[first, ...others]] : [];
  });
}
