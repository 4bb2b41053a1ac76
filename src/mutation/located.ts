/** From bytes before and after to a located edit: line, scope and diff filled in. */
import type { SgNode } from '@ast-grep/napi';
import { differenceOf, diffText } from './difference.js';
import type { LocatedEdit } from './edit.js';
import { languageOf, type Language } from './language.js';
import { type Lines, lineAt, splitLines } from './lines.js';
import type { SourceTree } from './source-tree.js';

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
  const language = languageOf(path);
  if (language === null) return null;
  const place = placeOfEdit(language, before, after);
  return place === null ? null : language.scopeOf(place.tree, place.bytes, place.path);
}

interface EditPlace {
  readonly tree: SourceTree;
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
export function placeOfEdit(language: Language, before: Buffer, after: Buffer): EditPlace | null {
  const lines = splitLines(before);
  const difference = differenceOf(lines, splitLines(after));
  const tree = language.parse(before);
  if (tree === null) return null;
  const { from, to } = difference.before;
  for (let index = from; index < to; index += 1) {
    const path = language.pathToLine(tree, lines, index);
    if (path.length > 0) return { tree, lines, bytes: before, index, path };
  }
  return placeOfInsertion(language, { tree, lines }, after, difference.after);
}

function placeOfInsertion(
  language: Language,
  { tree, lines }: Pick<EditPlace, 'tree' | 'lines'>,
  after: Buffer,
  added: { readonly from: number; readonly to: number },
): EditPlace | null {
  const grown = language.parse(after);
  if (grown === null) return null;
  const grownLines = splitLines(after);
  for (let index = added.from; index < added.to; index += 1) {
    const around = language.pathToLine(grown, grownLines, index);
    if (around.length === 0) continue;
    const limit = grownLines.starts[added.from] ?? 0;
    const owner = around.findLast(
      (node) => language.isDefinition(node) && grown.span(node).start < limit,
    );
    if (owner === undefined) return { tree, lines, bytes: lines.bytes, index: 0, path: [] };
    const at = lineAt(lines, grown.span(owner).start);
    return {
      tree,
      lines,
      bytes: lines.bytes,
      index: at,
      path: language.pathToLine(tree, lines, at),
    };
  }
  return null;
}
