/** Verdicts about files: whether they came back, whether the edit landed, whether somebody else wrote. */
import type { Facts } from '../facts.js';
import type { Verdict } from '../verdict.js';

/** A file of the user's is not what it was, or nobody said that it is. */
export function notRestored({ evidence }: Facts): Verdict | null {
  const { restore, files, mutated } = evidence;
  if (restore?.kind === 'failed') {
    const { path, why, original } = restore;
    return { code: 'not-restored', files: [{ path, why }], original };
  }
  if (restore === null) {
    if (mutated === null || files.length === 0) return null;
    const why = 'the restore was never confirmed';
    return {
      code: 'not-restored',
      files: files.map(({ path }) => ({ path, why })),
      original: null,
    };
  }
  // An overlay gives a file back by going; other bytes than before are the user's own.
  if (restore.kind === 'changed') return null;
  const changed = files.filter(({ baseline, restored }) => baseline !== restored);
  if (changed.length === 0) return null;
  const why = 'its checksum is not that of the baseline';
  return {
    code: 'not-restored',
    files: changed.map(({ path }) => ({ path, why })),
    original: null,
  };
}

/** Also the last guard against an edit that was reported as landed, but changed no byte. */
export function notApplied({ evidence }: Facts): Verdict | null {
  if (evidence.notApplied !== null) return { code: 'not-applied', problem: evidence.notApplied };
  if (evidence.mutated === null) return null;
  const what = 'the edit';
  const same = evidence.files.find(({ baseline, mutated }) => baseline === mutated);
  if (same !== undefined) {
    return { code: 'not-applied', problem: { kind: 'no-change', path: same.path, what } };
  }
  if (evidence.files.length > 0) return null;
  const [first] = evidence.mutation.edits;
  const path = first !== undefined && 'file' in first ? first.file : '(no file)';
  return { code: 'not-applied', problem: { kind: 'no-change', path, what } };
}

/** Somebody's bytes in a mutated file mean that the lane may have run on them. */
export function treeTouched({ evidence }: Facts): Verdict | null {
  const { restore } = evidence;
  const kept = restore?.kind === 'kept' ? restore.kept : [];
  const below = restore?.kind === 'changed' ? restore.changed : [];
  const named = new Set(evidence.touched.map(({ path }) => path));
  const touched = [
    ...evidence.touched,
    ...below.filter((path) => !named.has(path)).map((path) => ({ path, by: 'somebody' as const })),
  ];
  if (touched.length === 0 && kept.length === 0) return null;
  return { code: 'tree-touched', touched, kept };
}
