/** From bytes before and after to a located edit: line, scope and diff filled in. */
import type { SgNode } from '@ast-grep/napi';
import { differenceOf, diffText } from './difference.js';
import type { LocatedEdit } from './edit.js';
import { type Lines, lineAt, splitLines } from './lines.js';
import { isPythonPath, parsePython, type PythonTree } from './python.js';
import { dottedName, isDefinition, pathToLine } from './python-scope.js';

/** @param path tree-relative. */
export function toLocatedEdit(
  path: string,
  before: Buffer | null,
  after: Buffer | null,
): LocatedEdit {
  const patch = diffText(path, before, after);
  if (before === null) return { path, before, after, line: 0, scope: null, patch };
  if (after === null) return { path, before, after, line: 1, scope: null, patch };
  const line = differenceOf(splitLines(before), splitLines(after)).before.from + 1;
  return { path, before, after, line, scope: scopeOfEdit(path, before, after), patch };
}

function scopeOfEdit(path: string, before: Buffer, after: Buffer): string | null {
  if (!isPythonPath(path)) return null;
  const place = placeOfEdit(before, after);
  return place === null ? null : dottedName(place.tree, place.bytes, place.path);
}

interface EditPlace {
  readonly tree: PythonTree;
  readonly lines: Lines;
  readonly bytes: Buffer;
  /** 0-based line in `lines`. */
  readonly index: number;
  readonly path: readonly SgNode[];
}

/**
 * The first changed line as a place in the source before the edit. A pure insertion has no
 * line there, and the line that it pushes down may belong to the next function: its place is
 * looked up in the source after the edit, and the innermost definition around it that began
 * above it is the same one before.
 */
export function placeOfEdit(before: Buffer, after: Buffer): EditPlace | null {
  const lines = splitLines(before);
  const difference = differenceOf(lines, splitLines(after));
  const tree = parsePython(before);
  if (tree === null) return null;
  const { from, to } = difference.before;
  for (let index = from; index < to; index += 1) {
    const path = pathToLine(tree, lines, index);
    if (path.length > 0) return { tree, lines, bytes: before, index, path };
  }
  return placeOfInsertion(tree, lines, after, difference.after);
}

function placeOfInsertion(
  tree: PythonTree,
  lines: Lines,
  after: Buffer,
  added: { readonly from: number; readonly to: number },
): EditPlace | null {
  const grown = parsePython(after);
  if (grown === null) return null;
  const grownLines = splitLines(after);
  for (let index = added.from; index < added.to; index += 1) {
    const around = pathToLine(grown, grownLines, index);
    if (around.length === 0) continue;
    const limit = grownLines.starts[added.from] ?? 0;
    const owner = around.findLast((node) => isDefinition(node) && grown.span(node).start < limit);
    if (owner === undefined) return { tree, lines, bytes: lines.bytes, index: 0, path: [] };
    const at = lineAt(lines, grown.span(owner).start);
    return { tree, lines, bytes: lines.bytes, index: at, path: pathToLine(tree, lines, at) };
  }
  return null;
}
