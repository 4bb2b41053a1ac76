/** Drops compiled copies of a source file, so that the next run has to compile it. */
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Purges what it is given and all that it was given before: a fresh upper layer brings back the
 * compiled copy that lies in the user's tree, also for a run that mutates nothing.
 *
 * @param tree absolute; what is purged is relative to it
 * @param prefixes as in `purgeBytecode`; may grow
 */
export function createBytecodeGuard(
  tree: string,
  prefixes: ReadonlySet<string>,
): (paths: readonly string[]) => void {
  const known = new Set<string>();
  return (paths) => {
    for (const name of paths) known.add(path.resolve(tree, name));
    purgeBytecode([...known], [...prefixes]);
  };
}

/**
 * Removes the `.pyc` of these files: every interpreter, every optimisation level, and pytest's
 * own (`test_x.cpython-311-pytest-9.0.3.pyc`), beside the source and under each cache prefix.
 *
 * Python trusts a `.pyc` whose recorded size and whole-second time fit the source. An edit of
 * equal size within the same second runs the old code: of ordinary 0.4 s pytest runs, 7 of 10
 * mutants were never loaded and 3 of 10 restores stayed poisoned. Purging before every
 * transition, restores included, gave 0 of 40.
 *
 * @param files absolute paths of sources; others are passed over
 * @param prefixes absolute folders that PYTHONPYCACHEPREFIX (or `-X pycache_prefix`) names
 */
export function purgeBytecode(files: readonly string[], prefixes: readonly string[]): void {
  for (const file of files) {
    if (!file.endsWith('.py')) continue;
    const stem = path.basename(file, '.py');
    for (const folder of foldersOf(file)) {
      removeMatching(path.join(folder, '__pycache__'), stem);
      for (const prefix of prefixes) {
        const mirrored = path.join(prefix, folder.slice(path.parse(folder).root.length));
        removeMatching(mirrored, stem);
      }
    }
    // A sourceless `x.pyc` is dead beside its source and comes alive when that is deleted.
    if (!existsSync(file)) rmSync(file.replace(/\.py$/, '.pyc'), { force: true });
  }
}

/** The folder as named and as resolved: under a prefix these are two places. */
function foldersOf(file: string): ReadonlySet<string> {
  const folder = path.dirname(file);
  const folders = new Set([folder]);
  if (existsSync(folder)) folders.add(realpathSync(folder));
  if (existsSync(file)) folders.add(path.dirname(realpathSync(file)));
  return folders;
}

function removeMatching(folder: string, stem: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  const ours = names.filter((name) => name.startsWith(`${stem}.`) && name.endsWith('.pyc'));
  for (const name of ours) rmSync(path.join(folder, name), { force: true });
}
