/** One folder of a journal: the names in it, and what may be believed of them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { readContent } from './checksum.js';
import { codeOf, isAbsent, reasonOf, unlinkIfThere } from './durable.js';
import { decodeEntry, type JournalEntry } from './entry.js';

export const ENTRY = '.json';
export const UNFINISHED = '.json.new';
const COPY = '.original';

export const copyName = (id: string, index: number): string => `${id}.${index}${COPY}`;

/** Base names in a folder; none where it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** An entry, or in one sentence why it cannot be used. */
export async function readEntry(path: string, id: string): Promise<Result<JournalEntry, string>> {
  try {
    const content = await readContent(path);
    const entry = content === null ? null : decodeEntry(content.bytes);
    if (entry?.id === id) return ok(entry);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return err(
      `this journal entry cannot be read: ${reasonOf(error)}; was the run another user's?`,
    );
  }
  return err(
    'this journal entry is damaged, so what it stands for is not known: compare its ' +
      '*.original files with the tree, put back by hand what is missing, then delete them all',
  );
}

/** Removes an entry with its copies. */
export async function drop(folder: string, id: string): Promise<void> {
  for (const file of await namesIn(folder)) {
    if (file.startsWith(`${id}.`)) await unlinkIfThere(join(folder, file));
  }
}

/** Takes away what belongs to no entry in any of these folders, and entries without a name. */
export async function sweepFolders(folders: readonly string[]): Promise<void> {
  const listed = await Promise.all(folders.map(namesIn));
  const needed = new Set(
    listed.flat().flatMap((name) => (name.endsWith(ENTRY) ? [name.slice(0, -ENTRY.length)] : [])),
  );
  for (const [index, folder] of folders.entries()) {
    for (const name of listed[index] ?? []) {
      const id = name.slice(0, name.indexOf('.'));
      const ours = name.endsWith(UNFINISHED) || name.endsWith(COPY);
      if (ours && (name.endsWith(UNFINISHED) || !needed.has(id))) {
        await unlinkIfThere(join(folder, name));
      }
    }
  }
}
