/** Arguments that are not UTF-8: Node replaces their bytes, and what is left names another file. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { CommandError } from './exit.js';

const REPLACEMENT = '\u{FFFD}';

/**
 * A replacement character that somebody wrote is one too, so the bytes decide where the system
 * shows them. Asked only where there is such a character at all.
 *
 * @param args without node and the script
 * @param commandLine the process's arguments, each ended by a zero byte; null: not known
 * @throws CommandError for the first argument that is not UTF-8
 */
export function refuseOtherBytes(
  args: readonly string[],
  commandLine: () => Buffer | null = ownCommandLine,
): void {
  const shown = args.find((arg) => arg.includes(REPLACEMENT));
  if (shown === undefined) return;
  const bytes = commandLine();
  if (bytes !== null && isUtf8(bytes)) return;
  const written = bytes === null ? shown : (firstOther(bytes) ?? shown);
  throw new CommandError(
    `${written}: this argument is not UTF-8, so the file or text that it means cannot be told. Rename the file, or write the argument in UTF-8; nothing was run.`,
  );
}

/** The argument as `printf` would take it, its other bytes in octal digits. */
function firstOther(commandLine: Buffer): string | null {
  let start = 0;
  for (let end = commandLine.indexOf(0); end !== -1; end = commandLine.indexOf(0, start)) {
    const bytes = commandLine.subarray(start, end);
    if (!isUtf8(bytes)) {
      return bytes
        .toString('latin1')
        .replaceAll(/[^ -~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
    }
    start = end + 1;
  }
  return null;
}

function ownCommandLine(): Buffer | null {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return null;
  }
}
