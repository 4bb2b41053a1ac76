/** Which function of a Rust file a line lies in. */
import type { SgNode } from '@ast-grep/napi';
import { displayText, firstOffset, type Lines, startOf } from './lines.js';
import { bodyOf, isOuter, partsOf } from './rust-tree.js';
import { isGuess, kindIs, pathTo, type SourceTree } from './source-tree.js';

const DEFINITIONS = new Set([
  'function_item',
  'function_signature_item',
  'impl_item',
  'trait_item',
  'mod_item',
  'struct_item',
  'enum_item',
  'union_item',
  'macro_definition',
]);

export const isRustDefinition = (node: SgNode): boolean => DEFINITIONS.has(String(node.kind()));

/**
 * The nodes around a line's first character, outermost first. An attribute or a doc comment
 * counts as the head of what it belongs to: that is put after it.
 */
export function pathToRustLine(tree: SourceTree, lines: Lines, index: number): readonly SgNode[] {
  const offset = firstOffset(lines, index);
  if (offset === null) return [];
  const path = pathTo(tree, offset);
  const at = path.findIndex(isOuter);
  const [outer, owner] = [path[at], path[at - 1]];
  if (outer === undefined || owner === undefined) return path;
  const end = tree.span(outer).end;
  const item = partsOf(owner).find((part) => tree.span(part).start >= end && !isOuter(part));
  return item !== undefined && isRustDefinition(item) ? [...path, item] : path;
}

/** Names with `::`, as in a test's path: `stop::Decoder::step`; a macro is `name!`. */
export function rustScope(tree: SourceTree, bytes: Buffer, path: readonly SgNode[]): string | null {
  const names = path.filter(isRustDefinition).map((node) => nameOf(tree, bytes, node));
  return names.length === 0 ? null : names.join('::');
}

function nameOf(tree: SourceTree, bytes: Buffer, node: SgNode): string {
  const name = kindIs(node, 'impl_item') ? typeName(node.field('type')) : node.field('name');
  if (name === null) return '?';
  const { start, end } = tree.span(name);
  const text = displayText(bytes.subarray(start, end)).replaceAll(/\s+/g, ' ');
  return kindIs(node, 'macro_definition') ? `${text}!` : text;
}

/** `Foo` of `a::Foo<T>`; a type of another shape as a whole. */
function typeName(type: SgNode | null): SgNode | null {
  if (kindIs(type, 'generic_type')) return typeName(type?.field('type') ?? null);
  return kindIs(type, 'scoped_type_identifier') ? (type?.field('name') ?? null) : type;
}

export type RustPlace =
  | { readonly kind: 'function'; readonly node: SgNode }
  /** A function without a body: a trait asks for it, or it lies outside of Rust. */
  | { readonly kind: 'required' }
  | { readonly kind: 'macro' | 'constant' | 'type' | 'module' | 'unreadable' };

/**
 * The innermost function whose definition holds the line, or what there is instead. A closure
 * with a block counts as a function for the lines that begin inside its block; one that is an
 * expression alone has no room for a statement, and counts to the function around it.
 */
export function rustFunctionAt(tree: SourceTree, lines: Lines, index: number): RustPlace {
  const path = pathToRustLine(tree, lines, index);
  const offset = firstOffset(lines, index) ?? 0;
  const innermost = path.findLast((node) => decides(tree, node, offset));
  if (path.some((node) => kindIs(node, 'ERROR'))) return { kind: 'unreadable' };
  if (innermost === undefined)
    return { kind: path.some((node) => kindIs(node, 'macro_invocation')) ? 'macro' : 'module' };
  switch (String(innermost.kind())) {
    case 'function_item':
    case 'closure_expression':
      return hasBrokenHead(tree, innermost)
        ? { kind: 'unreadable' }
        : { kind: 'function', node: innermost };
    case 'function_signature_item':
      return { kind: 'required' };
    case 'macro_definition':
      return { kind: 'macro' };
    case 'const_item':
    case 'static_item':
      return { kind: 'constant' };
    case 'mod_item':
      return { kind: path.some((node) => kindIs(node, 'macro_invocation')) ? 'macro' : 'module' };
    default:
      return { kind: path.some((node) => kindIs(node, 'macro_invocation')) ? 'macro' : 'type' };
  }
}

/** Whether a node can say what the line belongs to. */
function decides(tree: SourceTree, node: SgNode, offset: number): boolean {
  if (kindIs(node, 'closure_expression')) {
    const body = bodyOf(node);
    return body !== null && tree.span(body).start < offset;
  }
  return isRustDefinition(node) || kindIs(node, 'const_item') || kindIs(node, 'static_item');
}

/** Whether the parser guessed in what comes before a body. */
const hasBrokenHead = (tree: SourceTree, node: SgNode): boolean =>
  node
    .children()
    .filter((child) => !kindIs(child, 'block'))
    .some((child) => isGuess(tree, child));

const LISTS = new Set([
  'source_file',
  'block',
  'declaration_list',
  'match_block',
  'field_declaration_list',
  'enum_variant_list',
  'field_initializer_list',
  'ERROR',
]);

/**
 * Whether the line goes on with what a line not before `since` began: a signature with its
 * `where` and brace, a string, a call. What stands in a block or list begins anew.
 */
export function continuesRust(
  tree: SourceTree,
  lines: Lines,
  index: number,
  since: number,
): boolean {
  const offset = firstOffset(lines, index);
  if (offset === null) return false;
  const path = pathTo(tree, offset);
  const inner = path.findLastIndex((node) => LISTS.has(String(node.kind())));
  // The brace that opens a block belongs to what has the block.
  const opens = path[inner] !== undefined && tree.span(path[inner]).start === offset;
  const from = opens
    ? path.slice(0, inner).findLastIndex((node) => LISTS.has(String(node.kind())))
    : inner;
  return path.slice(from + 1).some((node) => {
    const { start } = tree.span(node);
    return start < startOf(lines, index) && start >= startOf(lines, since);
  });
}
