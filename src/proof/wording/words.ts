/** What the wordings of all verdicts share. */
import type { Verdict, VerdictCode } from '../verdict.js';

export interface VerdictText {
  /** One sentence. */
  readonly reason: string;
  /** What it rests on, a line each. */
  readonly facts: readonly string[];
  /** What to do about it, a line each. */
  readonly next: readonly string[];
}

/** The verdict of one code. */
export type Found<C extends VerdictCode> = Extract<Verdict, { readonly code: C }>;

/** Lists in facts are cut here; the record holds them whole. */
const MOST = 10;

/** Ends a sentence whose last words may be somebody else's, full stop and all. */
export const sentence = (text: string): string => (/[.!?\u2026]$/.test(text) ? text : `${text}.`);

export const tests = (n: number): string => (n === 1 ? '1 test' : `${n} tests`);

/** The first one by name, the rest by number. */
export function names(list: readonly string[]): string {
  const [first] = list;
  if (first === undefined) return 'nothing';
  return list.length === 1 ? first : `${first} and ${list.length - 1} more`;
}

export function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST) return lines;
  return [...lines.slice(0, MOST), `and ${lines.length - MOST} more`];
}
