/** What of a source file is code, for telling a change of comments and docstrings from one that can matter. */
import type { SgNode } from '@ast-grep/napi';
import { firstOffset, latin1Of, splitLines } from '../mutation/lines.js';
import { languageOf } from '../mutation/language.js';
import { isDocstring } from '../mutation/python-tree.js';
import { kindIs, pathTo, type SourceTree } from '../mutation/source-tree.js';
import type { Span } from '../mutation/file-change.js';
import { isRust } from './languages.js';

/**
 * Whether two versions of a file run the same code: their trees are equal without comments and
 * docstrings. A file that does not parse, or in no language that can be read, is equal to none.
 */
export function isSameCode(path: string, a: Buffer, b: Buffer): boolean {
  const [left, right] = [treeOf(path, a), treeOf(path, b)];
  if (left === null || right === null || left.errors > 0 || right.errors > 0) return false;
  if (!isRust(path) && headOf(a) !== headOf(b)) return false;
  return isSame({ tree: left, bytes: a }, left.root, { tree: right, bytes: b }, right.root);
}

/** What the first two lines tell the interpreter, and whoever starts the file: its encoding and `#!`. */
function headOf(bytes: Buffer): string {
  const lines = splitLines(bytes);
  const [first, second] = [latin1Of(lines, 0), latin1Of(lines, 1)];
  const cookies = [first, second].map(
    (line) => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1] ?? '',
  );
  return [first.startsWith('#!') ? first : '', ...cookies].join('\n');
}

interface Source {
  readonly tree: SourceTree;
  readonly bytes: Buffer;
}

function isSame(a: Source, left: SgNode, b: Source, right: SgNode): boolean {
  if (left.kind() !== right.kind()) return false;
  const [ours, theirs] = [codeIn(a, left), codeIn(b, right)];
  const [ourOnly, theirOnly] = [ours[0], theirs[0]];
  if (ourOnly !== undefined && theirOnly !== undefined && ours.length + theirs.length === 2)
    if (isDocumentation(a, left, ourOnly) && isDocumentation(b, right, theirOnly)) return true;
  if (isText(left) || isText(right) || hasMore(a, left) || hasMore(b, right))
    return bytesOf(a, left).equals(bytesOf(b, right));
  if (ours.length !== theirs.length) return false;
  return ours.every((child, index) => {
    const other = theirs[index];
    return other !== undefined && isSame(a, child, b, other);
  });
}

const bytesOf = ({ tree, bytes }: Source, node: SgNode): Buffer => {
  const { start, end } = tree.span(node);
  return bytes.subarray(start, end);
};

/** Each byte of a string counts, also those that no node below it stands for. */
const STRINGS = new Set(['string', 'string_literal', 'raw_string_literal', 'format_specifier']);

const isText = (node: SgNode): boolean => node.isLeaf() || STRINGS.has(String(node.kind()));

/** Whether a node holds bytes beside those of its children, and other than white space. */
function hasMore({ tree, bytes }: Source, node: SgNode): boolean {
  const { start, end } = tree.span(node);
  const gaps: Buffer[] = [];
  let at = start;
  for (const child of node.children()) {
    const span = tree.span(child);
    gaps.push(bytes.subarray(at, span.start));
    at = span.end;
  }
  gaps.push(bytes.subarray(at, end));
  return gaps.some((gap) => /[^\s\\]/.test(gap.toString('latin1')));
}

const NO_CODE = new Set(['comment', 'line_continuation', 'line_comment', 'block_comment']);
/** Of Python alone: a string at the head of one is its documentation. */
const BODIES = new Set(['module', 'block']);

function codeIn(source: Source, node: SgNode): readonly SgNode[] {
  const children = node.children().filter((child) => !NO_CODE.has(String(child.kind())));
  if (!BODIES.has(String(node.kind()))) return children;
  const [first] = children;
  // A body of nothing but a docstring keeps it: without it there would be no body.
  return first !== undefined && children.length > 1 && isDocumentation(source, node, first)
    ? children.slice(1)
    : children;
}

const isDocumentation = (source: Source, body: SgNode, statement: SgNode): boolean =>
  BODIES.has(String(body.kind())) && isDocstring(source.tree, source.bytes, statement);

const trees = new WeakMap<Buffer, SourceTree | null>();

function treeOf(path: string, bytes: Buffer): SourceTree | null {
  const known = trees.get(bytes);
  if (known !== undefined) return known;
  const tree = languageOf(path)?.parse(bytes) ?? null;
  trees.set(bytes, tree);
  return tree;
}

/**
 * Whether a change of lines may be one of comments, docstrings and blank lines alone. Quick:
 * `isSameCode`, which reads whole files, is asked only then.
 */
export function mayBeSilent(
  path: string,
  { before, old }: { readonly before: Buffer; readonly old: Span },
  { after, fresh }: { readonly after: Buffer; readonly fresh: Span },
): boolean {
  const [ours, theirs] = [codeLines(path, before, old), codeLines(path, after, fresh)];
  return ours !== null && theirs !== null && ours.join('\n') === theirs.join('\n');
}

/** Lines with code in them, without comments and the white space around them; null: not readable. */
function codeLines(path: string, bytes: Buffer, span: Span): readonly string[] | null {
  const tree = treeOf(path, bytes);
  const mark = isRust(path) ? '//' : '#';
  if (tree === null) return null;
  const lines = splitLines(bytes);
  const code: string[] = [];
  for (let index = span.from; index < span.to; index += 1) {
    const text = latin1Of(lines, index).trim();
    if (text === '' || text.startsWith(mark)) continue;
    const at = firstOffset(lines, index);
    const around = at === null ? [] : pathTo(tree, at);
    const isDoc = around.some(
      (node) => kindIs(node, 'block_comment') || isDocstring(tree, bytes, node),
    );
    if (!isDoc) code.push((text.split(mark)[0] ?? '').trim());
  }
  return code;
}
