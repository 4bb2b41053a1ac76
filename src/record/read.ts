/** From a path or a stamp to a validated record. */
import { z } from 'zod';
import { type Result, err, ok } from '../result.js';
import { type RunRecord, SCHEMA_VERSION, recordSchema } from './schema.js';
import { type StoreProblem, findRecord } from './store.js';

/** At most this many faults of one record are named: the first ones explain the rest. */
const SHOWN_FAULTS = 3;

const versioned = z.object({ schemaVersion: z.number() });

/** Validates the text of a record. `name` stands in the messages. */
export function parseRecord(text: string, name: string): Result<RunRecord, StoreProblem> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return err({
      message: `${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'a record is written whole; this file was cut or is something else',
    });
  }
  const version = versioned.safeParse(data);
  if (!version.success) {
    return err({
      message: `${name} is not a record of Counterproof: no schemaVersion.`,
      hint: null,
    });
  }
  if (version.data.schemaVersion > SCHEMA_VERSION) {
    return err({
      message: `${name} has schema version ${version.data.schemaVersion}; this Counterproof reads up to ${SCHEMA_VERSION}.`,
      hint: 'read it with the version of Counterproof that wrote it, or a newer one',
    });
  }
  const parsed = recordSchema.safeParse(data);
  if (parsed.success) return ok(parsed.data);
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const more = faults.length > SHOWN_FAULTS ? `; and ${faults.length - SHOWN_FAULTS} more` : '';
  return err({
    message: `${name} is not a valid record: ${faults.slice(0, SHOWN_FAULTS).join('; ')}${more}`,
    hint: null,
  });
}

/**
 * Reads a record: `name` is its file, the folder that holds it, a run's stamp or `last`; stamps
 * are looked up in the runs folder of `tree` (absolute).
 */
export async function readRecord(
  name: string,
  tree: string,
): Promise<Result<RunRecord, StoreProblem>> {
  const found = await findRecord(name, tree);
  return found.ok ? parseRecord(found.value.text, found.value.path) : found;
}
