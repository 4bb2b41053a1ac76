/** `within`: from one line that is named to the end of what it introduces. */
import { ok, type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { encodingsFor } from './encoding.js';
import { languageOf } from './language.js';
import { contentOf, endOf, latin1Of, type Lines, startOf } from './lines.js';
import { nearestText } from './nearest.js';
import { ambiguous, noMatch, refused } from './problem.js';
import type { SourceTree } from './source-tree.js';

/** Lines `from` (inclusive) to `to` (exclusive), 0-based. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export const wholeFile = (lines: Lines): LineRange => ({ from: 0, to: lines.count });

const named = (text: string): string => `\`within\` line ${JSON.stringify(text)}`;

/**
 * Narrows a file to the lines that `anchors`, outermost first, introduce.
 *
 * - **Which line.** The anchor's text, trimmed, stands in the line, and is not part of a longer
 *   word there: `def pause` finds `async def pause(self):`, but not `def pause_all(self):`.
 *   Upper and lower case differ. Comments and strings count as well. Exactly one line of the
 *   enclosing range may match, whose own first line is left out.
 * - **Up to where.** Before the next line of equal or smaller indentation. Blank lines, comment
 *   lines and lines that begin with a closing bracket do not end the range, and in Python and
 *   Rust neither do lines that continue a string, a bracket or a signature. Blank lines and comments
 *   at the end that are not indented deeper belong to what follows.
 *
 * Tabs count up to the next multiple of 8, as in Python.
 */
export function narrow(
  lines: Lines,
  path: string,
  anchors: readonly string[],
): Result<LineRange, NotApplied> {
  let range = wholeFile(lines);
  let outer: number | null = null;
  const language = languageOf(path);
  let tree: SourceTree | null | undefined;
  const continues = (index: number, since: number): boolean => {
    if (language === null) return false;
    tree ??= language.parse(lines.bytes);
    return tree !== null && language.continues(tree, lines, index, since);
  };
  for (const anchor of anchors) {
    const text = anchor.trim();
    if (text === '') return refused(path, '`within` is empty: name the line that the edit lies in');
    if (/[\r\n]/.test(text)) {
      return refused(path, `${named(text)} spans several lines: name one line, or write a list`);
    }
    const search = { from: outer === null ? 0 : outer + 1, to: range.to };
    const found = linesWith(lines, search, text);
    const [only, ...more] = found;
    if (only === undefined) return noMatch(path, named(text), nearestText(lines, search, text));
    if (more.length > 0) {
      return ambiguous(
        path,
        named(text),
        1,
        found.map((index) => index + 1),
      );
    }
    range = { from: only, to: rangeEnd(lines, only, range.to, path, continues) };
    outer = only;
  }
  return ok(range);
}

const BEGINS_WORD = /^[\p{L}\p{N}_]/u;
const ENDS_WORD = /[\p{L}\p{N}_]$/u;

function linesWith(lines: Lines, range: LineRange, text: string): readonly number[] {
  const found = new Set<number>();
  for (const encoding of encodingsFor(lines.bytes, text)) {
    const needle = Buffer.from(text, encoding);
    const from = startOf(lines, range.from);
    const to = range.to > range.from ? endOf(lines, range.to - 1) : from;
    const region = lines.bytes.subarray(from, to);
    let index = range.from;
    for (let at = region.indexOf(needle); at !== -1; at = region.indexOf(needle, at + 1)) {
      while (index + 1 < range.to && startOf(lines, index + 1) <= from + at) index += 1;
      if (
        standsAlone(contentOf(lines, index), from + at - startOf(lines, index), needle, encoding)
      ) {
        found.add(index);
      }
    }
  }
  return [...found].toSorted((a, b) => a - b);
}

function standsAlone(
  line: Buffer,
  at: number,
  needle: Buffer,
  encoding: 'utf8' | 'latin1',
): boolean {
  const text = needle.toString(encoding);
  const before = line.subarray(0, at).toString(encoding);
  const after = line.subarray(at + needle.length).toString(encoding);
  const splitsHead = BEGINS_WORD.test(text) && ENDS_WORD.test(before);
  const splitsTail = ENDS_WORD.test(text) && BEGINS_WORD.test(after);
  return !splitsHead && !splitsTail;
}

function rangeEnd(
  lines: Lines,
  anchor: number,
  limit: number,
  path: string,
  continues: (index: number, since: number) => boolean,
): number {
  const depth = indentation(latin1Of(lines, anchor));
  let end = anchor + 1;
  for (let index = anchor + 1; index < limit; index += 1) {
    const line = latin1Of(lines, index);
    const deeper = indentation(line) > depth;
    if (isBlank(line) || (isComment(line, path) && !deeper)) continue;
    if (!deeper && !/^[ \t\f]*[)\]}]/.test(line) && !continues(index, anchor)) break;
    end = index + 1;
  }
  return end;
}

const isBlank = (line: string): boolean => /^\s*$/.test(line);

/** `#[…]` is an attribute in Rust, not a comment. */
const isComment = (line: string, path: string): boolean =>
  languageOf(path)?.name === 'Python' ? /^\s*#/.test(line) : /^\s*(#(?!\[)|\/\/)/.test(line);

function indentation(line: string): number {
  let column = 0;
  for (const character of line) {
    if (character === ' ') column += 1;
    else if (character === '\t') column += 8 - (column % 8);
    else if (character !== '\f') break;
  }
  return column;
}
