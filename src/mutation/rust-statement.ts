/** "Take the statement on this line away", in Rust. */
import type { SgNode } from '@ast-grep/napi';
import { err, ok, type Result } from '../result.js';
import { codeSpan, holds, type LineSpan, meets } from './code-lines.js';
import type { NotApplied } from './edit.js';
import { firstOffset, lineAt, type Lines, splitLines } from './lines.js';
import { noChange, refused } from './problem.js';
import { armEdit } from './rust-arm.js';
import { type Asked, type Cut, cutOf, linesOf } from './rust-cut.js';
import { afterHead, cuts, declares, inMacro, valueOf, whyItem } from './rust-refusals.js';
import { isOuter, parseRust, partsOf } from './rust-tree.js';
import { givesValue, isLast, needsValue } from './rust-value.js';
import { kindIs, pathTo, type SourceTree } from './source-tree.js';

/**
 * Removes the statements that stand on lines `fromLine` to `toLine` (1-based, inclusive) of a
 * Rust file.
 *
 * - A line inside a statement of several lines takes the whole statement away; so does the first
 *   line of an `if`, `for`, `while`, `loop`, `match` or `unsafe`, with its branches. A line of a
 *   block inside, also of a closure's, is looked up there.
 * - An arm of a `match` whose value nobody uses gets `{}`; one whose value is used goes where
 *   another arm takes everything that is left.
 * - An attribute's line takes that attribute away.
 * - The expression that gives a block its value is refused, because nothing would compile without
 *   it; so are the lines of a function's signature, a type, an import or a constant, and blank
 *   lines and comments.
 */
export function removeFromRust(
  bytes: Buffer,
  path: string,
  fromLine: number,
  toLine: number,
): Result<Buffer, NotApplied> {
  const lines = splitLines(bytes);
  const tree = parseRust(bytes);
  const code = codeSpan(lines, fromLine, toLine, (index) => isCode(tree, lines, index));
  if (!code.ok) return refused(path, code.error);
  const chosen = choose({ tree, lines, span: code.value }, tree.root);
  if (!chosen.ok) return refused(path, chosen.error);
  const { from, to, fresh } = chosen.value;
  const result = Buffer.concat([bytes.subarray(0, from), Buffer.from(fresh), bytes.subarray(to)]);
  if (parseRust(result).errors > tree.errors)
    return refused(path, `without line ${fromLine} the file is no longer Rust`);
  return result.equals(bytes) ? noChange(path, 'the statement') : ok(result);
}

function isCode(tree: SourceTree, lines: Lines, index: number): boolean {
  const offset = firstOffset(lines, index);
  return (
    offset !== null &&
    !pathTo(tree, offset).some((node) => String(node.kind()).endsWith('_comment'))
  );
}

/** A statement or item, with the attributes above it. */
interface Part {
  readonly attributes: readonly SgNode[];
  readonly main: SgNode;
  readonly lines: LineSpan;
}

function partsIn(asked: Asked, container: SgNode): readonly Part[] {
  const parts: Part[] = [];
  let attributes: SgNode[] = [];
  for (const node of partsOf(container)) {
    if (isOuter(node)) {
      attributes.push(node);
      continue;
    }
    const { to } = linesOf(asked, node);
    const { from } = linesOf(asked, attributes[0] ?? node);
    parts.push({ attributes, main: node, lines: { from, to } });
    attributes = [];
  }
  return parts;
}

const CONTAINERS = new Set([
  'block',
  'match_block',
  'declaration_list',
  'field_declaration_list',
  'enum_variant_list',
]);

function choose(asked: Asked, container: SgNode): Result<Cut, string> {
  const { span } = asked;
  const met = partsIn(asked, container).filter(({ lines }) => meets(lines, span));
  const [first, second] = met;
  if (first === undefined) return err(`line ${span.from + 1} belongs to no statement`);
  if (met.some(({ main }) => kindIs(main, 'ERROR')))
    return err(`line ${span.from + 1} lies in code that cannot be parsed as Rust`);
  if (second === undefined) {
    const inner = innerContainer(asked, first.main);
    if (inner !== null) return choose(asked, inner);
    const attribute = attributeCut(asked, first);
    if (attribute !== null) return ok(attribute);
  }
  if (kindIs(container, 'match_block'))
    return armEdit(
      asked,
      container,
      met.map(({ main }) => main),
    );
  return kindIs(container, 'block')
    ? statementsCut(asked, container, met)
    : itemsCut(asked, container, met);
}

/**
 * The outermost block or list inside a part that has the span's lines for itself: something in
 * it begins on them. A function on one line counts as its body.
 */
function innerContainer(asked: Asked, node: SgNode): SgNode | null {
  for (const child of node.children()) {
    if (!meets(linesOf(asked, child), asked.span)) continue;
    if (CONTAINERS.has(String(child.kind())) && ownsSpan(asked, node, child)) return child;
    const found = innerContainer(asked, child);
    if (found !== null) return found;
  }
  return null;
}

function ownsSpan(asked: Asked, owner: SgNode, container: SgNode): boolean {
  const met = partsIn(asked, container).filter(({ lines }) => meets(lines, asked.span));
  const [first, last] = [met[0], met.at(-1)];
  if (first === undefined || last === undefined) return false;
  // A brace on the span's lines belongs to what is around.
  if (!holds({ from: first.lines.from, to: last.lines.to }, asked.span)) return false;
  const { start } = asked.tree.span(first.attributes[0] ?? first.main);
  const isOwnLine = firstOffset(asked.lines, lineAt(asked.lines, start)) === start;
  const { from, to } = linesOf(asked, owner);
  return isOwnLine || (kindIs(owner, 'function_item') && from === to);
}

/** The span names attributes alone: only they go. */
function attributeCut(asked: Asked, { attributes, main }: Part): Cut | null {
  const named = attributes.filter((node) => meets(linesOf(asked, node), asked.span));
  const [first] = named;
  const last = named.at(-1);
  if (first === undefined || last === undefined || meets(linesOf(asked, main), asked.span))
    return null;
  return cutOf(asked, first, last);
}

function statementsCut(asked: Asked, block: SgNode, met: readonly Part[]): Result<Cut, string> {
  const { span } = asked;
  for (const { main, lines } of met) {
    const item = whyItem(main, lines, span);
    if (item !== null) return err(item);
    if (holds(span, lines)) continue;
    const head = headEnd(asked, main);
    if (head === null) continue;
    if (met.length > 1) return err(cuts(lines, span));
    if (span.from > head)
      return err(
        kindIs(main, 'macro_invocation') || hasMacroAt(asked, main)
          ? inMacro(lines, span)
          : afterHead(lines, span),
      );
    if (span.to > head) return err(cuts(lines, span));
  }
  const value = met.find(
    ({ main }) => isLast(main, block) && givesValue(main) && needsValue(block),
  );
  if (value !== undefined) return err(valueOf(value.lines));
  if (met.every(({ main }) => kindIs(main, 'empty_statement')))
    return err(`line ${span.from + 1} does nothing: no test could notice that it is gone`);
  return cutParts(asked, met);
}

/**
 * The last line of what comes before the first block, or macro call, of several lines inside a
 * statement; null: it has none, so that every line of it stands for all of it.
 */
function headEnd(asked: Asked, node: SgNode): number | null {
  for (const child of node.children()) {
    const { from, to } = linesOf(asked, child);
    if (from === to) continue;
    const isBraced = kindIs(child, 'token_tree') && child.text().startsWith('{');
    if (isBraced || CONTAINERS.has(String(child.kind()))) return from;
    const inner = headEnd(asked, child);
    if (inner !== null) return inner;
  }
  return null;
}

const hasMacroAt = ({ tree, lines, span }: Asked, main: SgNode): boolean => {
  const offset = firstOffset(lines, span.from);
  const path = offset === null ? [] : pathTo(tree, offset);
  const at = path.findIndex((node) => node.id() === main.id());
  return path.slice(at + 1).some((node) => kindIs(node, 'macro_invocation'));
};

function itemsCut(asked: Asked, container: SgNode, met: readonly Part[]): Result<Cut, string> {
  const { span } = asked;
  if (!kindIs(container, 'source_file') && !kindIs(container, 'declaration_list'))
    return err(declares(container, span));
  for (const { main, lines } of met) {
    const why = whyItem(main, lines, span);
    if (why !== null) return err(why);
  }
  return cutParts(asked, met);
}

function cutParts(asked: Asked, met: readonly Part[]): Result<Cut, string> {
  const first = met[0];
  const last = met.at(-1);
  if (first === undefined || last === undefined)
    throw new Error('Internal error: nothing was chosen');
  return ok(cutOf(asked, first.attributes[0] ?? first.main, last.main));
}
