/** What of a Python file is code, for telling a change of comments and docstrings from one that can matter. */
import type { SgNode } from '@ast-grep/napi';
import { firstOffset, latin1Of, splitLines } from '../mutation/lines.js';
import { isDocstring, parsePython } from '../mutation/python-tree.js';
import { kindIs, pathTo, type SourceTree } from '../mutation/source-tree.js';
import type { Span } from './fix.js';

/**
 * Whether two versions of a Python file run the same code: their trees are equal without
 * comments and docstrings. A file that does not parse is equal to none.
 */
export function isSamePython(a: Buffer, b: Buffer): boolean {
  const [left, right] = [treeOf(a), treeOf(b)];
  if (left === null || right === null || left.errors > 0 || right.errors > 0) return false;
  return isSame({ tree: left, bytes: a }, left.root, { tree: right, bytes: b }, right.root);
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
  if (ours.length !== theirs.length) return false;
  if (left.isLeaf() && right.isLeaf()) return bytesOf(a, left).equals(bytesOf(b, right));
  return ours.every((child, index) => {
    const other = theirs[index];
    return other !== undefined && isSame(a, child, b, other);
  });
}

const bytesOf = ({ tree, bytes }: Source, node: SgNode): Buffer => {
  const { start, end } = tree.span(node);
  return bytes.subarray(start, end);
};

const BODIES = new Set(['module', 'block']);

function codeIn(source: Source, node: SgNode): readonly SgNode[] {
  const children = node
    .children()
    .filter((child) => !kindIs(child, 'comment') && !kindIs(child, 'line_continuation'));
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

function treeOf(bytes: Buffer): SourceTree | null {
  const known = trees.get(bytes);
  if (known !== undefined) return known;
  const tree = parsePython(bytes);
  trees.set(bytes, tree);
  return tree;
}

/**
 * Whether a change of lines may be one of comments, docstrings and blank lines alone. Quick:
 * `isSamePython`, which reads whole files, is asked only then.
 */
export function mayBeSilent(before: Buffer, old: Span, after: Buffer, fresh: Span): boolean {
  const [ours, theirs] = [codeLines(before, old), codeLines(after, fresh)];
  return ours !== null && theirs !== null && ours.join('\n') === theirs.join('\n');
}

/** Lines with code in them, without comments and the white space around them; null: not readable. */
function codeLines(bytes: Buffer, span: Span): readonly string[] | null {
  const tree = treeOf(bytes);
  if (tree === null) return null;
  const lines = splitLines(bytes);
  const code: string[] = [];
  for (let index = span.from; index < span.to; index += 1) {
    const text = latin1Of(lines, index).trim();
    if (text === '' || text.startsWith('#')) continue;
    const at = firstOffset(lines, index);
    const path = at === null ? [] : pathTo(tree, at);
    const isDoc = path.some((node) => isDocstring(tree, bytes, node));
    if (!isDoc) code.push(text.replace(/\s*#.*$/, ''));
  }
  return code;
}
