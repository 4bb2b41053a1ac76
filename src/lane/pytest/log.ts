/** The bounded log of one spawned command. */
import { writeFile } from 'node:fs/promises';
import type { BoundedOutput, ProcessEnd } from '../process.js';

/** Head and tail as one text; what was dropped between them is said in its place. */
export function outputText({ head, tail, dropped }: BoundedOutput): string {
  const gap = dropped === 0 ? '' : `\n[… ${String(dropped)} bytes left out …]\n`;
  return `${head.toString('utf8')}${gap}${tail.toString('utf8')}`;
}

/** Both streams, each under a heading, after the command that wrote them. */
export async function writeLog(
  file: string,
  command: readonly string[],
  end: ProcessEnd,
): Promise<void> {
  const body =
    end.kind === 'not-started'
      ? `not started: ${end.code} ${end.message}\n`
      : `--- stdout\n${outputText(end.stdout)}\n--- stderr\n${outputText(end.stderr)}\n`;
  await writeFile(file, `$ ${command.join(' ')}\n${body}`);
}
