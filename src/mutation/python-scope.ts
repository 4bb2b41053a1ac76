/** Which function of a Python file a line lies in. */
import type { SgNode } from '@ast-grep/napi';
import { displayText, firstOffset, latin1Of, type Lines, startOf } from './lines.js';
import { bodyOf, hasBrokenHead, isClause, isCompound } from './python-tree.js';
import { kindIs, pathTo, type SourceTree } from './source-tree.js';

/**
 * The nodes around a line's first character, outermost first. A decorator counts as the head
 * of what it decorates: the definition is put after it.
 */
export function pathToLine(tree: SourceTree, lines: Lines, index: number): readonly SgNode[] {
  const offset = firstOffset(lines, index);
  if (offset === null) return [];
  const path = pathTo(tree, offset);
  const decorated = path.findLast((node) => kindIs(node, 'decorated_definition'));
  const definition = decorated?.children().at(-1);
  const isDecorator = path.some((node) => kindIs(node, 'decorator'));
  return isDecorator && definition !== undefined ? [...path, definition] : path;
}

export const isDefinition = (node: SgNode): boolean =>
  kindIs(node, 'function_definition') || kindIs(node, 'class_definition');

const nameOf = (tree: SourceTree, bytes: Buffer, node: SgNode): string => {
  const name = node.children().find((child) => kindIs(child, 'identifier'));
  if (name === undefined) return '?';
  const { start, end } = tree.span(name);
  return displayText(bytes.subarray(start, end));
};

/**
 * The function or class that a path of nodes ends in, with dots: `EngineClient.pause`,
 * `outer.inner`; at class level the class.
 *
 * @returns null at module level, and for a path without nodes.
 */
export function dottedName(
  tree: SourceTree,
  bytes: Buffer,
  path: readonly SgNode[],
): string | null {
  const names = path.filter(isDefinition).map((node) => nameOf(tree, bytes, node));
  return names.length === 0 ? null : names.join('.');
}

/** The innermost function whose definition holds the line, or what there is instead. */
export function functionAt(
  tree: SourceTree,
  lines: Lines,
  index: number,
):
  | { readonly kind: 'function'; readonly node: SgNode }
  | { readonly kind: 'class' | 'module' | 'unreadable' } {
  const path = pathToLine(tree, lines, index);
  const innermost = path.findLast(isDefinition);
  if (path.some((node) => kindIs(node, 'ERROR') || (isCompound(node) && hasBrokenHead(tree, node))))
    return { kind: 'unreadable' };
  if (innermost === undefined) return { kind: 'module' };
  if (kindIs(innermost, 'class_definition')) return { kind: 'class' };
  return bodyOf(innermost) === null
    ? { kind: 'unreadable' }
    : { kind: 'function', node: innermost };
}

/** Whether the line goes on with what an earlier line began: a string, a bracket, a signature. */
export function continuesPython(tree: SourceTree, lines: Lines, index: number): boolean {
  const lineStart = startOf(lines, index);
  const text = latin1Of(lines, index);
  const offset = lineStart + (text.length - text.trimStart().length);
  return pathTo(tree, offset).some((node) => {
    const kind = String(node.kind());
    if (kind === 'module' || kind === 'block' || kind === 'ERROR') return false;
    if (tree.span(node).start >= lineStart) return false;
    if (!isCompound(node) && !isClause(node)) return true;
    const body = bodyOf(node);
    return !kindIs(node, 'decorated_definition') && body !== null && offset < tree.span(body).start;
  });
}
