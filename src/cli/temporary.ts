import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { CommandError } from './exit.js';

/**
 * Steps, and what is asked of git, keep files there for a moment.
 *
 * @throws CommandError where that cannot be
 */
export function requireTemporaryFolder(): void {
  const folder = tmpdir();
  const why = problemOf(folder);
  if (why === null) return;
  throw new CommandError(
    `Temporary files cannot be kept in ${folder}: ${why}.\nName another folder in TMPDIR, or unset it.`,
  );
}

function problemOf(folder: string): string | null {
  if (!isAbsolute(folder)) return 'it is not an absolute path';
  try {
    if (!statSync(folder).isDirectory()) return 'it is not a folder';
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' ? 'it does not exist' : 'it cannot be written';
  }
}
