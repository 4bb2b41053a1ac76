/** The branch that others start from, and where a commit left it. */
import {
  countCommits,
  currentBranch,
  existingRefs,
  mergeBase,
  symbolicTarget,
} from '../git/history.js';
import type { GitProblem } from '../git/run.js';
import { ok, type Result } from '../result.js';

/** Names of the branch that others start from, the likeliest first. */
export const DEFAULT_BRANCHES: readonly string[] = [
  'main',
  'master',
  'trunk',
  'develop',
  'development',
  'devel',
  'dev',
];
export const REMOTES: readonly string[] = ['upstream', 'origin'];

export interface Base {
  readonly name: string;
  readonly commit: string;
  readonly ahead: number;
}

/** @param branch full ref, such as `refs/heads/main`; null: none is checked out */
export const isDefault = (branch: string | null): boolean =>
  branch !== null && DEFAULT_BRANCHES.includes(branch.replace('refs/heads/', ''));

/** What `HEAD` of a remote names comes before the usual names. */
const namesOf = (declared: readonly string[]): readonly string[] => [
  ...new Set([...declared.map((ref) => ref.split('/').slice(3).join('/')), ...DEFAULT_BRANCHES]),
];

/** Full refs that may be the default branch. */
export const candidates = (declared: readonly string[]): readonly string[] =>
  namesOf(declared).flatMap((name) => [
    ...REMOTES.map((remote) => `refs/remotes/${remote}/${name}`),
    `refs/heads/${name}`,
  ]);

/**
 * One default branch, in all the places where it is: `develop` is none where `main` is. The
 * branch that is checked out cannot be compared with itself.
 *
 * @param declared what the remotes' `HEAD` name, as full refs
 */
export function defaultRefs(
  existing: readonly string[],
  declared: readonly string[],
  checkedOut: string | null,
): readonly string[] {
  const others = existing.filter((ref) => ref !== checkedOut);
  const placesOf = (name: string): readonly string[] => {
    const places = new Set([
      `heads/${name}`,
      ...REMOTES.map((remote) => `remotes/${remote}/${name}`),
    ]);
    return others.filter((ref) => places.has(ref.replace('refs/', '')));
  };
  return (
    namesOf(declared)
      .map(placesOf)
      .find((refs) => refs.length > 0) ?? []
  );
}

/** The default branch wherever it is, with how far the commit is ahead of where it left each. */
export async function basesOf(
  dir: string,
  head: string,
): Promise<Result<readonly Base[], GitProblem>> {
  const [branch, ...heads] = await Promise.all([
    currentBranch(dir),
    ...REMOTES.map((remote) => symbolicTarget(dir, `refs/remotes/${remote}/HEAD`)),
  ]);
  const declared = heads.filter((ref) => ref !== null);
  const refs = await existingRefs(dir, candidates(declared));
  if (!refs.ok) return refs;
  const bases: Base[] = [];
  for (const ref of defaultRefs([...refs.value.keys()], declared, branch)) {
    const base = await mergeBase(dir, refs.value.get(ref) ?? '', head);
    if (!base.ok) return base;
    if (base.value === null) continue;
    const count = await countCommits(dir, base.value, head);
    if (!count.ok) return count;
    const shown = ref.replace(/^refs\/(heads|remotes)\//, '');
    bases.push({ name: shown, commit: base.value, ahead: count.value });
  }
  return ok(bases);
}
