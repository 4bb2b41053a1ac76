import { EXIT } from '../proof/exit-code.js';
import type { RunRecord } from '../record/schema.js';
import { writeRecord } from '../record/store.js';

export interface KeptRecord {
  /** As it is to be reported: one that could not be written says so, and has another exit code. */
  readonly record: RunRecord;
  /** Why it could not be written, in a whole sentence; null: it was. */
  readonly problem: string | null;
}

/**
 * Writes the record of a run into its folder. A run that leaves none has not done what it was
 * asked, whatever it proved; a code that tells of a failure stands.
 *
 * @param folder absolute
 */
export async function keepRecord(folder: string, record: RunRecord): Promise<KeptRecord> {
  const written = await writeRecord(folder, record);
  if (written.ok) return { record, problem: null };
  const problem = `The record was not kept. ${written.error.message}`;
  const isFailure = record.exitCode !== EXIT.proven && record.exitCode !== EXIT.nothing;
  const exitCode = isFailure ? record.exitCode : EXIT.internal;
  return { record: { ...withNotes(record, [problem]), exitCode }, problem };
}

/** With more to say under "not verified". */
export const withNotes = (record: RunRecord, notes: readonly string[]): RunRecord =>
  notes.length === 0 ? record : { ...record, notVerified: [...record.notVerified, ...notes] };
