/** Text from outside, made fit for one line, and how a process ended in words. */
import { stripVTControlCharacters } from 'node:util';
import { unreachable } from '../result.js';
import { outputBytes, type BoundedOutput, type ProcessEnd } from './process.js';

const LONGEST = 500;

/** One line of at most 500 characters, without control characters and colour codes. */
export function oneLine(text: string): string {
  const plain = stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
  // A pair that the cut would split goes whole.
  return plain
    .trim()
    .slice(0, LONGEST)
    .replace(/[\uD800-\uDBFF]$/, '');
}

export const outputText = (output: BoundedOutput): string => outputBytes(output).toString('utf8');

export const stdoutOf = (end: ProcessEnd): string =>
  end.kind === 'not-started' ? '' : outputText(end.stdout);

export const stderrOf = (end: ProcessEnd): string =>
  end.kind === 'not-started' ? '' : outputText(end.stderr);

/** `exit 0`, `SIGABRT`, `SIGABRT (stack overflow)`. */
export function howEnded(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${String(end.code)}`;
    case 'signalled':
      return overflowed(end) ? `${end.signal} (stack overflow)` : end.signal;
    case 'timeout':
      return 'the time limit';
    case 'out-of-memory':
      return 'the memory limit';
    case 'stopped':
      return 'stopped';
    case 'cancelled':
      return 'cancelled';
    case 'not-started':
      return `not started: ${end.code} ${end.message}`;
    default:
      return unreachable(end);
  }
}

/** The standard library's handler says it before it aborts. */
const overflowed = (end: ProcessEnd): boolean =>
  /^thread '.*'(?: \(\d+\))? has overflowed its stack$/m.test(stderrOf(end));

/** The last line that says something: what a person would look at first. */
export const lastWords = (text: string): string | null =>
  text
    .split('\n')
    .map(oneLine)
    .findLast((line) => line !== '') ?? null;
