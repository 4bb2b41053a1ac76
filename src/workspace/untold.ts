/** What was set aside of somebody's work while nobody was there to be told of it. */
import { appendFile, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from './durable.js';
import { OWN_FOLDER } from './names.js';
import type { KeptWork } from './workspace.js';

const noteIn = (tree: string): string => join(tree, OWN_FOLDER, 'kept', 'untold.jsonl');

/** For the next start, or `recover`, to tell. Beside what was kept, so that its folder is there. */
export async function leaveWord(tree: string, kept: readonly KeptWork[]): Promise<void> {
  const lines = kept.map(({ path, keptAs }) => `${JSON.stringify({ path, keptAs })}\n`);
  if (lines.length > 0) await appendFile(noteIn(tree), lines.join(''));
}

/** What was left to be told, which from now on is whoever calls to tell. */
export async function takeWord(tree: string): Promise<readonly KeptWork[]> {
  try {
    const text = await readFile(noteIn(tree), 'utf8');
    await unlink(noteIn(tree));
    return text.split('\n').flatMap(wordIn);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** A line that a kill cut short names nothing. */
function wordIn(line: string): readonly KeptWork[] {
  try {
    const found: unknown = JSON.parse(line);
    if (typeof found !== 'object' || found === null) return [];
    if (!('path' in found) || !('keptAs' in found)) return [];
    const { path, keptAs } = found;
    return typeof path === 'string' && typeof keptAs === 'string' ? [{ path, keptAs }] : [];
  } catch {
    return [];
  }
}
