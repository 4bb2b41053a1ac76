/** Documentation tests of Rust among the changes of comments. */
import type { Part, Span } from '../mutation/file-change.js';
import { doctestLines } from '../spec/rust-doctests.js';
import { isRust } from './languages.js';

/** Why such a change stays. */
export const RUN_DOCTEST = 'doctest';
export const UNRUN_DOCTEST = 'doctest, which the lane does not run';

/** Whether the lines of a part, before or after, lie in a block that rustdoc tests. */
export function isDoctest(part: Part): boolean {
  if (part.kind !== 'lines' || !isRust(part.file.path)) return false;
  const { before, after } = part.file;
  return isIn(before, part.old) || isIn(after, part.fresh);
}

function isIn(bytes: Buffer | null, { from, to }: Span): boolean {
  if (bytes === null) return false;
  const tested = doctestLines(bytes.toString('latin1').split('\n'));
  return [...tested].some((line) => from <= line && line < to);
}
