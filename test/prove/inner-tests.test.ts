import { describe, expect, test } from 'vitest';
import { classifyFile, PYTHON_FILES } from '../../src/prove/classify.js';
import { innerTests } from '../../src/prove/inner-tests.js';

const CODE = `import os


def half(a):
    def test_inner():
        pass
    return a


@mark
def test_half():
    assert half(4) == 2


@mark
class TestAll:
    def helper(self):
        pass

    def test_more(self):
        pass


class Helper:
    def testing(self):
        pass
`;

describe('the tests inside a Python file', () => {
  const marked = (path: string, pythonFiles: readonly string[]): readonly string[] => {
    const bytes = Buffer.from(CODE);
    const isTestLine = innerTests({ pythonFiles });
    return CODE.split('\n').filter((_, line) => isTestLine(path, bytes, line));
  };

  test('are its test functions and classes, decorators included, where pytest collects it', () => {
    expect(marked('src/calc.py', ['*.py'])).toEqual([
      ...CODE.split('\n').slice(9, 12),
      ...CODE.split('\n').slice(14, 21),
    ]);
  });

  test('are none where it does not: there `test_…` is a name like any other', () => {
    expect(marked('src/calc.py', PYTHON_FILES)).toEqual([]);
    expect(marked('src/test_calc.py', PYTHON_FILES)).toHaveLength(10);
    expect(marked('src/calc.txt', ['*'])).toEqual([]);
  });
});

test.each([
  ['src/calc.py', 'source', 'code'],
  ['tests/calc.py', 'test', 'named like *.py in tests/'],
  ['docs/conf.py', 'other', 'documentation in docs/'],
])('where every file is collected, %s is %s: %s', (path, kind, why) => {
  const rules = { testPaths: [], sourcePaths: [], pythonFiles: ['*.py'] };
  expect(classifyFile(path, rules)).toEqual({ class: kind, why });
});
