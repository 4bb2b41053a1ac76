/** What decides whether code of a Rust file is compiled at all, where its file is. */
import type { SgNode } from '@ast-grep/napi';
import type { ChangedLines } from './changed-code.js';
import { isInner } from './rust-tree.js';
import { kindIs, type SourceTree, type Span } from './source-tree.js';

/** The innermost thing that may keep code out of the build. */
export interface Gate {
  /** For people, as a clause. */
  readonly why: string;
  /** What makes the compiler refuse the code if the gate lets it in, and its offset. */
  readonly mark: string;
  readonly at: number;
}

/** In the compiler's message about code that it met; a name of no attribute. */
export const COMPILED_MARKER = 'counterproof_compiled';

/**
 * An attribute where an attribute stands already is allowed everywhere, and one that nobody knows
 * is an error once `cfg` has let it in, not before. Measured with rustc 1.95 on items,
 * statements, expressions, arms, fields, variants, parameters and elements of lists.
 */
const ATTRIBUTE = ` #[${COMPILED_MARKER}]`;
/** Where nothing but a statement or an item may follow. */
const STATEMENT = ` compile_error!("${COMPILED_MARKER}");`;

/** Attributes that leave what they stand on where it is. `test` is none: it goes with `cfg(test)`. */
const INERT = new Set(
  `allow warn deny forbid expect doc inline cold must_use deprecated derive repr non_exhaustive
  track_caller no_mangle export_name link link_name link_section used path macro_use macro_export
  automatically_derived ignore should_panic target_feature default rustfmt::skip`.split(/\s+/),
);

const CONDITIONS = new Set(['cfg', 'cfg_attr']);

/** Macros whose branches are compiled or dropped as `cfg` says. */
export const CONDITIONAL_MACROS = /(?:^|::)(?:cfg_if|cfg_select|cfg_match)$/;

/**
 * The gates of all code that a change touches; comments are none.
 *
 * @returns null: some of it is compiled wherever its file is, or the change moves what a gate holds
 */
export function gatesOf(
  tree: SourceTree,
  changes: readonly ChangedLines[],
): readonly Gate[] | null {
  if (changes.some(({ shift }) => shift !== 0)) return null;
  const parts = changes.flatMap((change) => change.parts);
  const meets = (node: SgNode): boolean => parts.some((part) => overlap(part, tree.span(node)));
  const isGone = (node: SgNode): boolean =>
    changes.some(({ all }) => {
      const { start, end } = tree.span(node);
      return all.start <= start && end <= all.end;
    });
  const found: (Gate | null)[] = [];

  const visit = (node: SgNode, around: Gate | null, depth: readonly SgNode[]): void => {
    const children = node.children();
    if (children.length === 0) found.push(around);
    const within = innerGate(tree, node) ?? macroGate(tree, node, depth) ?? around;
    let attributes: SgNode[] = [];
    for (const child of children) {
      if (isComment(child)) continue;
      if (kindIs(child, 'inner_attribute_item')) {
        if (meets(child)) found.push(null);
        continue;
      }
      if (kindIs(child, 'attribute_item')) {
        attributes.push(child);
        continue;
      }
      const own = [...attributes, ...attributesIn(child)];
      attributes = [];
      // Of the rest of what it stands on nobody would be asked in the other version.
      if (own.some(meets) && !isGone(child)) found.push(null);
      if (meets(child)) visit(child, outerGate(tree, own) ?? within, [...depth, node]);
    }
  };
  visit(tree.root, null, []);
  const gates = found.filter((gate) => gate !== null);
  return gates.length < found.length ? null : gates;
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

const isComment = (node: SgNode): boolean =>
  kindIs(node, 'line_comment') || kindIs(node, 'block_comment');

/** An arm of a `match` and a field of a value hold their attributes, other code follows them. */
const attributesIn = (node: SgNode): readonly SgNode[] =>
  kindIs(node, 'match_arm') || String(node.kind()).endsWith('field_initializer')
    ? node.children().filter((child) => kindIs(child, 'attribute_item'))
    : [];

function outerGate(tree: SourceTree, attributes: readonly SgNode[]): Gate | null {
  const last = attributes.at(-1);
  const active = attributes.filter((each) => !INERT.has(attributeName(each)));
  if (last === undefined || active.length === 0) return null;
  return { why: shown(active), mark: ATTRIBUTE, at: tree.span(last).end };
}

/** `#![cfg(…)]` at the head of a file, a module or a body. */
function innerGate(tree: SourceTree, node: SgNode): Gate | null {
  const inner = node.children().filter(isInner);
  const active = inner.filter(
    (each) => kindIs(each, 'inner_attribute_item') && CONDITIONS.has(attributeName(each)),
  );
  const last = inner.at(-1);
  if (last === undefined || active.length === 0) return null;
  const head = kindIs(last, 'line_comment') && !last.text().endsWith('\n') ? '\n' : '';
  return { why: shown(active), mark: `${head}${STATEMENT}`, at: tree.span(last).end };
}

/** What a rule of a macro is turned into, and a branch of a macro that chooses by `cfg`. */
function macroGate(tree: SourceTree, node: SgNode, around: readonly SgNode[]): Gate | null {
  if (kindIs(node, 'macro_rule')) {
    const body = node.field('right');
    const name = around.at(-1)?.field('name')?.text() ?? '?';
    if (body === null) return null;
    const why = `nothing expands this rule of \`${name}!\``;
    return { why, mark: STATEMENT, at: tree.span(body).start + 1 };
  }
  const call = around.at(-2);
  const name = kindIs(call, 'macro_invocation') ? (call?.field('macro')?.text() ?? '') : '';
  if (!CONDITIONAL_MACROS.test(name) || !node.text().startsWith('{')) return null;
  const why = `this branch of \`${name}!\` is not taken`;
  return { why, mark: STATEMENT, at: tree.span(node).start + 1 };
}

/** `tokio::test` of `#[tokio::test(flavor = "x")]`. */
export const attributeName = (attribute: SgNode): string =>
  /^#!?\s*\[\s*(?:unsafe\s*\(\s*)?(?<name>[\w:]+)/.exec(attribute.text())?.groups?.['name'] ?? '';

const shown = (attributes: readonly SgNode[]): string =>
  attributes.map((each) => each.text().replaceAll(/\s+/g, ' ')).join(' ');
