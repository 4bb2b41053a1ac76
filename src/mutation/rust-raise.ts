/** A panic at the head of a Rust function, so that whoever calls it notices. */
import type { SgNode } from '@ast-grep/napi';
import { err, ok, type Result } from '../result.js';
import { REACH_MARKER } from '../spec/reach-marker.js';
import { latin1Of, lineAt, type Lines, startOf, terminatorNear } from './lines.js';
import { rustFunctionAt, type RustPlace } from './rust-scope.js';
import { bodyOf, isInner, parseRust, partsOf } from './rust-tree.js';
import { kindIs, pathTo, type SourceTree } from './source-tree.js';

/**
 * `if true` keeps the rest of the body reachable to the compiler: a panic alone is a warning,
 * and an error under `deny(warnings)`. Measured with rustc 1.95 in the editions 2015 to 2024,
 * with and without std, in const, async, generic and diverging functions. `panic!` without a
 * path, because each path fails somewhere: `::core` in 2015, `core::` beside a module of that
 * name, `std::` without std.
 */
const panicking = (message: string): string => `if true { panic!("${message}") }`;

/** What `raise: true` writes. */
export const RUST_RAISE = panicking('counterproof: raised on purpose');

/** What the search for reaching tests writes. */
export const RUST_REACH = panicking(REACH_MARKER);

/**
 * Puts `statement` first into the body of the innermost function that holds the line, after its
 * inner attributes and inner doc comments. On its own line where the body has lines of its own,
 * otherwise behind the brace. No other byte changes.
 *
 * @param index 0-based line: of an attribute, the signature or the body.
 * @returns why not, as a whole clause.
 */
export function raiseInRust(
  lines: Lines,
  index: number,
  statement: string,
): Result<Buffer, string> {
  const tree = parseRust(lines.bytes);
  const found = rustFunctionAt(tree, lines, index);
  if (found.kind !== 'function') return err(whyNoFunction(found.kind, index));
  const body = bodyOf(found.node);
  if (body === null) return err('the function has no body that can be parsed as Rust');
  const { at, before, after } = placeIn(tree, lines, body);
  const { bytes } = lines;
  const result = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(`${before}${statement}${after}`, 'latin1'),
    bytes.subarray(at),
  ]);
  return heads(result, at + before.length, tree.span(found.node).start, tree.errors)
    ? ok(result)
    : err('a statement at the head of the function cannot be parsed as Rust there');
}

function whyNoFunction(kind: Exclude<RustPlace['kind'], 'function'>, index: number): string {
  const line = `line ${index + 1}`;
  const why: Readonly<Record<typeof kind, string>> = {
    required: 'is a function without a body',
    macro: 'lies in a macro, whose functions are not known before it is expanded',
    constant: 'lies in a constant, which the compiler computes',
    type: 'lies in a type, outside any function',
    module: 'is at module level, outside any function',
    unreadable: 'lies in code that cannot be parsed as Rust',
  };
  return `${line} ${why[kind]}`;
}

interface Place {
  readonly at: number;
  /** One byte a character. */
  readonly before: string;
  readonly after: string;
}

function placeIn(tree: SourceTree, lines: Lines, body: SgNode): Place {
  const at = endOfHead(tree, body);
  const line = lineAt(lines, at);
  const indent = indentIn(tree, lines, body);
  if (at === startOf(lines, line))
    return { at, before: indent, after: terminatorNear(lines, line) };
  const rest = latin1Of(lines, line).slice(at - startOf(lines, line));
  // A block comment that begins here may go on below: only blanks and `//` end with the line.
  if (/^\s*(?:\/\/.*)?$/.test(rest) && line + 1 < lines.count)
    return { at: startOf(lines, line + 1), before: indent, after: terminatorNear(lines, line + 1) };
  return { at, before: ' ', after: /^\s/.test(rest) ? '' : ' ' };
}

/** After the brace, and after what must stand before any statement. */
function endOfHead(tree: SourceTree, body: SgNode): number {
  const [first] = partsOf(body);
  const limit = first === undefined ? tree.span(body).end : tree.span(first).start;
  const inner = body
    .children()
    .findLast((child) => isInner(child) && tree.span(child).start < limit);
  return inner === undefined ? tree.span(body).start + 1 : tree.span(inner).end;
}

function indentIn(tree: SourceTree, lines: Lines, body: SgNode): string {
  const blanksBefore = (offset: number): string | null => {
    const blanks = lines.bytes.toString('latin1', startOf(lines, lineAt(lines, offset)), offset);
    return /^[ \t]*$/.test(blanks) ? blanks : null;
  };
  const [first] = partsOf(body);
  const own = first === undefined ? null : blanksBefore(tree.span(first).start);
  if (own !== null) return own;
  const closing = blanksBefore(tree.span(body).end - 1) ?? '';
  return closing.includes('\t') ? `${closing}\t` : `${closing}    `;
}

/** Whether the statement now stands in the body of that same function, after its head. */
function heads(bytes: Buffer, at: number, definitionStart: number, errors: number): boolean {
  const tree = parseRust(bytes);
  if (tree.errors > errors) return false;
  const path = pathTo(tree, at);
  const index = path.findLastIndex((node) => kindIs(node, 'if_expression'));
  const [statement, body, definition] = [path[index - 1], path[index - 2], path[index - 3]];
  if (statement === undefined || body === undefined || definition === undefined) return false;
  return (
    tree.span(definition).start === definitionStart &&
    bodyOf(definition)?.id() === body.id() &&
    partsOf(body)[0]?.id() === statement.id() &&
    tree.span(statement).start === at
  );
}
