/** Whether something must stand at the end of a Rust block, because the block's value is used. */
import type { SgNode } from '@ast-grep/napi';
import { partsOf } from './rust-tree.js';
import { kindIs } from './source-tree.js';

/**
 * Whether a block has a value that something around it needs. `()` is none: its last expression
 * may go. In closures and async blocks, whose type the compiler finds out, the value is taken
 * to be needed.
 */
export function needsValue(block: SgNode): boolean {
  const parent = block.parent();
  if (parent === null) return false;
  switch (String(parent.kind())) {
    case 'function_item': {
      const type = parent.field('return_type');
      return type !== null && type.text().replaceAll(/\s/g, '') !== '()';
    }
    case 'for_expression':
    case 'while_expression':
    case 'loop_expression':
      return false;
    case 'if_expression':
      return parent.field('alternative') !== null && isUsed(parent);
    case 'else_clause':
      return isUsedThrough(parent.parent());
    case 'match_arm':
      return isUsedThrough(parent.parent()?.parent());
    case 'unsafe_block':
      return isUsed(parent);
    case 'expression_statement':
    case 'block':
      return isUsed(block);
    default:
      return true;
  }
}

const isUsedThrough = (node: SgNode | null | undefined): boolean =>
  node === null || node === undefined || isUsed(node);

/** The same of an expression: what it stands in uses its value. */
export function isUsed(expression: SgNode): boolean {
  const parent = expression.parent();
  if (parent === null) return true;
  switch (String(parent.kind())) {
    case 'expression_statement': {
      // With a `;` the value is dropped, but its branches must still agree on a type.
      if (endsWithSemicolon(parent)) return true;
      const block = parent.parent();
      return block === null || (isLast(parent, block) && needsValue(block));
    }
    case 'block':
      return needsValue(parent);
    case 'else_clause':
      return isUsedThrough(parent.parent());
    case 'match_arm':
      return isUsedThrough(parent.parent()?.parent());
    default:
      return true;
  }
}

/** Whether a part of a block gives the block its value, or ends the function with one. */
export function givesValue(part: SgNode): boolean {
  if (!kindIs(part, 'expression_statement'))
    return String(part.kind()).endsWith('_declaration') ? false : !kindIs(part, 'empty_statement');
  const [only] = part.children();
  return !endsWithSemicolon(part) || kindIs(only, 'return_expression');
}

export const isLast = (part: SgNode, block: SgNode): boolean =>
  partsOf(block).at(-1)?.id() === part.id();

const endsWithSemicolon = (statement: SgNode): boolean =>
  statement.children().at(-1)?.text() === ';';
