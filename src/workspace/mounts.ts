/** What is mounted where: a file that is a mount itself cannot be renamed over. */
import { readFileSync } from 'node:fs';

/** Absolute paths of all mount points as this process sees them; null: not to be found out here. */
export function mountPoints(): ReadonlySet<string> | null {
  let text;
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return null;
  }
  return parseMountInfo(text);
}

/** The fifth field of each line, in which space, tab, newline and backslash are octal escapes. */
export function parseMountInfo(text: string): ReadonlySet<string> {
  const points = new Set<string>();
  for (const line of text.split('\n')) {
    const point = line.split(' ')[4];
    if (point === undefined) continue;
    points.add(
      point.replace(/\\([0-7]{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
      ),
    );
  }
  return points;
}
