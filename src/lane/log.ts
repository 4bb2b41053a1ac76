/** The bounded log of one spawned command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessEnd } from './process.js';
import { outputText } from './words.js';

/**
 * Both streams, each under a heading, after the command that wrote them. Never fails: a full
 * disk, or a folder that `git clean -xfd` took, must not cost the run what it measured.
 *
 * @returns whether the log is there
 */
export function writeLog(file: string, command: readonly string[], end: ProcessEnd): boolean {
  const body =
    end.kind === 'not-started'
      ? `not started: ${end.code} ${end.message}\n`
      : `--- stdout\n${outputText(end.stdout)}\n--- stderr\n${outputText(end.stderr)}\n`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `$ ${command.join(' ')}\n${body}`);
    return true;
  } catch {
    return false;
  }
}
