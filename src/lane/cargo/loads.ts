/** Whether what was written is what was built: an input of a unit that cargo compiled since. */
import type { LoadEvidence } from '../../proof/evidence.js';
import { unreachable } from '../../result.js';
import type { Unit } from './units.js';

export interface WrittenFile {
  /** Tree-relative. */
  readonly path: string;
  /** Absolute, symlinks resolved. */
  readonly file: string;
  /** SHA-256 before the build began and after it ended; null: absent. */
  readonly before: string | null;
  readonly after: string | null;
}

export type BuildProof =
  | { readonly kind: 'rebuilt'; readonly units: readonly Unit[] }
  /** No unit has it as an input. */
  | { readonly kind: 'no-input' }
  /** Units with it as an input that cargo took for fresh, although it was written. */
  | { readonly kind: 'fresh'; readonly units: readonly Unit[] }
  /** Somebody wrote into it during the build. */
  | { readonly kind: 'unsteady' };

/**
 * That something was rebuilt is not enough: an orphan file beside a library that was rebuilt for
 * another reason is in no build at all. And every unit must be: a library is compiled once for
 * its own tests and once for those of others.
 */
export function proveBuild(written: WrittenFile, units: readonly Unit[]): BuildProof {
  const concerned = units.filter(({ inputs }) => inputs.has(written.file));
  if (concerned.length === 0) return { kind: 'no-input' };
  if (written.before !== written.after) return { kind: 'unsteady' };
  const fresh = concerned.filter(({ artifact }) => artifact.fresh);
  return fresh.length > 0 ? { kind: 'fresh', units: fresh } : { kind: 'rebuilt', units: concerned };
}

const MOST_NAMED = 3;

/** Units by their labels, of which the last stand as a number. */
function named(units: readonly Unit[]): string {
  // A library is compiled more than once where its dependents need it in several ways.
  const labels = [...new Set(units.map(({ label }) => label))];
  const more = labels.length - MOST_NAMED;
  return labels.toSorted().slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** @param whyNot why no unit has the file as an input */
export function loadEvidence(
  written: WrittenFile,
  proof: BuildProof,
  whyNot: string,
): LoadEvidence {
  const { path } = written;
  const none = { path, sha256: null, elsewhere: null, by: null } as const;
  switch (proof.kind) {
    case 'rebuilt':
      return {
        ...none,
        proof: 'rebuilt',
        sha256: written.after,
        by: named(proof.units),
      };
    case 'fresh':
      return { ...none, proof: 'cached', why: `cargo took ${named(proof.units)} for unchanged` };
    case 'unsteady':
      return { ...none, proof: 'none', why: 'it was written to while it was built' };
    case 'no-input':
      return { ...none, proof: 'none', why: whyNot };
    default:
      return unreachable(proof);
  }
}
