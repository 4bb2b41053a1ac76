/** The tests that a range adds or changes, as far as the text of its files tells. */
import type { SgNode } from '@ast-grep/napi';
import { lineAt, splitLines } from '../mutation/lines.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs } from '../mutation/source-tree.js';
import { dottedName, isDefinition } from '../mutation/python-scope.js';
import type { Change, Part, Span } from './fix.js';

export interface FixTest {
  /** File, relative to the tree. */
  readonly path: string;
  /** `TestA::test_b`, without parameters. */
  readonly name: string;
  readonly kind: 'new' | 'changed';
}

/** Test functions of Python files, in the order in which they stand. */
export function testsOf(changes: readonly Change[]): readonly FixTest[] {
  return changes
    .filter((change) => change.class === 'test')
    .flatMap(({ parts }) => {
      const [first] = parts;
      const path = first?.file.path ?? '';
      if (first === undefined || !path.endsWith('.py') || /(^|\/)conftest\.py$/.test(path))
        return [];
      return testsIn(parts, path);
    });
}

function testsIn(parts: readonly Part[], path: string): readonly FixTest[] {
  const { now, before } = parts[0]?.file ?? { now: null, before: null };
  if (now === null) return [];
  const known = new Set(before === null ? [] : testFunctions(before).map(({ name }) => name));
  const spans = parts.flatMap((part) =>
    part.kind === 'lines' && part.now !== null ? [part.now] : [],
  );
  return testFunctions(now).flatMap(({ name, lines }): readonly FixTest[] => {
    if (!known.has(name)) return [{ path, name, kind: 'new' }];
    return spans.some((span) => meets(span, lines)) ? [{ path, name, kind: 'changed' }] : [];
  });
}

/** Lines that were only taken away leave an empty span: in a function, or right behind its last line. */
const meets = (span: Span, lines: Span): boolean =>
  span.from === span.to
    ? span.from > lines.from && span.from <= lines.to
    : span.from < lines.to && lines.from < span.to;

interface TestFunction {
  readonly name: string;
  readonly lines: Span;
}

function testFunctions(bytes: Buffer): readonly TestFunction[] {
  const tree = parsePython(bytes);
  if (tree === null) return [];
  const lines = splitLines(bytes);
  const found: TestFunction[] = [];
  const visit = (node: SgNode, above: readonly SgNode[], outer: SgNode | null): void => {
    const path = isDefinition(node) ? [...above, node] : above;
    const whole = kindIs(node, 'decorated_definition') ? node : null;
    if (kindIs(node, 'function_definition')) {
      const name = dottedName(tree, bytes, path) ?? '';
      // A function inside a test is none that could be collected.
      if (/(^|\.)test[^.]*$/.test(name)) {
        const { start, end } = tree.span(outer ?? node);
        const span = {
          from: lineAt(lines, start),
          to: lineAt(lines, Math.max(start, end - 1)) + 1,
        };
        found.push({ name: name.replaceAll('.', '::'), lines: span });
      }
      return;
    }
    for (const child of node.children()) visit(child, path, whole);
  };
  visit(tree.root, [], null);
  return found;
}
