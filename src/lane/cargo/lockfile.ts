import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { trackedFiles } from '../../git/tree.js';

const LOCKFILE = 'Cargo.lock';

const lockfileOf = (workspace: string): string => path.join(workspace, LOCKFILE);

/** The lock file of a workspace that had none: every build writes one, and it is nobody's edit. */
export interface Lockfile {
  /** To be called after each build. */
  readonly look: () => void;
  /** What is to be said of it. */
  readonly notes: () => readonly string[];
  /** Takes it away, unless somebody has written it anew since the last build. */
  readonly takeAway: () => void;
}

/**
 * Which file it is is kept beside the builds, so that one that a killed run left is known to the
 * next.
 *
 * @param workspace absolute, before the first build
 * @param folder absolute; of the tree's builds
 */
export function openLockfile(workspace: string, folder: string): Lockfile {
  const file = lockfileOf(workspace);
  const key = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  const kept = path.join(folder, `lockfile.${key}`);
  const first = identityOf(file);
  const isOurs = first === null || first === textOf(kept);
  let last = isOurs ? first : null;
  return {
    look() {
      if (!isOurs) return;
      const now = identityOf(file);
      if (now === last) return;
      last = now;
      if (now !== null) writeFileSync(kept, now);
    },
    notes: () =>
      last === null
        ? []
        : ['cargo wrote Cargo.lock, which was not there before: it goes when the lane is closed'],
    takeAway() {
      if (!isOurs) return;
      try {
        if (last !== null && identityOf(file) === last) rmSync(file, { force: true });
        rmSync(kept, { force: true });
      } catch {
        // What cannot be taken away has been noted, and the next lane tries again.
      }
    },
  };
}

/** null: it is not there. */
function identityOf(file: string): string | null {
  const there = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return there === undefined ? null : [there.ino, there.size, there.mtimeNs].join(' ');
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** A lock file that git keeps is not to be written by a build that only looks. */
export async function lockArguments(
  tree: string,
  workspace: string,
  given: readonly string[],
): Promise<readonly string[]> {
  if (given.includes('--locked') || given.includes('--frozen')) return [];
  if (!existsSync(lockfileOf(workspace))) return [];
  const tracked = await trackedFiles(tree);
  const name = path.relative(tree, lockfileOf(workspace)).replaceAll(path.sep, '/');
  return tracked.ok && tracked.value.paths.includes(name) ? ['--locked'] : [];
}
