/** Rust source as a tree. */
import { isUtf8 } from 'node:buffer';
import type { SgNode } from '@ast-grep/napi';
import { bomLength, kindIs, type ParserText, parseText, type SourceTree } from './source-tree.js';

/** Parses Rust source. Bytes that are no UTF-8 are read as letters: rustc will refuse the file. */
export const parseRust = (bytes: Buffer): SourceTree => parseText('rust', textOf(bytes));

function textOf(bytes: Buffer): ParserText {
  const shift = bomLength(bytes);
  const body = bytes.subarray(shift);
  const narrow = body.toString('latin1');
  if (!/[\x80-\xff]/.test(narrow)) return { text: narrow, byteOf: (unit) => unit + shift };
  if (!isUtf8(body)) {
    const text = narrow.replace(/[\x80-\xff]/g, '\xaa');
    return { text, byteOf: (unit) => unit + shift };
  }
  const text = body.toString('utf8');
  const offsets = new Uint32Array(text.length + 1);
  let byte = shift;
  for (let unit = 0; unit < text.length; unit += 1) {
    offsets[unit] = byte;
    byte += bytesAt(text, unit);
  }
  offsets[text.length] = byte;
  return { text, byteOf: (unit) => offsets[unit] ?? byte };
}

/** UTF-8 bytes that a UTF-16 unit stands for; the first half of a pair stands for all four. */
function bytesAt(text: string, unit: number): number {
  const code = text.charCodeAt(unit);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code >= 0xd800 && code <= 0xdbff) return 4;
  return code >= 0xdc00 && code <= 0xdfff ? 0 : 3;
}

const isComment = (node: SgNode): boolean =>
  kindIs(node, 'line_comment') || kindIs(node, 'block_comment');

const hasChild = (node: SgNode, kind: string): boolean =>
  node.children().some((child) => kindIs(child, kind));

/** `#![allow(…)]`, `//! …`: must stand before everything else in a body. */
export const isInner = (node: SgNode): boolean =>
  kindIs(node, 'inner_attribute_item') ||
  (isComment(node) && hasChild(node, 'inner_doc_comment_marker'));

/** `#[inline]`, `/// …`: belongs to what follows. */
export const isOuter = (node: SgNode): boolean =>
  kindIs(node, 'attribute_item') || (isComment(node) && hasChild(node, 'outer_doc_comment_marker'));

/** What stands in a block or a list of items; comments, inner attributes and braces left out. */
export const partsOf = (block: SgNode): readonly SgNode[] =>
  block
    .children()
    .filter(
      (child) =>
        child.isNamed() &&
        !isComment(child) &&
        !kindIs(child, 'inner_attribute_item') &&
        !kindIs(child, 'label'),
    );

/** The block of a function or closure; null: it has none, or is an expression alone. */
export function bodyOf(node: SgNode): SgNode | null {
  const body = node.field('body');
  return body !== null && kindIs(body, 'block') ? body : null;
}
