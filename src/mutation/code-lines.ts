/** The lines that a person names to take something away: without blank lines and comments around. */
import { err, ok, type Result } from '../result.js';
import { latin1Of, type Lines } from './lines.js';

/** 0-based lines, `to` inclusive. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

export const meets = (a: LineSpan, b: LineSpan): boolean => a.from <= b.to && b.from <= a.to;
export const holds = (outer: LineSpan, inner: LineSpan): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;

/**
 * @param from 1-based, as `to`, which is inclusive
 * @returns why there is no code on these lines, as a whole clause
 */
export function codeSpan(
  lines: Lines,
  from: number,
  to: number,
  isCode: (index: number) => boolean,
): Result<LineSpan, string> {
  if (from < 1 || to < from || to > lines.count)
    return err(`lines ${from} to ${to} are not in the file, which has ${lines.count}`);
  let [first, last] = [from - 1, to - 1];
  while (first <= last && !isCode(first)) first += 1;
  while (last >= first && !isCode(last)) last -= 1;
  return first > last ? err(nothingOn(lines, from, to, isCode)) : ok({ from: first, to: last });
}

function nothingOn(
  lines: Lines,
  from: number,
  to: number,
  isCode: (index: number) => boolean,
): string {
  const kind = latin1Of(lines, from - 1).trim() === '' ? 'is blank' : 'is a comment';
  const what = from === to ? `line ${from} ${kind}` : `lines ${from} to ${to} hold no code`;
  for (let index = to; index < lines.count; index += 1)
    if (isCode(index)) return `${what}; the next code is on line ${index + 1}`;
  return what;
}
