/** `FILE`, `FILE:LINE` or `FILE:LINE-LINE`, as people type it. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { err, ok, type Result } from '../result.js';
import { nearest } from '../spec/distance.js';

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
  if (!existsSync(absolute)) return err(missingFile(file, absolute));
  if (from === undefined) return ok({ absolute, span: null });
  const first = Number(from);
  const last = to === undefined ? first : Number(to);
  if (first < 1 || last < first)
    return err(`${written}: lines are counted from 1, the first one first.`);
  return ok({ absolute, span: { from: first, to: last } });
}

/** Names the nearest files beside it. */
function missingFile(file: string, absolute: string): string {
  const folder = dirname(absolute);
  const [first] = nearest(basename(absolute), filesIn(folder), 1);
  const said = `There is no file ${file}.`;
  return first === undefined ? said : `${said} Did you mean \`${join(dirname(file), first)}\`?`;
}

function filesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((each) => each.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** @returns why this can be no mutation's file, whatever the edit; null: it can */
export function placeProblem({ absolute }: Place, tree: string): string | null {
  if (!statSync(absolute).isFile()) return `${absolute} is no regular file.`;
  const inTree = relative(tree, realpathSync(absolute));
  return inTree === '..' || inTree.startsWith('../') || isAbsolute(inTree)
    ? `${absolute} lies outside the tree ${tree}; start this inside its own.`
    : null;
}
