/** Test functions of a Python file, and which of its lines are theirs. */
import type { SgNode } from '@ast-grep/napi';
import { lineAt, splitLines } from '../mutation/lines.js';
import { dottedName, isDefinition } from '../mutation/python-scope.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs } from '../mutation/source-tree.js';
import type { Span } from '../mutation/file-change.js';
import { matchesPath } from '../spec/path-pattern.js';

export interface PythonTests {
  /** Test functions and classes of tests, with their decorators. */
  readonly regions: readonly Span[];
  /** `TestA::test_b`. */
  readonly tests: readonly { readonly name: string; readonly lines: Span }[];
}

/** What pytest collects by its name: `python_functions` and `python_classes`. */
export interface PythonNames {
  readonly functions: readonly string[];
  readonly classes: readonly string[];
}

export const PYTHON_NAMES: PythonNames = { functions: ['test'], classes: ['Test'] };

const known = new WeakMap<PythonNames, WeakMap<Buffer, PythonTests>>();

export function pythonTestsIn(bytes: Buffer, names: PythonNames = PYTHON_NAMES): PythonTests {
  const files = known.get(names) ?? new WeakMap<Buffer, PythonTests>();
  known.set(names, files);
  const found = files.get(bytes) ?? read(bytes, names);
  files.set(bytes, found);
  return found;
}

function read(bytes: Buffer, names: PythonNames): PythonTests {
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
    const isTop = path.length === 1;
    if (kindIs(node, 'function_definition')) {
      // A function inside another one is none that could be collected.
      if (!isTestFunction(node, above.at(-1) ?? null, names) || isFixture(outer)) return;
      const name = dottedName(tree, bytes, path) ?? '';
      const span = spanOf(outer ?? node);
      tests.push({ name: name.replaceAll('.', '::'), lines: span });
      if (isTop) regions.push(span);
      return;
    }
    if (kindIs(node, 'class_definition')) {
      const kind = classKind(node, names);
      if (kind === 'none') return;
      const isNamed = fits(nameOf(node), names.classes);
      if (isTop && (isNamed || kind === 'unittest')) regions.push(spanOf(outer ?? node));
    }
    const whole = kindIs(node, 'decorated_definition') ? node : null;
    for (const child of node.children()) visit(child, path, whole);
  };
  visit(tree.root, [], null);
  return { regions, tests };
}

const nameOf = (node: SgNode): string => node.field('name')?.text() ?? '';

/** A pattern without a wildcard is how the name begins. */
const fits = (name: string, patterns: readonly string[]): boolean =>
  patterns.some(
    (pattern) => name.startsWith(pattern) || (/[*?[]/.test(pattern) && matchesPath(pattern, name)),
  );

function isTestFunction(node: SgNode, owner: SgNode | null, names: PythonNames): boolean {
  const name = nameOf(node);
  const kind = owner === null ? 'plain' : classKind(owner, names);
  return (
    (kind !== 'unittest' && fits(name, names.functions)) ||
    (kind !== 'plain' && name.startsWith('test'))
  );
}

/** `@pytest.fixture`, `@fixture(scope="module")`, `@pytest_asyncio.fixture`. */
const isFixture = (decorated: SgNode | null): boolean =>
  decorated
    ?.children()
    .some(
      (child) => kindIs(child, 'decorator') && /^@\s*[\w.]*fixture\s*(\(|#|$)/.test(child.text()),
    ) ?? false;

/** `derived`: what it is derived from may make it a test case, whatever its name is. */
function classKind(
  node: SgNode,
  { classes }: PythonNames,
): 'none' | 'plain' | 'derived' | 'unittest' {
  const bases = (node.field('superclasses')?.namedChildren() ?? [])
    .filter((base) => !kindIs(base, 'keyword_argument') && !kindIs(base, 'comment'))
    .map((base) => base.text())
    .filter((base) => base !== 'object');
  if (bases.some((base) => base.endsWith('TestCase'))) return 'unittest';
  if (bases.length > 0) return 'derived';
  // pytest collects no class that it cannot make without arguments.
  return fits(nameOf(node), classes) && !hasConstructor(node) ? 'plain' : 'none';
}

const hasConstructor = (node: SgNode): boolean =>
  (node.field('body')?.namedChildren() ?? [])
    .map((child) => (kindIs(child, 'decorated_definition') ? child.field('definition') : child))
    .some(
      (child) =>
        child !== null &&
        kindIs(child, 'function_definition') &&
        ['__init__', '__new__'].includes(nameOf(child)),
    );
