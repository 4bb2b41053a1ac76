import { diffLines } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LineRun } from '../../src/git/changed.js';
import { changesOf } from '../../src/prove/changes.js';
import { PYTHON_FILES } from '../../src/prove/classify.js';
import { innerTests } from '../../src/prove/inner-tests.js';
import { takeBack } from '../../src/prove/take.js';
import { apartFromTests } from '../../src/prove/test-lines.js';

const half = (divisor: number): string => `pub fn half(n: u32) -> u32 {\n    n / ${divisor}\n}\n`;
const tests = (name: string): string =>
  `\n#[cfg(test)]\nmod ${name} {\n    #[test]\n    fn checks() {\n        ok();\n    }\n}\n`;

const run = (old: readonly [number, number], fresh: readonly [number, number]): LineRun => ({
  old: { from: old[0], to: old[1] },
  fresh: { from: fresh[0], to: fresh[1] },
});

/** What any comparison of lines says that knows nothing of tests. */
function plainRuns(before: string, after: string): readonly LineRun[] {
  const runs: LineRun[] = [];
  let [i, j] = [0, 0];
  let isOpen = false;
  for (const { removed, added, count } of diffLines(before, after)) {
    const [old, fresh] = [added ? 0 : count, removed ? 0 : count];
    if (removed || added) {
      const last = isOpen ? runs.pop() : undefined;
      runs.push(run([last?.old.from ?? i, i + old], [last?.fresh.from ?? j, j + fresh]));
    }
    isOpen = removed || added;
    [i, j] = [i + old, j + fresh];
  }
  return runs;
}

const isTestLine = (bytes: Buffer, line: number): boolean =>
  innerTests({ pythonFiles: [] })('src/lib.rs', bytes, line);

const rules = { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES };

/** The file without the changes of its code. */
function withoutCode(before: string, after: string, runs: readonly LineRun[]): string {
  const path = 'src/lib.rs';
  const [old, now] = [Buffer.from(before), Buffer.from(after)];
  const entry = {
    change: {
      oldPath: path,
      path,
      oldKind: 'file' as const,
      kind: 'file' as const,
      modeChanged: false,
      runs,
      isBinary: false,
    },
    file: { path, oldPath: path, before: old, after: now, now },
    isMarkedGenerated: false,
    isTestModule: null,
    unreadable: null,
  };
  const code = changesOf([entry], rules).filter((change) => change.class === 'source');
  return takeBack(code)[0]?.after?.toString() ?? after;
}

describe('the runs of a Rust file that holds tests', () => {
  // git takes the brace of the function for that of the new module.
  const slid = [run([1, 2], [1, 10])];

  test('are told apart where one is of both, or an equal line was code and is a test', () => {
    const [before, after] = [half(3), half(2) + tests('t')];
    expect(apartFromTests(slid, Buffer.from(before), Buffer.from(after), isTestLine)).toEqual([
      run([1, 2], [1, 2]),
      run([0, 0], [3, 11]),
    ]);
    expect(withoutCode(before, after, slid)).toBe(half(3) + tests('t'));
  });

  test('stay as they are told where none is', () => {
    const [before, after] = [half(3) + tests('t'), half(2) + tests('u')];
    const runs = [run([1, 2], [1, 2]), run([5, 6], [5, 6])];
    expect(apartFromTests(runs, Buffer.from(before), Buffer.from(after), isTestLine)).toBe(runs);
  });

  test('take the code back and leave the tests, wherever these come to be, go and change', () => {
    const code = fc.constantFrom(half(1), half(2), half(3), 'use a;\n');
    const ours = fc.constantFrom(tests('a'), tests('b'), tests('c'));
    const file = fc
      .tuple(fc.array(code, { maxLength: 5 }), fc.array(ours, { maxLength: 2 }), fc.boolean())
      .map(([some, own, isFirst]) => (isFirst ? [...own, ...some] : [...some, ...own]).join(''));
    const linesOf = (text: string, ofTests: boolean): readonly string[] => {
      const bytes = Buffer.from(text);
      return text
        .split('\n')
        .filter((line, at) => line !== '' && isTestLine(bytes, at) === ofTests);
    };
    fc.assert(
      fc.property(file, file, (before, after) => {
        const without = withoutCode(before, after, plainRuns(before, after));
        expect(linesOf(without, false)).toEqual(linesOf(before, false));
        expect(linesOf(without, true)).toEqual(linesOf(after, true));
      }),
      { numRuns: 100 },
    );
  });
});
