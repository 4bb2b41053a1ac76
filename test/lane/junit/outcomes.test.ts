import { describe, expect, it } from 'vitest';
import { gathered, ROOT, suite } from './support.js';
import type { TestResult } from '../../../src/proof/outcome.js';

const one = async (content = '', attributes = ''): Promise<TestResult | undefined> => {
  const report = suite(`<testcase name="t" ${attributes}>${content}</testcase>`);
  return [...(await gathered([report])).results.values()][0];
};

describe('an outcome', () => {
  it.each<readonly [what: string, content: string, outcome: string, attributes?: string]>([
    ['nothing inside', '', 'passed'],
    ['output alone', '<system-out>FAILED</system-out><properties/>', 'passed'],
    ['a failure', '<failure/>', 'failed'],
    ['an error', '<error/>', 'error'],
    ['a failure and an error in tearing down', '<failure/><error/>', 'failed'],
    ['a skip', '<skipped message="no network"/>', 'skipped'],
    ['pytest’s expected failure', '<skipped type="pytest.xfail"/>', 'xfailed'],
    ['Node’s test that is still to be done', '<skipped type="todo"/><failure/>', 'skipped'],
    ['Node’s test whose parent ended', '<failure type="cancelledByParent"/>', 'error'],
    ['Node’s failed hook', '<failure type="hookFailed"/>', 'error'],
    ['surefire’s test that passed at last', '<flakyFailure/><flakyError/>', 'passed'],
    ['surefire’s test that failed every time', '<failure/><rerunFailure/>', 'failed'],
    ['googletest’s disabled test', '', 'skipped', 'status="notrun"'],
    ['googletest’s suppressed test', '', 'skipped', 'status="run" result="suppressed"'],
    ['googletest’s test', '', 'passed', 'status="run" result="completed"'],
    ['CTest’s failure', '<failure message=""/>', 'failed', 'status="fail"'],
    ['CTest’s failure by its status alone', '', 'failed', 'status="fail"'],
    ['CTest’s disabled test', '', 'skipped', 'status="disabled"'],
  ])('%s', async (_what, content, outcome, attributes?: string) => {
    expect((await one(content, attributes))?.outcome).toBe(outcome);
  });

  it.each([
    ['0.0123', 12.3],
    ['1,234.5', 1_234_500],
    ['0', 0],
    ['', 0],
    ['-1', 0],
    ['soon', 0],
  ])('that took %s', async (time, ms) => {
    expect((await one('', `time="${time}"`))?.durationMs).toBe(ms);
  });
});

describe('the message of a failure', () => {
  it.each<readonly [string, string, string | null]>([
    [
      'Vitest',
      '<failure message="expected 1 to be 2 // Object.is equality" type="AssertionError">AssertionError: expected 1 to be 2\n\n- Expected\n ❯ a.test.ts:3:36</failure>',
      'expected 1 to be 2 // Object.is equality',
    ],
    [
      'Vitest, another error than an assertion',
      '<failure message="x is not a function" type="TypeError">TypeError: x is not a function</failure>',
      'TypeError: x is not a function',
    ],
    [
      'colour codes without their escape character',
      '<failure message="[31m[PARSE_ERROR] [0mUnexpected   token" type="Error"/>',
      '[PARSE_ERROR] Unexpected token',
    ],
    [
      'gotestsum',
      '<failure message="Failed" type="">=== RUN   TestCart\n    cart_test.go:5: expected 1\n--- FAIL: TestCart (0.00s)\n</failure>',
      '=== RUN TestCart cart_test.go:5: expected 1 --- FAIL: TestCart (0.00s)',
    ],
    [
      'jest-junit',
      '<failure>Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\nReceived: 1\n    at Object.toBe (src/a.test.js:3:5)</failure>',
      'Error: expect(received).toBe(expected) // Object.is equality Expected: 2 Received: 1',
    ],
    [
      'nextest',
      '<failure message="thread \'x\' panicked at src/lib.rs:5:9" type="test failure">thread \'x\' panicked at src/lib.rs:5:9:\nassertion `left == right` failed\n  left: 1\n right: 2\nstack backtrace:</failure>',
      "thread 'x' panicked at src/lib.rs:5:9: assertion `left == right` failed left: 1 right: 2",
    ],
    [
      'Node, a whole file',
      "<failure type=\"testCodeFailure\" message=\"test failed\">[Error: test failed] { code: 'ERR_TEST_FAILURE', failureType: 'testCodeFailure', cause: 'test failed', exitCode: 3, signal: null }</failure>",
      'the file failed as a whole (exit 3)',
    ],
    [
      'Node, a whole file that was killed',
      '<failure type="testCodeFailure" message="test failed">[Error: test failed] { failureType: \'testCodeFailure\', exitCode: null, signal: \'SIGKILL\' }</failure>',
      'the file failed as a whole (SIGKILL)',
    ],
    [
      'a stack alone',
      '<failure>    at x (a.js:1:1)\n    at y (a.js:2:1)</failure>',
      'at x (a.js:1:1) at y (a.js:2:1)',
    ],
    ['nothing', '<failure/>', null],
    ['a skip with a reason', '<skipped message="no network"/>', 'no network'],
    ['a skip without', '<skipped type="skipped" message="true"/>', null],
  ])('%s', async (_runner, content, message) => {
    expect((await one(content))?.message).toBe(message);
  });

  it('is one line of at most 500 characters', async () => {
    const message = (await one(`<failure message="${'long'.repeat(500)}"/>`))?.message ?? '';
    expect(message).toHaveLength(500);
  });
});

describe('tests of several reports', () => {
  it('are taken together, and of one name the worst counts', async () => {
    const { results, repeated } = await gathered([
      suite('<testcase name="a"/>', '<testcase name="b"/>'),
      suite('<testcase name="b"><failure/></testcase>', '<testcase name="c"/>'),
      suite('<testcase name="b"/>'),
    ]);
    expect([...results.values()].map(({ id, outcome }) => [id, outcome])).toEqual([
      ['unit::a', 'passed'],
      ['unit::b', 'failed'],
      ['unit::c', 'passed'],
    ]);
    expect([...repeated]).toEqual([['unit::b', 3]]);
  });

  it('that passed only when they were run again are named', async () => {
    const { flaky } = await gathered([
      suite('<testcase name="a"><flakyFailure/></testcase>', '<testcase name="b"/>'),
    ]);
    expect(flaky).toEqual(['unit::a']);
  });
});

/** Vitest lists the tests of a worker that was killed as passed, in a time of exactly nothing. */
describe('tests that are listed without having run', () => {
  const killed = '<testcase name="a" time="0"></testcase>';

  it('are those without a time, where the runner measures finely', async () => {
    const fine = '<testcase name="b" time="0.00009408"/>';
    expect([...(await gathered([suite(killed, fine)])).listed]).toEqual(['unit::a']);
  });

  it.each([
    ['a runner that measures milliseconds', killed, '<testcase name="b" time="0.003"/>'],
    [
      'a skip',
      '<testcase name="a" time="0"><skipped/></testcase>',
      '<testcase name="b" time="0.0012345"/>',
    ],
    [
      'a status',
      '<testcase name="a" time="0" status="run"/>',
      '<testcase name="b" time="0.0012345"/>',
    ],
    [
      'a time that was rounded',
      '<testcase name="a" time="0.000000"/>',
      '<testcase name="b" time="0.001234"/>',
    ],
  ])('are not: %s', async (_what, ...cases) => {
    expect((await gathered([suite(...cases)])).listed.size).toBe(0);
  });
});

describe('a file that cannot be collected', () => {
  it('is told from its tests: Vitest', async () => {
    const { results, collectionErrors } = await gathered([
      `<testsuites><testsuite name="test/b.test.ts"><testcase classname="test/b.test.ts" name="test/b.test.ts">
         <failure message="Transform failed with 1 error:" type="Error">Error: Transform failed</failure>
       </testcase></testsuite></testsuites>`,
    ]);
    expect(results.size).toBe(0);
    expect(collectionErrors).toEqual([
      {
        stage: 'compile',
        file: 'test/b.test.ts',
        line: null,
        message: 'Transform failed with 1 error:',
      },
    ]);
  });

  it('is told from its tests: pytest', async () => {
    const { results, collectionErrors } = await gathered([
      suite(
        `<testcase classname="" name="tests.test_b"><error message="collection failure">ImportError while importing test module
E   ModuleNotFoundError: No module named 'nope'</error></testcase>`,
      ),
    ]);
    expect(results.size).toBe(0);
    expect(collectionErrors).toEqual([
      {
        stage: 'import',
        file: 'tests.test_b',
        line: null,
        message: "ModuleNotFoundError: No module named 'nope'",
      },
    ]);
  });

  it('is told from its tests: a failure that the suite itself has', async () => {
    const { collectionErrors } = await gathered([
      `<testsuite name="com.shop.CartTest" errors="1"><error message="static initializer"/></testsuite>`,
    ]);
    expect(collectionErrors).toEqual([
      { stage: 'collect', file: 'com.shop.CartTest', line: null, message: 'static initializer' },
    ]);
  });

  it.each([
    [
      'jest-junit’s test of the same class and name',
      '<testcase classname="Cart adds" name="Cart adds"><failure/></testcase>',
    ],
    [
      'a test named like a file in a suite of another name',
      '<testcase classname="a.ts" name="a.ts"><failure/></testcase>',
    ],
    [
      'a test that pytest gives no class',
      '<testcase classname="" name="test_b"><error message="other"/></testcase>',
    ],
  ])('is not: %s', async (_what, content) => {
    const { results, collectionErrors } = await gathered([suite(content)]);
    expect(collectionErrors).toEqual([]);
    expect(results.size).toBe(1);
  });
});

describe('a failure that is no evidence', () => {
  const broken = async (content: string, targets = ['src/a.ts']): Promise<string | null> => {
    const report = suite(`<testcase name="t">${content}</testcase>`);
    return [...(await gathered([report], targets)).results.values()][0]?.broken ?? null;
  };

  it.each<readonly [string, string]>([
    [
      'Vitest: a late import that does not parse',
      `<failure message="Transform failed with 1 error:" type="Error">Error: Transform failed with 1 error:\n  File: ${ROOT}/src/a.ts</failure>`,
    ],
    [
      'Node: a late import that does not parse',
      "<failure message=\"Unexpected token ';'\">[Error [ERR_TEST_FAILURE]: Unexpected token] {\n  cause: SyntaxError [Error]: Unexpected token ';'\n      at compileSourceTextModule (node:internal/modules/esm/utils:346:16)\n}</failure>",
    ],
    [
      'Node: a late import of a name that is not there',
      "<failure message=\"does not provide\">  cause: SyntaxError: The requested module './a.js' does not provide an export named 'x'\n      at ModuleJob._instantiate (node:internal/modules/esm/module_job:180:21)</failure>",
    ],
    [
      'Node: a module that the mutant imports in vain',
      `<failure message="Cannot find module '${ROOT}/src/nope.js' imported from ${ROOT}/src/a.ts"/>`,
    ],
    [
      'pytest: a late import that does not parse',
      `<failure message="SyntaxError: invalid syntax">E     File "${ROOT}/src/a.ts", line 3\nE   SyntaxError: invalid syntax</failure>`,
    ],
    [
      'pytest: a name that the mutant lacks',
      `<failure message="ImportError: cannot import name 'x' from 'a' (${ROOT}/src/a.ts)"/>`,
    ],
  ])('%s', async (_what, content) => {
    expect(await broken(content)).toContain('src/a.ts: ');
  });

  it.each<readonly [string, string]>([
    ['an assertion', '<failure message="expected 1 to be 2" type="AssertionError"/>'],
    [
      'a SyntaxError that the code throws',
      `<failure message="Unexpected end of JSON input" type="SyntaxError">SyntaxError: Unexpected end of JSON input\n    at JSON.parse (&lt;anonymous&gt;)\n    at parse (${ROOT}/src/a.ts:3:5)\n ❯ ${ROOT}/src/a.ts:3:5</failure>`,
    ],
    [
      'an assertion about the words',
      `<failure message="expected 'SyntaxError: in ${ROOT}/src/a.ts' to be null" type="AssertionError"/>`,
    ],
    [
      'an import error of another file',
      `<failure message="Cannot find module '/x/nope.js' imported from /x/other.js"/>`,
    ],
  ])('is not: %s', async (_what, content) => {
    expect(await broken(content)).toBeNull();
  });

  it('is none where no file is under proof', async () => {
    expect(
      await broken('<failure message="SyntaxError: invalid syntax (a.py, line 3)"/>', []),
    ).toBeNull();
  });
});
