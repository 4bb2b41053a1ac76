/** A first mutation for a project that has none: a line and a test that are there. */
import { readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { dirtyFiles, trackedFiles } from '../git/tree.js';
import { importersOf } from '../lane/pytest/importers.js';
import { classifyFile, PYTHON_FILES } from '../prove/classify.js';
import { pythonTestsIn } from '../prove/python-tests.js';
import type { ExampleWords } from '../spec/init.js';

/** Files of source that are looked into. */
const MOST_FILES = 300;

interface Text {
  /** Relative to the tree. */
  readonly path: string;
  readonly text: string;
}

/**
 * A function with a `return` of its own, and a test that names it. Whether that test notices is
 * for a run to show.
 *
 * @returns null: none was found in what git knows
 */
export async function firstExample(
  tree: string,
  root: string,
): Promise<Pick<ExampleWords, 'file' | 'find' | 'with' | 'test' | 'function'> | null> {
  const base = relative(tree, root).replaceAll('\\', '/') || '.';
  const [tests, sources] = await textsIn(tree, base);
  for (const source of sources) {
    const importers = new Set(importersOf([source.path], tests));
    for (const { name, line } of returnsIn(source.text)) {
      for (const test of tests.filter(({ path }) => importers.has(path))) {
        const found = testNaming(test.text, name);
        if (found === null) continue;
        return {
          file: posix.relative(base, source.path),
          find: line,
          with: 'return None',
          test: `${posix.relative(base, test.path)}::${found}`,
          function: `def ${name}(`,
        };
      }
    }
  }
  return null;
}

async function textsIn(
  tree: string,
  base: string,
): Promise<readonly [tests: readonly Text[], sources: readonly Text[]]> {
  const [tracked, dirty] = [await trackedFiles(tree), await dirtyFiles(tree)];
  const all = [
    ...(tracked.ok ? tracked.value.paths : []),
    ...(dirty.ok ? dirty.value.untracked : []),
  ];
  const rules = { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES };
  const own = all
    .filter((path) => path.endsWith('.py') && (base === '.' || path.startsWith(`${base}/`)))
    .map((path) => ({ path, ...classifyFile(path, rules) }));
  const read = (paths: readonly { readonly path: string }[]): Promise<Text[]> =>
    Promise.all(
      paths.map(async ({ path }) => ({
        path,
        text: await readFile(join(tree, path), 'utf8').catch(() => ''),
      })),
    );
  const tests = own.filter((each) => each.why.startsWith('named like'));
  const sources = own.filter((each) => each.class === 'source').slice(0, MOST_FILES);
  return [await read(tests), await read(sources)];
}

/** Lines `return …` that stand once in the file, each with its function, whose name does too. */
function returnsIn(text: string): readonly { readonly name: string; readonly line: string }[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) => {
    // One that goes on below, or that gives what the mutant would, is no example.
    const [, indent = '', what = ''] =
      /^( +)(return [^\s#'"`\\][^#\\]*[^\s([{,\\])$/.exec(line) ?? [];
    if (what === '' || what === 'return None' || text.split(what).length !== 2) return [];
    if (!isBalanced(what)) return [];
    const name = functionAbove(lines, index, indent.length);
    return name === null || text.split(`def ${name}(`).length !== 2 ? [] : [{ name, line: what }];
  });
}

const isBalanced = (code: string): boolean =>
  (code.match(/[([{]/g) ?? []).length === (code.match(/[)\]}]/g) ?? []).length;

function functionAbove(lines: readonly string[], from: number, indent: number): string | null {
  let least = indent;
  for (let index = from - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? '';
    const own = line.length - line.trimStart().length;
    if (line.trim() === '' || own >= least) continue;
    const name = /^ *(?:async )?def (?<name>\w+)\(/.exec(line)?.groups?.['name'];
    if (name !== undefined) return name;
    least = own;
  }
  return null;
}

/** The first test whose lines have this name as a word. */
function testNaming(text: string, name: string): string | null {
  const lines = text.split('\n');
  const word = new RegExp(String.raw`\b${name}\b`);
  const { tests } = pythonTestsIn(Buffer.from(text));
  return (
    tests.find(({ lines: span }) => word.test(lines.slice(span.from + 1, span.to).join('\n')))
      ?.name ?? null
  );
}
