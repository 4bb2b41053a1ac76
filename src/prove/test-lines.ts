/** Runs of changed lines in a source file that holds tests too: those of the code, and those of the tests. */
import type { LineRun } from '../git/changed.js';
import { lineRuns } from '../mutation/line-runs.js';
import { latin1Of, splitLines, startOf, type Lines } from '../mutation/lines.js';
import type { Span } from '../mutation/file-change.js';

/** Beyond this the runs stay as git tells them. */
const DIFF_TIMEOUT_MS = 2000;

/**
 * git knows nothing of tests: it may take the brace that ends a function for the one that ends a
 * new test module behind it, and then the function cannot be taken back without the tests. Where
 * a run or an equal line is code on one side and test on the other, both are compared anew, each
 * for itself.
 */
export function apartFromTests(
  runs: readonly LineRun[],
  before: Buffer,
  after: Buffer,
  isTestLine: (bytes: Buffer, line: number) => boolean,
): readonly LineRun[] {
  const [old, fresh] = [sideOf(before, isTestLine), sideOf(after, isTestLine)];
  if (!isMixed(runs, old, fresh)) return runs;
  const code = runsOf(old, fresh, 'code');
  const tests = runsOf(old, fresh, 'tests');
  if (code === null || tests === null) return runs;
  return [...code, ...tests].toSorted((a, b) => a.fresh.from - b.fresh.from);
}

type Kind = 'code' | 'tests';

interface Side {
  readonly lines: Lines;
  /** By line: whether it is a test's. */
  readonly isTest: readonly boolean[];
}

/** Blank lines around tests go with them. */
function sideOf(bytes: Buffer, isTestLine: (bytes: Buffer, line: number) => boolean): Side {
  const lines = splitLines(bytes);
  const isTest: boolean[] = [];
  const blank: number[] = [];
  for (let line = 0; line < lines.count; line += 1) {
    if (latin1Of(lines, line).trim() === '') {
      isTest.push(isTest.at(-1) ?? false);
      blank.push(line);
      continue;
    }
    const own = isTestLine(bytes, line);
    isTest.push(own);
    if (own) for (const above of blank) isTest[above] = true;
    blank.length = 0;
  }
  return { lines, isTest };
}

function isMixed(runs: readonly LineRun[], old: Side, fresh: Side): boolean {
  let [ours, theirs] = [0, 0];
  for (const run of [...runs, { old: endOf(old), fresh: endOf(fresh) }]) {
    for (; ours < run.old.from; ours += 1, theirs += 1)
      if (old.isTest[ours] !== fresh.isTest[theirs]) return true;
    const kinds = [
      ...old.isTest.slice(run.old.from, run.old.to),
      ...fresh.isTest.slice(run.fresh.from, run.fresh.to),
    ];
    if (new Set(kinds).size > 1) return true;
    [ours, theirs] = [run.old.to, run.fresh.to];
  }
  return false;
}

const endOf = ({ lines }: Side): Span => ({ from: lines.count, to: lines.count });

/** null: it takes too long. */
function runsOf(old: Side, fresh: Side, kind: Kind): readonly LineRun[] | null {
  const [ours, theirs] = [linesOf(old, kind), linesOf(fresh, kind)];
  const runs = lineRuns(textsOf(old, ours), textsOf(fresh, theirs), DIFF_TIMEOUT_MS);
  return (
    runs?.flatMap(({ before, after }) =>
      runsBetween(pieces(ours, before), pieces(theirs, after)),
    ) ?? null
  );
}

function linesOf({ isTest }: Side, kind: Kind): readonly number[] {
  return isTest.flatMap((test, line) => (test === (kind === 'tests') ? [line] : []));
}

const textsOf = ({ lines: all }: Side, lines: readonly number[]): string[] =>
  lines.map((line) =>
    all.bytes.subarray(startOf(all, line), startOf(all, line + 1)).toString('latin1'),
  );

/** These lines as spans of the file: the other kind may stand between them. At least one, if empty. */
function pieces(lines: readonly number[], { from, to }: Span): readonly Span[] {
  const before = lines[from - 1];
  const place = before === undefined ? (lines[from] ?? 0) : before + 1;
  if (from === to) return [{ from: place, to: place }];
  const found: { from: number; to: number }[] = [];
  for (const line of lines.slice(from, to)) {
    const last = found.at(-1);
    if (last?.to === line) last.to = line + 1;
    else found.push({ from: line, to: line + 1 });
  }
  return found;
}

function runsBetween(old: readonly Span[], fresh: readonly Span[]): readonly LineRun[] {
  const count = Math.max(old.length, fresh.length);
  const nth = (spans: readonly Span[], index: number): Span => {
    const end = spans.at(-1)?.to ?? 0;
    return spans[index] ?? { from: end, to: end };
  };
  const runs = Array.from({ length: count }, (_, index) => ({
    old: nth(old, index),
    fresh: nth(fresh, index),
  }));
  return runs.filter(({ old: a, fresh: b }) => a.to > a.from || b.to > b.from);
}
