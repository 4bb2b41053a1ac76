/** The tests that a range adds or changes, as far as the text of its files tells. */
import { posix } from 'node:path';
import type { Part, Span } from '../mutation/file-change.js';
import type { Change } from './fix.js';
import { isRust } from './languages.js';
import { PYTHON_NAMES, pythonTestsIn, type PythonNames } from './python-tests.js';
import type { RustPlace } from './rust-places.js';
import { rustTestsIn } from './rust-tests.js';

export interface FixTest {
  /** File, relative to the tree. */
  readonly path: string;
  /** `TestA::test_b`, without parameters. */
  readonly name: string;
  readonly kind: 'new' | 'changed';
}

/** Test functions of the files that the range touches, in the order in which they stand. */
export function testsOf(
  changes: readonly Change[],
  names: PythonNames = PYTHON_NAMES,
): readonly FixTest[] {
  return changes
    .filter((change) => change.class === 'test' || isNewModule(change))
    .flatMap(({ parts }) => {
      const [first] = parts;
      const path = first?.file.path ?? '';
      const functions = functionsOf(path, names);
      return first === undefined || functions === null ? [] : testsIn(parts, path, functions);
    });
}

/** Tests may stand in it, and come and go with it. */
const isNewModule = ({ class: kind, parts }: Change): boolean =>
  kind === 'source' && parts.some((part) => part.kind === 'created' && isRust(part.file.path));

type Functions = (bytes: Buffer) => readonly TestFunction[];

function functionsOf(path: string, names: PythonNames): Functions | null {
  if (/(^|\/)conftest\.py$/.test(path)) return null;
  if (path.endsWith('.py')) return (bytes) => pythonTestsIn(bytes, names).tests;
  return isRust(path) ? (bytes) => rustTestsIn(bytes).tests : null;
}

function testsIn(parts: readonly Part[], path: string, functions: Functions): readonly FixTest[] {
  const { now, before } = parts[0]?.file ?? { now: null, before: null };
  if (now === null) return [];
  const known = new Set(before === null ? [] : functions(before).map(({ name }) => name));
  const spans = parts.flatMap((part) =>
    part.kind === 'lines' && part.now !== null ? [part.now] : [],
  );
  return functions(now).flatMap(({ name, lines }): readonly FixTest[] => {
    if (!known.has(name)) return [{ path, name, kind: 'new' }];
    return spans.some((span) => meets(span, lines)) ? [{ path, name, kind: 'changed' }] : [];
  });
}

/** How the lane calls a test. */
export interface TestIds {
  /** Its own id, without rows. */
  readonly test: string;
  /** Which of these are it, or its rows. */
  readonly among: (ids: readonly string[]) => readonly string[];
}

/**
 * One for each executable that holds the test; empty: none is known to.
 *
 * @param root of the project, relative to the tree
 */
export function idsOf(
  { path, name }: FixTest,
  root: string,
  placesOf: (path: string) => readonly RustPlace[],
): readonly TestIds[] {
  if (!isRust(path)) return [rowsOf(`${posix.relative(root, path)}::${name}`, '[')];
  return placesOf(path).map(({ executable, modules }) =>
    rowsOf(`${executable} ${[...modules, name].join('::')}`, '::'),
  );
}

/** A test with rows has no id of its own: what stands below its name otherwise is a module's. */
const rowsOf = (test: string, next: string): TestIds => ({
  test,
  among: (ids) =>
    ids.includes(test) ? [test] : ids.filter((id) => id.startsWith(`${test}${next}`)),
});

/** Lines that were only taken away leave an empty span: in a function, or right behind its last line. */
const meets = (span: Span, lines: Span): boolean =>
  span.from === span.to
    ? span.from > lines.from && span.from <= lines.to
    : span.from < lines.to && lines.from < span.to;

interface TestFunction {
  readonly name: string;
  readonly lines: Span;
}
