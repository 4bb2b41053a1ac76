/** `FILE`, `FILE:LINE` or `FILE:LINE-LINE`, as people type it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { err, ok, type Result } from '../result.js';

export interface Place {
  readonly absolute: string;
  /** 1-based and inclusive; null: no line was named. */
  readonly span: { readonly from: number; readonly to: number } | null;
}

/** @param cwd absolute; what the file is relative to */
export function parsePlace(written: string, cwd: string): Result<Place, string> {
  const match = /^(?<file>.+?)(?::(?<from>\d+)(?:-(?<to>\d+))?)?(?::\d*)?$/s.exec(written);
  const { file = written, from, to } = match?.groups ?? {};
  // A file may be called `a.py:3`; one that is there as written is meant as written.
  const whole = resolve(cwd, written);
  if (existsSync(whole)) return ok({ absolute: whole, span: null });
  const absolute = resolve(cwd, file);
  if (!existsSync(absolute)) return err(`There is no file ${file}.`);
  if (from === undefined) return ok({ absolute, span: null });
  const first = Number(from);
  const last = to === undefined ? first : Number(to);
  if (first < 1 || last < first)
    return err(`${written}: lines are counted from 1, the first one first.`);
  return ok({ absolute, span: { from: first, to: last } });
}

/** @returns why this can be no mutation's file, whatever the edit; null: it can */
export function placeProblem({ absolute }: Place, tree: string): string | null {
  if (!statSync(absolute).isFile()) return `${absolute} is no regular file.`;
  const inTree = relative(tree, realpathSync(absolute));
  return inTree === '..' || inTree.startsWith('../') || isAbsolute(inTree)
    ? `${absolute} lies outside the tree ${tree}; start this inside its own.`
    : null;
}
