/** "Take the statement on this line away", for a question that nobody wrote a spec for. */
import type { SgNode } from '@ast-grep/napi';
import { ok, type Result } from '../result.js';
import { codeSpan, holds, type LineSpan, meets } from './code-lines.js';
import type { NotApplied } from './edit.js';
import { firstOffset, latin1Of, lineAt, type Lines, splitLines, startOf } from './lines.js';
import { noChange, refused } from './problem.js';
import { isDefinition } from './python-scope.js';
import {
  bodyOf,
  hasBrokenHead,
  isClause,
  isCompound,
  isDocstring,
  parsePython,
  statementsOf,
} from './python-tree.js';
import { kindIs, type SourceTree } from './source-tree.js';

/**
 * Removes the statements that stand on lines `fromLine` to `toLine` (1-based, inclusive) of a
 * Python file; a block that would be empty gets `pass`.
 *
 * - A line inside a statement of several lines takes the whole statement away; statements that
 *   share a line by `;` go together.
 * - The first line of an `if`, `for`, `while`, `with`, `try` or `match` takes it away whole,
 *   with its branches. A range must hold such a statement whole, or lie inside one branch.
 * - `def f(): return 1` on one line keeps `def f():` and gets `pass`, and so do `class` and
 *   `else:` with a body on their line.
 * - A decorator's line takes that decorator away.
 * - Blank lines, comments, docstrings, `pass` and `...` are refused, because no test could
 *   notice; the line of a `def` or `class`, because its absence breaks every user at import;
 *   that of an `else`, `except`, `finally` or `case`, because it is no statement.
 */
export function removeFromPython(
  bytes: Buffer,
  path: string,
  fromLine: number,
  toLine: number,
): Result<Buffer, NotApplied> {
  const lines = splitLines(bytes);
  const tree = parsePython(bytes);
  if (tree === null) {
    return refused(path, 'the file declares an encoding that cannot be read safely');
  }
  const code = codeSpan(lines, fromLine, toLine, (index) => isCode(latin1Of(lines, index)));
  if (!code.ok) return refused(path, code.error);
  const source: Source = { tree, lines, path };
  const chosen = choose(source, tree.root, code.value);
  if (!chosen.ok) return chosen;
  const result = remove(source, chosen.value);
  const after = parsePython(result);
  if (after === null || after.errors > tree.errors) {
    return refused(path, `without line ${fromLine} the file is no longer Python`);
  }
  return result.equals(bytes) ? noChange(path, 'the statement') : ok(result);
}

interface Source {
  readonly tree: SourceTree;
  readonly lines: Lines;
  readonly path: string;
}

/** Nodes that stand side by side, and whether what is left of their block needs a `pass`. */
interface Chosen {
  readonly nodes: readonly SgNode[];
  readonly leavesEmpty: boolean;
}

const isCode = (text: string): boolean => /^\s*[^\s#]/.test(text);

const linesOf = (source: Source, node: SgNode): LineSpan => {
  const { start, end } = source.tree.span(node);
  return { from: lineAt(source.lines, start), to: lineAt(source.lines, Math.max(start, end - 1)) };
};

function choose(source: Source, block: SgNode, span: LineSpan): Result<Chosen, NotApplied> {
  const statements = statementsOf(block);
  const met = statements.filter((statement) => meets(linesOf(source, statement), span));
  const [first] = met;
  if (first === undefined)
    return refused(source.path, `line ${span.from + 1} belongs to no statement`);
  if (
    met.some(
      (node) => kindIs(node, 'ERROR') || (isCompound(node) && hasBrokenHead(source.tree, node)),
    )
  ) {
    return refused(
      source.path,
      `line ${span.from + 1} lies in code that cannot be parsed as Python`,
    );
  }
  if (met.length === 1 && (isCompound(first) || isClause(first))) {
    const inner = insideOf(source, first, span);
    if (inner !== null) return inner;
  }
  for (const node of met) {
    if (isCompound(node) && !holds(span, linesOf(source, node)) && met.length > 1) {
      return refused(source.path, cuts(source, node, span));
    }
  }
  const silent = met.filter((node) => doesNothing(source, block, node));
  if (silent.length === met.length) return refused(source.path, whySilent(source, first, block));
  return ok({
    nodes: met,
    leavesEmpty: met.length === statements.length && !kindIs(block, 'module'),
  });
}

function cuts(source: Source, node: SgNode, span: LineSpan): string {
  const own = linesOf(source, node);
  return `lines ${span.from + 1} to ${span.to + 1} cut the statement of lines ${own.from + 1} to ${own.to + 1}: name all of it, or lines inside it`;
}

/** What the span means inside a compound statement; null: the statement itself. */
function insideOf(source: Source, node: SgNode, span: LineSpan): Result<Chosen, NotApplied> | null {
  const own = linesOf(source, node);
  if (kindIs(node, 'decorated_definition')) return insideDecorated(source, node, span);
  const parts = partsOf(node);
  const part = parts.find((child) => holds(linesOf(source, child), span));
  const header = { from: own.from, to: headerEnd(source, node) };
  const isKept = isDefinition(node) || isClause(node);
  const isInline = part !== undefined && meets(header, linesOf(source, part));
  if (part !== undefined && (!isInline || isKept)) {
    return isClause(part) ? insideOf(source, part, span) : choose(source, part, span);
  }
  if (isClause(node)) {
    const word = latin1Of(source.lines, own.from)
      .trim()
      .replace(/[\s:(].*$/, '');
    return refused(
      source.path,
      `line ${own.from + 1} is an \`${word}\`, which is no statement: name lines of its body, or the whole statement that it belongs to`,
    );
  }
  if (holds(span, own) && (span.from < span.to || !isDefinition(node))) return null;
  if (isDefinition(node)) return refused(source.path, definitionLine(source, node));
  return span.from === span.to && meets(header, span)
    ? null
    : refused(source.path, cuts(source, node, span));
}

/** The blocks and branches of a compound statement; a `match` has branches alone. */
function partsOf(node: SgNode): readonly SgNode[] {
  const body = bodyOf(node);
  const children =
    kindIs(node, 'match_statement') && body !== null ? body.children() : node.children();
  return children.filter((child) => kindIs(child, 'block') || isClause(child));
}

function definitionLine(source: Source, node: SgNode): string {
  const line = linesOf(source, node).from + 1;
  return kindIs(node, 'function_definition')
    ? `line ${line} begins a function: without it everything that imports it breaks. Use --raise, or name lines of its body`
    : `line ${line} begins a class: without it everything that imports it breaks. Name lines of its body`;
}

/** The last line of what precedes the body: `if a and\n   b:`. */
function headerEnd(source: Source, node: SgNode): number {
  const body = bodyOf(node);
  const own = linesOf(source, node);
  if (body === null) return own.from;
  const colon = node
    .children()
    .findLast(
      (child) => child.text() === ':' && source.tree.span(child).start < source.tree.span(body).end,
    );
  return colon === undefined ? own.from : linesOf(source, colon).from;
}

function insideDecorated(
  source: Source,
  node: SgNode,
  span: LineSpan,
): Result<Chosen, NotApplied> | null {
  const children = node.children().filter((child) => child.isNamed());
  const decorators = children.filter(
    (child) => kindIs(child, 'decorator') && meets(linesOf(source, child), span),
  );
  const definition = children.find(isDefinition);
  const own = linesOf(source, node);
  if (definition === undefined || (holds(span, own) && span.from < span.to)) return null;
  if (decorators.length === 0) return insideOf(source, definition, span);
  return meets(linesOf(source, definition), span)
    ? refused(source.path, cuts(source, node, span))
    : ok({ nodes: decorators, leavesEmpty: false });
}

function doesNothing(source: Source, block: SgNode, node: SgNode): boolean {
  if (kindIs(node, 'pass_statement')) return true;
  const [only] = node.namedChildren();
  if (kindIs(node, 'expression_statement') && kindIs(only, 'ellipsis')) return true;
  return (
    statementsOf(block)[0]?.id() === node.id() && isDocstring(source.tree, source.lines.bytes, node)
  );
}

function whySilent(source: Source, node: SgNode, block: SgNode): string {
  const line = linesOf(source, node).from + 1;
  const isDoc = statementsOf(block)[0]?.id() === node.id() && kindIs(node, 'expression_statement');
  return isDoc && !/^\.\.\.$/.test(node.text())
    ? `line ${line} is a docstring: no code would change`
    : `line ${line} does nothing: no test could notice that it is gone`;
}

function remove(source: Source, chosen: Chosen): Buffer {
  const { lines, tree } = source;
  const [first] = chosen.nodes;
  const last = chosen.nodes.at(-1);
  if (first === undefined || last === undefined) return lines.bytes;
  const from = tree.span(first).start;
  const to = tree.span(last).end;
  const firstLine = lineAt(lines, from);
  const lastLine = lineAt(lines, Math.max(from, to - 1));
  const isOwnLine = firstOffset(lines, firstLine) === from;
  const [cutFrom, cutTo, fresh] =
    chosen.leavesEmpty || !isOwnLine
      ? [from, to, 'pass']
      : [startOf(lines, firstLine), startOf(lines, lastLine + 1), ''];
  return Buffer.concat([
    lines.bytes.subarray(0, cutFrom),
    Buffer.from(fresh),
    lines.bytes.subarray(cutTo),
  ]);
}
