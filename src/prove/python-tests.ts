/** Test functions of a Python file, and which of its lines are theirs. */
import type { SgNode } from '@ast-grep/napi';
import { lineAt, splitLines } from '../mutation/lines.js';
import { dottedName, isDefinition } from '../mutation/python-scope.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs } from '../mutation/source-tree.js';
import type { Span } from '../mutation/file-change.js';

export interface PythonTests {
  /** Test functions and classes of tests, with their decorators. */
  readonly regions: readonly Span[];
  /** `TestA::test_b`. */
  readonly tests: readonly { readonly name: string; readonly lines: Span }[];
}

const known = new WeakMap<Buffer, PythonTests>();

export function pythonTestsIn(bytes: Buffer): PythonTests {
  const before = known.get(bytes);
  if (before !== undefined) return before;
  const found = read(bytes);
  known.set(bytes, found);
  return found;
}

function read(bytes: Buffer): PythonTests {
  const tree = parsePython(bytes);
  if (tree === null) return { regions: [], tests: [] };
  const lines = splitLines(bytes);
  const tests: { name: string; lines: Span }[] = [];
  const regions: Span[] = [];
  const spanOf = (node: SgNode): Span => {
    const { start, end } = tree.span(node);
    return { from: lineAt(lines, start), to: lineAt(lines, Math.max(start, end - 1)) + 1 };
  };
  const visit = (node: SgNode, above: readonly SgNode[], outer: SgNode | null): void => {
    const path = isDefinition(node) ? [...above, node] : above;
    const whole = kindIs(node, 'decorated_definition') ? node : null;
    const name = isDefinition(node) ? (dottedName(tree, bytes, path) ?? '') : '';
    const isTop = path.length === 1;
    if (kindIs(node, 'function_definition')) {
      // A function inside a test is none that could be collected.
      if (!/(^|\.)test[^.]*$/.test(name)) return;
      const span = spanOf(outer ?? node);
      tests.push({ name: name.replaceAll('.', '::'), lines: span });
      if (isTop) regions.push(span);
      return;
    }
    if (kindIs(node, 'class_definition') && isTop && name.startsWith('Test'))
      regions.push(spanOf(outer ?? node));
    for (const child of node.children()) visit(child, path, whole);
  };
  visit(tree.root, [], null);
  return { regions, tests };
}
