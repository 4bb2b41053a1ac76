/** A run of changed lines that holds source and the tests beside it is two changes. */
import { contentOf, splitLines } from '../mutation/lines.js';
import type { LineRun } from '../git/changed.js';
import type { Span } from './fix.js';
import { isTestLine } from './rust-tests.js';

export interface RunPart extends LineRun {
  readonly isTest: boolean;
}

interface Segment extends Span {
  readonly isTest: boolean;
}

/** Splits where tests begin or end, on both sides alike; a run that is more mixed stays source. */
export function splitRun(run: LineRun, before: Buffer, after: Buffer): readonly RunPart[] {
  const [old, fresh] = [segmentsOf(before, run.old), segmentsOf(after, run.fresh)];
  const order = orderOf(old, fresh);
  if (order === null) return [{ ...run, isTest: false }];
  if (order.length < 2) return [{ ...run, isTest: order[0] ?? false }];
  return order.map((isTest, index) => ({
    old: segmentFor(old, isTest, index === 0 ? run.old.from : run.old.to),
    fresh: segmentFor(fresh, isTest, index === 0 ? run.fresh.from : run.fresh.to),
    isTest,
  }));
}

/** Blank lines go with what is above them. */
function segmentsOf(bytes: Buffer, span: Span): readonly Segment[] {
  const lines = splitLines(bytes);
  const segments: Segment[] = [];
  for (let line = span.from; line < span.to; line += 1) {
    const last = segments.at(-1);
    const isBlank = contentOf(lines, line).toString('latin1').trim() === '';
    const isTest = isBlank && last !== undefined ? last.isTest : isTestLine(bytes, line);
    if (last?.isTest === isTest) segments[segments.length - 1] = { ...last, to: line + 1 };
    else segments.push({ from: line, to: line + 1, isTest });
  }
  return segments;
}

function orderOf(old: readonly Segment[], fresh: readonly Segment[]): readonly boolean[] | null {
  const [ours, theirs] = [old, fresh].map((side) => side.map(({ isTest }) => isTest));
  if (ours === undefined || theirs === undefined) return null;
  if (ours.length > 2 || theirs.length > 2) return null;
  if (ours.length === 2 && theirs.length === 2) return ours[0] === theirs[0] ? ours : null;
  if (ours.length === 2) return ours;
  if (theirs.length === 2) return theirs;
  return [...new Set([...ours, ...theirs])];
}

function segmentFor(segments: readonly Segment[], isTest: boolean, otherwise: number): Span {
  const found = segments.find((segment) => segment.isTest === isTest);
  return found === undefined
    ? { from: otherwise, to: otherwise }
    : { from: found.from, to: found.to };
}
