/** Short makers for the reasons why an edit did not land. */
import { err } from '../result.js';
import type { Nearest, NotApplied } from './edit.js';

type Failure = { readonly ok: false; readonly error: NotApplied };

export const refused = (path: string, why: string): Failure => err({ kind: 'refused', path, why });

export const noFile = (path: string): Failure => err({ kind: 'no-file', path });

/** @param why that it changes nothing, where it is not plain; a clause */
export const noChange = (path: string, what: string, why: string | null = null): Failure =>
  err({ kind: 'no-change', path, what, ...(why === null ? {} : { why }) });

export const noMatch = (path: string, what: string, nearest: Nearest | null): Failure =>
  err({ kind: 'no-match', path, what, nearest });

export const ambiguous = (
  path: string,
  what: string,
  expected: number,
  lines: readonly number[],
): Failure => err({ kind: 'ambiguous', path, what, expected, lines });

export const notInCommit = (
  rev: string,
  why: string,
  facts: readonly string[],
  next: string,
): Failure => err({ kind: 'not-in-commit', rev, why, facts, next });
