/** A file before an edit and after it, with all that follows the edit in the same place. */
import type { SgNode } from '@ast-grep/napi';
import { changesBetween } from './changed-code.js';
import type { Difference } from './difference.js';
import type { LocatedEdit } from './edit.js';
import { type Lines, splitLines, startOf } from './lines.js';
import { toLocatedEdit } from './located.js';
import { parseRust } from './rust-tree.js';
import type { SourceTree } from './source-tree.js';

export interface Twins {
  readonly before: LocatedEdit;
  readonly after: LocatedEdit;
}

/**
 * Line breaks stand behind each change, in both versions, so that the lines and columns that a
 * panic tells are the same in what is built from them. They mean nothing to Rust between tokens.
 *
 * @returns null: there is no such place behind a change, or the source cannot be read
 */
export function twinsOf({ path, before, after }: LocatedEdit): Twins | null {
  if (before === null || after === null) return null;
  const [one, two] = [sideOf(before), sideOf(after)];
  const changes = changesBetween(one.lines, two.lines);
  const breaks: Break[] = [];
  for (const [index, change] of changes.entries()) {
    const found = breakBehind(one, two, change, changes[index + 1] ?? null);
    if (found === null) return null;
    breaks.push(found);
  }
  const [first, second] = [
    withBreaks(one, breaks, ({ before: at }) => at),
    withBreaks(two, breaks, ({ after: at }) => at),
  ];
  if (first === null || second === null) return null;
  return {
    before: toLocatedEdit(path, before, first),
    after: toLocatedEdit(path, before, second),
  };
}

interface Side {
  readonly bytes: Buffer;
  readonly lines: Lines;
  readonly tree: SourceTree;
  readonly tokens: readonly Token[];
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Break {
  readonly before: Place;
  readonly after: Place;
}

interface Place {
  readonly at: number;
  readonly count: number;
}

function sideOf(bytes: Buffer): Side {
  const tree = parseRust(bytes);
  return { bytes, lines: splitLines(bytes), tree, tokens: tokensOf(tree) };
}

/** What no white space may be put into. */
const WHOLE =
  /^(?:string_literal|raw_string_literal|char_literal|float_literal|lifetime|line_comment|block_comment)$/;

function tokensOf(tree: SourceTree): readonly Token[] {
  const tokens: Token[] = [];
  const visit = (node: SgNode): void => {
    const children = node.children();
    if (children.length > 0 && !WHOLE.test(String(node.kind()))) children.forEach(visit);
    else tokens.push({ text: node.text(), ...tree.span(node) });
  };
  visit(tree.root);
  return tokens;
}

function breakBehind(one: Side, two: Side, change: Difference, next: Difference | null) {
  const { bytes: a, lines } = one;
  const { bytes: b, lines: otherLines } = two;
  const [startA, startB] = [
    startOf(lines, change.before.from),
    startOf(otherLines, change.after.from),
  ];
  const [lastA, lastB] = [startOf(lines, change.before.to), startOf(otherLines, change.after.to)];
  const most = Math.min(lastA - startA, lastB - startB);
  let head = 0;
  while (head < most && a[startA + head] === b[startB + head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[lastA - 1 - tail] === b[lastB - 1 - tail]) tail += 1;
  const limit = next === null ? a.length : startOf(lines, next.before.from);
  for (let [i, j] = [lastA - tail, lastB - tail]; i <= limit; i += 1, j += 1) {
    if (!isBetween(one, i) || !isBetween(two, j)) continue;
    const [rowsA, rowsB] = [rows(a, startA, i), rows(b, startB, j)];
    return {
      before: { at: i, count: 1 + Math.max(0, rowsB - rowsA) },
      after: { at: j, count: 1 + Math.max(0, rowsA - rowsB) },
    };
  }
  return null;
}

const rows = (bytes: Buffer, from: number, to: number): number =>
  bytes.toString('latin1', from, to).split('\n').length - 1;

const SIGN = /[-+*/%^!&|=<>.:@#?~,;$']/;

/** Signs that touch may be one token, or be told apart from signs with a gap. */
function isBetween({ bytes, tokens }: Side, at: number): boolean {
  if (tokens.some(({ start, end }) => start < at && at < end)) return false;
  const around = bytes.toString('latin1', Math.max(0, at - 1), at + 1);
  return !(SIGN.test(around.charAt(0)) && SIGN.test(around.charAt(1)));
}

/** null: they are more than white space to the language. */
function withBreaks(
  { bytes, tree, tokens }: Side,
  breaks: readonly Break[],
  placeOf: (each: Break) => Place,
): Buffer | null {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, count } of breaks.map(placeOf)) {
    parts.push(bytes.subarray(from, at), Buffer.from('\n'.repeat(count)));
    from = at;
  }
  const result = Buffer.concat([...parts, bytes.subarray(from)]);
  const fresh = parseRust(result);
  const texts = tokensOf(fresh).map(({ text }) => text);
  const isSame = texts.length === tokens.length && tokens.every(({ text }, i) => text === texts[i]);
  return tree.errors === 0 && fresh.errors === 0 && isSame ? result : null;
}
