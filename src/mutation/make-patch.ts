import { append } from '../lists.js';
import { err, ok, type Result } from '../result.js';
import { DIFF_TIMEOUT_MS, type Difference, differenceOf } from './difference.js';
import { lineRuns } from './line-runs.js';
import { contentOf, displayText, type Lines, splitLines, startOf, terminatorOf } from './lines.js';
import { applyPatch } from './patch.js';

const LEAST_CONTEXT = 3;

/**
 * The patch that leads from one version of a file to another by content alone: a hunk under a
 * bare `@@` for each run of changed lines, its context grown until it fits in one place only,
 * and all of them together giving exactly `after`.
 *
 * @returns why there is none: bytes that no text patch can carry (NUL, a change of endings only)
 */
export function makePatch(path: string, before: Buffer, after: Buffer): Result<string, string> {
  const files = { path, old: splitLines(before), fresh: splitLines(after) };
  const whole = differenceOf(files.old, files.fresh);
  // Where line ends are mixed, one run may come out right where several do not.
  const patch = patchOf(runsIn(whole, files), files) ?? patchOf([whole], files);
  return patch === null ? err('this change cannot be written as a patch by content') : ok(patch);
}

interface Files {
  readonly path: string;
  readonly old: Lines;
  readonly fresh: Lines;
}

function patchOf(differences: readonly Difference[], { path, old, fresh }: Files): string | null {
  const fits = (text: string): Buffer | null => {
    const applied = applyPatch(old, path, text, null);
    return applied.ok ? applied.value : null;
  };
  let runs: readonly Run[] = differences.map((run) => ({ run, context: LEAST_CONTEXT }));
  for (;;) {
    const hunks = hunksOf(runs, old);
    const texts = hunks.map((hunk) => hunkText(old, fresh, hunk));
    const loose = new Set(hunks.filter((_, index) => fits(texts[index] ?? '') === null).flat());
    const whole = texts.join('');
    if (loose.size === 0 && fits(whole)?.equals(fresh.bytes) === true) return whole;
    const grown = runs.map((one) => (loose.size === 0 || loose.has(one) ? wider(one, old) : one));
    if (grown.every((one, index) => one === runs[index])) return null;
    runs = grown;
  }
}

/** A run of changed lines, and how many lines around it its hunk shows at least. */
interface Run {
  readonly run: Difference;
  readonly context: number;
}

function wider(one: Run, old: Lines): Run {
  const { before } = one.run;
  const most = Math.max(before.from, old.count - before.to, LEAST_CONTEXT);
  return one.context >= most ? one : { ...one, context: Math.min(one.context * 2, most) };
}

/** Runs that share lines of context are one hunk. */
function hunksOf(runs: readonly Run[], old: Lines): readonly (readonly Run[])[] {
  const hunks: Run[][] = [];
  let bottom = -1;
  for (const one of runs) {
    const { from, to } = one.run.before;
    const last = hunks.at(-1);
    if (last !== undefined && from - one.context <= bottom) last.push(one);
    else hunks.push([one]);
    bottom = Math.max(bottom, Math.min(old.count, to + one.context));
  }
  return hunks;
}

function runsIn({ before, after }: Difference, { old, fresh }: Files): readonly Difference[] {
  if (old.hasBom !== fresh.hasBom) return [{ before, after }];
  const runs = lineRuns(rawLines(old, before), rawLines(fresh, after), DIFF_TIMEOUT_MS);
  // Where that takes too long: one run over all that differs is right as well, only longer.
  if (runs === null) return [{ before, after }];
  const moved = ({ from, to }: Difference['before'], by: number): Difference['before'] => ({
    from: from + by,
    to: to + by,
  });
  return runs.map((run) => ({
    before: moved(run.before, before.from),
    after: moved(run.after, after.from),
  }));
}

/** Each line with its end, a character per byte. */
const rawLines = (lines: Lines, { from, to }: Difference['before']): string[] =>
  Array.from({ length: to - from }, (_, offset) =>
    lines.bytes.toString(
      'latin1',
      startOf(lines, from + offset),
      startOf(lines, from + offset + 1),
    ),
  );

function hunkText(old: Lines, fresh: Lines, hunk: readonly Run[]): string {
  let [top, changed, bottom] = [old.count, 0, 0];
  for (const { run, context } of hunk) {
    top = Math.min(top, Math.max(0, run.before.from - context));
    changed = Math.max(changed, run.before.to);
    bottom = Math.max(bottom, Math.min(old.count, run.before.to + context));
  }
  // A hunk that ends with an empty line would lose it in an editor that strips blanks.
  while (bottom > changed && bottom < old.count && contentOf(old, bottom - 1).length === 0)
    bottom -= 1;
  const lines: string[] = [];
  let done = top;
  for (const { run } of hunk) {
    append(lines, linesOf(old, done, run.before.from, ' '));
    append(lines, linesOf(old, run.before.from, run.before.to, '-'));
    append(lines, linesOf(fresh, run.after.from, run.after.to, '+'));
    done = run.before.to;
  }
  append(lines, linesOf(old, done, bottom, ' '));
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
