import { readFile, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { isReadOnly } from '../spec/save-place.js';

/**
 * Puts other bytes into a file that a person wrote, in one step. A link is followed as long as
 * it stays in the tree.
 *
 * @param before what it must still hold
 * @returns in one phrase why it was left as it is; null: it was written
 */
export async function replaceFile(
  path: string,
  {
    before,
    after,
    tree,
  }: { readonly before: Buffer; readonly after: Buffer; readonly tree: string },
): Promise<string | null> {
  try {
    const real = await realpath(path);
    if (relative(tree, real).split(sep)[0] === '..')
      return 'it is a link to a file outside the tree';
    if (isReadOnly(real)) return 'it is read-only';
    if (!(await readFile(real)).equals(before)) return 'it was changed meanwhile';
    await writeFileAtomic(real, after);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
