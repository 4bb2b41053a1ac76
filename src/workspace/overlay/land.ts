/** Puts an edit into the overlay. Nothing of the user's is written, so nothing is journalled. */
import { lstat, mkdir, rename, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../result.js';
import { checksum } from '../checksum.js';
import { codeOf, reasonOf, writeNew } from '../durable.js';
import type { PlannedEdit } from '../inspect.js';
import { floorOf, makeNewer } from '../newer.js';

/** An edit that stands, or stood, in the overlay. */
export interface LandedEdit {
  readonly planned: PlannedEdit;
  /** Of the written file, as seconds for `utimes`; null: nothing was written. */
  readonly time: number | null;
}

/**
 * @param again the time that the file had before: landed again over a fresh layer, it is the
 *   same file to a build or cache that looks at times
 * @returns the edit, or a reason in one phrase to be read after its path
 */
export async function land(
  tree: string,
  planned: PlannedEdit,
  newest: Map<string, bigint>,
  again: number | null = null,
): Promise<Result<LandedEdit, string>> {
  const { record, edit } = planned;
  const path = join(tree, record.path);
  let time: number | null = null;
  try {
    if (edit.after === null) {
      await unlink(path);
    } else {
      await mkdir(dirname(path), { recursive: true });
      const { original } = record;
      const temporary = join(tree, record.temporary);
      await writeNew(temporary, edit.after, {
        mode: original?.mode ?? 0o666 & ~process.umask(),
        owner: original !== null && process.geteuid?.() === 0 ? original : null,
        times: null,
      });
      time = again ?? (await timeAfter(temporary, floorOf(record, newest)));
      await utimes(temporary, time, time);
      newest.set(record.path, (await lstat(temporary, { bigint: true })).mtimeNs);
      await rename(temporary, path);
    }
    if ((await checksum(path)) !== record.after)
      return err('it did not have the written bytes when it was read back');
    return ok({ planned, time });
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return err(reasonOf(error));
  }
}

/** After `floor`, and such that it can be given again to the bit: `utimes` takes seconds, and rounds. */
async function timeAfter(file: string, floor: bigint): Promise<number> {
  const milliseconds = Number((await makeNewer(file, floor)) / 1_000_000n);
  return (milliseconds + 2) / 1e3;
}
