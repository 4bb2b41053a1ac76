/** A mutation put into a text that the tool itself takes: what it refuses is never written. */
import { err, ok, type Result } from '../result.js';
import type { SpecContext } from './check.js';
import type { Diagnostic } from './model.js';
import { makeSource } from './source.js';
import { readSpecFile } from './spec-file.js';
import { notHeld, type SpecToWrite, writeSpec } from './write.js';

/**
 * As `writeSpec`, and the result is read as `run` reads it. Faults that were there before are the
 * file's own.
 *
 * @returns diagnostics where the text would have a fault more
 */
export function writeAndRead(
  request: SpecToWrite,
  context: SpecContext,
): Result<string, readonly Diagnostic[]> {
  const { file, existing, mutation } = request;
  const written = writeSpec(request);
  if (!written.ok) return written;
  const faultsOf = (text: string): readonly Diagnostic[] =>
    readSpecFile(makeSource(file, text.replace(/^\ufeff/, '')), context).faults;
  const known = new Set(existing === null ? [] : faultsOf(existing).map(({ message }) => message));
  const fresh = faultsOf(written.value).filter(({ message }) => !known.has(message));
  if (fresh.length === 0) return ok(written.value);
  return err(fresh.map(({ message, hint }) => ({ ...notHeld(file, mutation.id, message), hint })));
}
