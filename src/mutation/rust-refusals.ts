/** Why a line of Rust is none that could be taken away: whole clauses. */
import type { SgNode } from '@ast-grep/napi';
import { holds, type LineSpan } from './code-lines.js';
import { kindIs } from './source-tree.js';

const ITEMS: Readonly<Record<string, string>> = {
  function_item: 'a function',
  function_signature_item: 'a function',
  struct_item: 'a struct',
  enum_item: 'an enum',
  union_item: 'a union',
  trait_item: 'a trait',
  impl_item: 'an impl',
  mod_item: 'a module',
  foreign_mod_item: 'a block of foreign functions',
  use_declaration: 'an import',
  extern_crate_declaration: 'an import',
  const_item: 'a constant',
  static_item: 'a static',
  type_item: 'a type',
  associated_type: 'a type',
  macro_definition: 'a macro',
};

const at = ({ from, to }: LineSpan): string =>
  from === to ? `line ${from + 1}` : `lines ${from + 1} to ${to + 1}`;

/** An item is taken away only where a range names all of it. */
export function whyItem(node: SgNode, lines: LineSpan, span: LineSpan): string | null {
  const what = ITEMS[String(node.kind())];
  if (what === undefined) return null;
  if (span.from < span.to && holds(span, lines)) return null;
  if (kindIs(node, 'macro_definition') && span.from > lines.from)
    return `${at(span)} lies in a macro, which is not known before it is expanded; use --replace and --with`;
  if (span.from === lines.to && lines.to > lines.from)
    return `line ${span.from + 1} closes ${what}`;
  return kindIs(node, 'function_item')
    ? `line ${span.from + 1} begins a function: without it whatever uses it does not compile. Use --raise, or name lines of its body`
    : `line ${span.from + 1} declares ${what}: without it whatever uses it does not compile. Use --replace and --with`;
}

export const declares = (list: SgNode, span: LineSpan): string =>
  `line ${span.from + 1} declares ${kindIs(list, 'enum_variant_list') ? 'a variant' : 'a field'}: without it whatever uses it does not compile. Use --replace and --with`;

export const cuts = (lines: LineSpan, span: LineSpan): string =>
  `${at(span)} cut the statement of ${at(lines)}: name all of it, or lines inside it`;

/** A line such as `} else {` or `});`. */
export const afterHead = (lines: LineSpan, span: LineSpan): string =>
  `line ${span.from + 1} goes on with the statement of ${at(lines)}: name line ${lines.from + 1} to take all of it away, or lines inside its blocks`;

export const inMacro = (lines: LineSpan, span: LineSpan): string =>
  `line ${span.from + 1} lies in the macro call of ${at(lines)}, in which statements are not known: name line ${lines.from + 1} to take all of it away, or use --replace and --with`;

export const valueOf = (lines: LineSpan): string =>
  `line ${lines.from + 1} gives its block a value: without it the file does not compile. Use --replace and --with`;
