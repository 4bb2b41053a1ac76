/** A statement at the head of a Python function, so that whoever calls it notices. */
import type { SgNode } from '@ast-grep/napi';
import { err, ok, type Result } from '../result.js';
import { latin1Of, lineAt, type Lines, startOf, terminatorNear } from './lines.js';
import { functionAt } from './python-scope.js';
import { bodyOf, isCompound, isDocstring, parsePython, statementsOf } from './python-tree.js';
import { kindIs, pathTo, type SourceTree } from './source-tree.js';

/** What `raise: true` writes: no `except Exception` swallows it, and it needs no import. */
export const PYTHON_RAISE = 'raise BaseException("counterproof: raised on purpose")';

/**
 * What the search for reaching tests writes. The recorder notes the running test, even where
 * the exception is swallowed later, and returns the exception.
 */
export const PYTHON_REACH = 'raise __import__("_counterproof_recorder").reached()';

/**
 * Puts `statement` first into the body of the innermost function that holds the line, after
 * its docstring. On its own line where the body has lines of its own, otherwise before what
 * stands there, divided by `;`. No other byte changes.
 *
 * @param index 0-based line: the `def`, a decorator, a line of the signature or of the body.
 * @returns why not, as a whole clause: `line 3 is at class level`.
 */
export function raiseInPython(
  lines: Lines,
  index: number,
  statement: string,
): Result<Buffer, string> {
  const tree = parsePython(lines.bytes);
  if (tree === null) return err('the file declares an encoding that cannot be read safely');
  const found = functionAt(tree, lines, index);
  if (found.kind !== 'function') return err(whyNoFunction(found.kind, lines, index));
  return raiseInside(tree, lines, found.node, statement);
}

function whyNoFunction(
  kind: 'class' | 'module' | 'unreadable',
  lines: Lines,
  index: number,
): string {
  const line = `line ${index + 1}`;
  if (kind === 'unreadable') return `${line} lies in code that cannot be parsed as Python`;
  const text = latin1Of(lines, index);
  if (/\blambda\b/.test(text)) return `${line} holds a lambda, which has no room for a statement`;
  if (kind === 'class') return `${line} is at class level, outside any method`;
  return `${line} is at module level, outside any function`;
}

function raiseInside(
  tree: SourceTree,
  lines: Lines,
  definition: SgNode,
  statement: string,
): Result<Buffer, string> {
  const body = bodyOf(definition);
  const place = body === null ? null : placeIn(tree, lines, body);
  if (place === null) return err('the function has no body that can be parsed as Python');
  const text = `${place.before}${statement}${place.after}`;
  const { bytes } = lines;
  const result = Buffer.concat([
    bytes.subarray(0, place.at),
    Buffer.from(text, 'latin1'),
    bytes.subarray(place.at),
  ]);
  return heads(result, place.at + place.before.length, tree.span(definition).start, tree.errors)
    ? ok(result)
    : err('a statement at the head of the function cannot be parsed as Python there');
}

interface Place {
  readonly at: number;
  /** One byte a character. */
  readonly before: string;
  readonly after: string;
}

function placeIn(tree: SourceTree, lines: Lines, body: SgNode): Place | null {
  const statements = statementsOf(body);
  const [first, second] = statements;
  if (first === undefined) return null;
  if (!isDocstring(tree, lines.bytes, first)) return placeBefore(tree, lines, first);
  if (second !== undefined) return placeBefore(tree, lines, second);
  return { at: tree.span(first).end, before: '; ', after: '' };
}

function placeBefore(tree: SourceTree, lines: Lines, statement: SgNode): Place | null {
  const at = tree.span(statement).start;
  const line = lineAt(lines, at);
  const start = startOf(lines, line);
  const indent = lines.bytes.toString('latin1', start, at);
  const follows = line > 0 && latin1Of(lines, line - 1).endsWith('\\');
  if (/^[ \t\f]*$/.test(indent) && !follows) {
    return { at: start, before: indent, after: terminatorNear(lines, line) };
  }
  return isCompound(statement) ? null : { at, before: '', after: '; ' };
}

/** Whether the statement now stands in the body of that same function, after a docstring at most. */
function heads(bytes: Buffer, at: number, definitionStart: number, errors: number): boolean {
  const tree = parsePython(bytes);
  if (tree === null || tree.errors > errors) return false;
  const path = pathTo(tree, at);
  const index = path.findLastIndex((node) => kindIs(node, 'raise_statement'));
  const [raise, body, definition] = [path[index], path[index - 1], path[index - 2]];
  if (raise === undefined || body === undefined || definition === undefined) return false;
  if (
    !kindIs(definition, 'function_definition') ||
    tree.span(definition).start !== definitionStart
  ) {
    return false;
  }
  const before = statementsOf(body).filter((node) => tree.span(node).start < at);
  return (
    before.length === 0 ||
    (before.length === 1 && before.every((node) => isDocstring(tree, bytes, node)))
  );
}
