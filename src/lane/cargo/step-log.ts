/** The bounded log of a step that starts many processes. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessEnd } from '../process.js';
import { howEnded, stderrOf, stdoutOf } from '../words.js';

export interface StepLog {
  readonly add: (command: readonly string[], end: ProcessEnd) => void;
  /** Never fails: a full disk must not cost the run what it measured. */
  readonly write: () => Promise<void>;
}

/** @param limitBytes Once reached, further commands are counted and not shown. */
export function stepLog(file: string, limitBytes: number): StepLog {
  const parts: string[] = [];
  let bytes = 0;
  let left = 0;
  return {
    add(command, end) {
      if (bytes > limitBytes) {
        left += 1;
        return;
      }
      const part = `$ ${command.join(' ')}\n--- stdout\n${stdoutOf(end)}\n--- stderr\n${stderrOf(end)}\n--- ${howEnded(end)}\n\n`;
      bytes += Buffer.byteLength(part);
      parts.push(part);
    },
    async write() {
      const rest = left === 0 ? '' : `[… ${String(left)} further commands are left out here …]\n`;
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, parts.join('') + rest);
      } catch {
        // See above.
      }
    },
  };
}
