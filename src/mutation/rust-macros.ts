/** Code that a macro is given: what becomes of it is the macro's affair. */
import type { SgNode } from '@ast-grep/napi';
import { changedCode, type ChangedLines } from './changed-code.js';
import type { Edit } from './edit.js';
import { languageOf } from './language.js';
import { splitLines } from './lines.js';
import { attributeName, CONDITIONAL_MACROS } from './rust-gates.js';
import { parseRust } from './rust-tree.js';
import { kindIs } from './source-tree.js';

/**
 * The macros that may drop all that an edit changes, the outer ones first: those that it is handed
 * to, or whose whole call it changes, and `cfg_attr`. Macros that choose by `cfg` are gates, and
 * what they let through is compiled.
 *
 * @returns empty: some of it is plain code, or none of it is code
 */
export function macrosAround({ path, before, after }: Edit): readonly string[] {
  if (before === null || after === null || languageOf(path)?.name !== 'Rust') return [];
  const found = [macrosIn(before, after), macrosIn(after, before)];
  return found.includes(null) ? [] : [...new Set(found.flatMap((names) => names ?? []))];
}

/** null: some of the code that differs stands in no macro. */
function macrosIn(version: Buffer, other: Buffer): readonly string[] | null {
  const tree = parseRust(version);
  const parts = changedCode(splitLines(version), splitLines(other)).flatMap(partsOf);
  const names = new Set<string>();
  let isPlain = false;
  const visit = (node: SgNode, around: readonly string[]): void => {
    const own = macroOf(node);
    const all = own === null ? around : [...around, own];
    const children = node.children().filter((child) => !isComment(child));
    if (children.length === 0) {
      isPlain ||= all.length === 0;
      for (const name of all) names.add(name);
    }
    for (const child of children) {
      const { start, end } = tree.span(child);
      if (parts.some((part) => part.start < end && start < part.end)) visit(child, all);
    }
  };
  visit(tree.root, []);
  return isPlain ? null : [...names];
}

const partsOf = ({ parts }: ChangedLines): ChangedLines['parts'] => parts;

const isComment = (node: SgNode): boolean =>
  kindIs(node, 'line_comment') || kindIs(node, 'block_comment');

function macroOf(node: SgNode): string | null {
  const name = calledBy(node);
  if (name !== null) return CONDITIONAL_MACROS.test(name) ? null : `\`${name}!\``;
  const isAttribute = kindIs(node, 'attribute_item') || kindIs(node, 'inner_attribute_item');
  return isAttribute && attributeName(node) === 'cfg_attr' ? '`cfg_attr`' : null;
}

/** The name of the macro that a node calls, or, in what a macro is given, is handed to. */
function calledBy(node: SgNode): string | null {
  if (kindIs(node, 'macro_invocation')) return node.field('macro')?.text() ?? '';
  if (kindIs(node, 'expression_statement')) {
    const [call] = node.children();
    return kindIs(call, 'macro_invocation') ? (call?.field('macro')?.text() ?? '') : null;
  }
  if (!kindIs(node, 'token_tree')) return null;
  const bang = node.prev();
  const name = kindIs(bang, '!') ? bang?.prev() : null;
  return kindIs(name, 'identifier') ? (name?.text() ?? null) : null;
}
