/** What is cut out of a Rust file: a node with the lines that it has for itself. */
import type { SgNode } from '@ast-grep/napi';
import type { LineSpan } from './code-lines.js';
import { firstOffset, latin1Of, lineAt, type Lines, startOf } from './lines.js';
import type { SourceTree } from './source-tree.js';

export interface Asked {
  readonly tree: SourceTree;
  readonly lines: Lines;
  readonly span: LineSpan;
}

/** Bytes to be replaced. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly fresh: string;
}

export const linesOf = ({ tree, lines }: Asked, node: SgNode): LineSpan => {
  const { start, end } = tree.span(node);
  return { from: lineAt(lines, start), to: lineAt(lines, Math.max(start, end - 1)) };
};

/** Whole lines, with the comment at their end, where nothing else stands on them. */
export function cutOf({ tree, lines }: Asked, first: SgNode, last: SgNode): Cut {
  const from = tree.span(first).start;
  const to = tree.span(last).end;
  const firstLine = lineAt(lines, from);
  const lastLine = lineAt(lines, Math.max(from, to - 1));
  const behind = latin1Of(lines, lastLine).slice(to - startOf(lines, lastLine));
  const isOwn = firstOffset(lines, firstLine) === from && /^\s*(?:\/\/.*)?$/.test(behind);
  return isOwn
    ? { from: startOf(lines, firstLine), to: startOf(lines, lastLine + 1), fresh: '' }
    : { from, to, fresh: '' };
}
