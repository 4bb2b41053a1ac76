/** Where tests put what they need for a moment: empty and private in every step. */
import path from 'node:path';

/**
 * Folder under `scratch` that must exist before a test runs. Short: a Unix socket below TMPDIR has
 * 107 bytes in all, and Python's multiprocessing puts its own there.
 */
export const temporaryFolder = (scratch: string): string => path.join(scratch, 't');

/** Variables by which programs find it. */
export function temporaryVariables(scratch: string): Readonly<Record<string, string>> {
  const folder = temporaryFolder(scratch);
  return { TMPDIR: folder, TEMP: folder, TMP: folder };
}
