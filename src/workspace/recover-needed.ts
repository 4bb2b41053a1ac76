/** What a killed run has left in the tree. Changes nothing, and needs no lock. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal } from './journal.js';
import { lifeOf } from './owner.js';
import { stateOf } from './standing.js';

/**
 * Tree-relative paths of files in which a mutant stands, though whoever put it there has ended.
 * What lives may be about to restore.
 */
export async function mutantsLeft(
  tree: string,
  environment?: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const real = await realpath(tree);
  const { entries } = await (await openJournal({ tree: real, environment })).read();
  const left = new Set<string>();
  for (const { entry } of entries) {
    if (entry.kind !== 'edits' || lifeOf(entry.owner) === 'alive') continue;
    for (const file of entry.files)
      if ((await stateOf(join(real, file.path), file)) === 'mutant') left.add(file.path);
  }
  return [...left];
}
