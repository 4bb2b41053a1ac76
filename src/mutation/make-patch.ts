import { err, ok, type Result } from '../result.js';
import { differenceOf } from './difference.js';
import { contentOf, displayText, type Lines, splitLines, terminatorOf } from './lines.js';
import { applyPatch } from './patch.js';

const LEAST_CONTEXT = 3;

/**
 * The patch that leads from one version of a file to another by content alone: one hunk under
 * a bare `@@`, its context grown until it fits in one place only and gives exactly `after`.
 *
 * @returns why there is none: bytes that no text patch can carry (NUL, a change of endings only)
 */
export function makePatch(path: string, before: Buffer, after: Buffer): Result<string, string> {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const difference = differenceOf(old, fresh);
  const most = Math.max(difference.before.from, old.count - difference.before.to, LEAST_CONTEXT);
  for (let context = LEAST_CONTEXT; ; context = Math.min(context * 2, most)) {
    const patch = hunkText(old, fresh, difference, context);
    const applied = applyPatch(old, path, patch, null);
    if (applied.ok && applied.value.equals(after)) return ok(patch);
    if (context >= most) {
      return err('this change cannot be written as a patch by content');
    }
  }
}

function hunkText(
  old: Lines,
  fresh: Lines,
  { before, after }: ReturnType<typeof differenceOf>,
  context: number,
): string {
  const top = Math.max(0, before.from - context);
  let bottom = Math.min(old.count, before.to + context);
  // A hunk that ends with an empty line would lose it in an editor that strips blanks.
  while (bottom > before.to && bottom < old.count && contentOf(old, bottom - 1).length === 0)
    bottom -= 1;
  const lines = [
    ...linesOf(old, top, before.from, ' '),
    ...linesOf(old, before.from, before.to, '-'),
    ...linesOf(fresh, after.from, after.to, '+'),
    ...linesOf(old, before.to, bottom, ' '),
  ];
  // An empty line is one of context, and a spec that has no blanks at line ends reads as a block.
  const last = lines.length - 1;
  const readable = lines.map((line, index) => (line === ' ' && index < last ? '' : line));
  return ['@@', ...readable, ''].join('\n');
}

function linesOf(lines: Lines, from: number, to: number, sign: string): readonly string[] {
  const text: string[] = [];
  for (let index = from; index < to; index += 1) {
    text.push(sign + displayText(contentOf(lines, index)));
    if (terminatorOf(lines, index) === '') text.push('\\ No newline at end of file');
  }
  return text;
}
