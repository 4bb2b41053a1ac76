/** The bounded log of one spawned command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BoundedOutput, ProcessEnd } from '../process.js';

/** Head and tail as one text; what was dropped between them is said in its place. */
export function outputText({ head, tail, dropped }: BoundedOutput): string {
  const gap = dropped === 0 ? '' : `\n[… ${String(dropped)} bytes left out …]\n`;
  return `${head.toString('utf8')}${gap}${tail.toString('utf8')}`;
}

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
