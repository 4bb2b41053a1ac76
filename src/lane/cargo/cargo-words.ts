/** What cargo itself says where it refuses or cannot build, made fit for one line. */

/** A line of a report holds this much, so what is longer loses its middle and keeps its end. */
const LONGEST = 450;
const MOST_LINES = 6;
const CAUSE = 'Caused by:';

/**
 * What cargo wrote from its first `error:` on: what it could not do, then each cause. The last
 * cause is what a person can do something about, so it is never cut. There is no other channel
 * for a manifest that it does not understand or a build script that failed, and that they
 * failed is known without it.
 */
export function cargoWords(stderr: string): string | null {
  const lines = stderr.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  const first = lines.findIndex((line) => line.startsWith('error: '));
  const told = (first === -1 ? lines : lines.slice(first)).filter((line) => line !== '');
  if (told.length === 0) return null;
  if (first === -1) return told.at(-1) ?? '';
  const [head = '', ...causes] = blocksOf(told).map(shortened);
  const what = head.replace(/^error: /, '');
  const whole = [what, ...causes].join(': ');
  const root = causes.at(-1);
  if (whole.length <= LONGEST || root === undefined) return whole;
  const begin = what.slice(0, Math.max(0, LONGEST - root.length));
  return `${begin} … ${root.slice(0, LONGEST)}`;
}

/** The error, then one block for each cause; cargo's advice to its developers is left out. */
function blocksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line === CAUSE) blocks.push([]);
    else if (!line.startsWith('note: To improve backtraces')) blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

/** Of a long one, such as all that a build script printed, the first line and the last ones. */
function shortened(lines: readonly string[]): string {
  if (lines.length <= MOST_LINES) return lines.join(' ');
  const [first = ''] = lines;
  return [first, '…', ...lines.slice(1 - MOST_LINES)].join(' ');
}
