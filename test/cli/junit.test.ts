/** Lanes of any command that writes JUnit XML: Node's own test runner, Vitest and pytest. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JunitLaneInput } from '../../src/spec/lane-schema.js';
import { counterproof, createProject, prove, spec, verdicts } from '../support/project.js';
import { config } from '../support/specs.js';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const NODE = ['node', '--test', '--test-reporter=junit', '--test-reporter-destination={report}'];

const PYTEST = ['python', '-m', 'pytest', '--junitxml={report}', '-o', 'junit_family=xunit1'];

const lane = (command: string[], more: Partial<JunitLaneInput> = {}) =>
  config({ runner: 'junit', command, ...more });

const CART = {
  'package.json': '{ "type": "module" }\n',
  '.gitignore': 'node_modules\n',
  'cart.js': `export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);

export function discount(total) {
  if (total > 100) return total * 0.9;
  return total;
}

export const unused = () => 1;
`,
};

const discount = { file: 'cart.js', within: 'export function discount' };

describe('Node’s own test runner', () => {
  const FILES = {
    ...CART,
    ...lane(NODE),
    'test/total.test.js': `import { test } from 'node:test';
import assert from 'node:assert';
import { total } from '../cart.js';

test('adds', () => assert.equal(total([1, 2]), 3));
test('of nothing', () => assert.equal(total([]), 0));
`,
    'test/discount.test.js': `import { describe, it } from 'node:test';
import assert from 'node:assert';
import { discount } from '../cart.js';

describe('discount', () => {
  it('above', () => assert.equal(discount(200), 180));
  it('below', () => assert.equal(discount(50), 50));
  it('later', { skip: 'not yet' }, () => undefined);
});
`,
  };

  // Reports of newer ones name the file as well.
  const newer = Number(process.versions.node.split('.')[0]) > 20;
  const at = (file: string, ...names: string[]): string =>
    [...(newer ? [`test/${file}.test.js`] : []), ...names].join('::');
  const above = at('discount', 'discount', 'above');
  const below = at('discount', 'discount', 'below');
  const adds = at('total', 'adds');

  it('pins by an effect that repeats, and calls nothing survived that it could not see run', async () => {
    const project = createProject({
      ...FILES,
      'mutations/cart.yaml': spec(
        [
          {
            id: 'alive',
            role: 'liveness',
            file: 'cart.js',
            replace: { find: 'sum + price', with: 'sum - price' },
          },
          {
            id: 'pinned',
            ...discount,
            replace: { find: '0.9', with: '0.8' },
            flips: [{ test: above, message: '/160 == 180/' }],
            controls: [adds, below],
          },
          {
            id: 'moves-the-control',
            ...discount,
            replace: { find: 'total > 100', with: 'total < 100' },
            flips: [above],
            controls: [below],
          },
          {
            id: 'unnoticed',
            ...discount,
            replace: { find: '> 100', with: '>= 100' },
            flips: [above],
          },
          {
            id: 'unused',
            file: 'cart.js',
            replace: { find: '() => 1', with: '() => 2' },
            flips: 'none',
          },
          {
            id: 'does-not-parse',
            ...discount,
            replace: { find: 'return total;', with: 'return total);' },
            flips: [above],
          },
          {
            id: 'exits-early',
            ...discount,
            replace: { find: 'return total;', with: 'process.exit(3);' },
            flips: [above],
          },
        ],
        { about: 'Totals and discounts.' },
      ),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      alive: 'pinned',
      pinned: 'pinned',
      'moves-the-control': 'control-moved',
      unnoticed: 'not-loaded',
      unused: 'not-loaded',
      'does-not-parse': 'incomplete',
      'exits-early': 'incomplete',
    });
    expect(run.exitCode).toBe(1);
    const pinned = run.proof('pinned');
    expect(pinned.loaded).toEqual({ proof: 'by-effect', from: above });
    expect(pinned.flips.expected).toMatchObject([
      { test: above, from: 'passed', to: 'failed', restored: 'passed' },
    ]);
    expect(pinned.flips.expected[0]?.at).toBe('test/discount.test.js:6');
    expect(pinned.controls.map(({ held }) => held)).toEqual([true, true]);
    expect(pinned.steps.map(({ step, scope }) => [step, scope]).slice(1)).toEqual([
      ['mutated', 'lane'],
      ['mutated', 'lane'],
      ['restored', 'lane'],
    ]);
    expect(run.proof('unnoticed').reason).toContain('never shows which code ran');
    expect(run.proof('exits-early').reason).toContain(
      'tests of the baseline are not in its report',
    );
    expect(run.record.notVerified.join('\n')).toContain('load proof: none');
    expect(run.record.lanes[0]).toMatchObject({
      runner: 'junit',
      collected: 5,
      versions: { node: process.versions.node },
      alive: { by: 'alive' },
    });
    expect(project.snapshot()).toEqual(before);

    const { exitCode, stdout } = await counterproof(project, ['run', '--only', 'unnoticed']);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('load proof: none');
    expect(stdout).toContain('throw at the head of the same function');
  });

  it('lists the tests of a lane by running them, and says so', async () => {
    const project = createProject(FILES);
    const { exitCode, stdout } = await counterproof(project, ['lane', '-v']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('they were run');
    expect(stdout).toMatch(/collected +5\n/);
    expect(stdout).toContain(`  + ${above}\n`);
  });

  it('refuses a baseline whose report is old, absent or cut off', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': JSON.stringify({
        version: 1,
        lanes: {
          old: { runner: 'junit', command: ['true'], report: 'old.xml' },
          absent: { runner: 'junit', command: ['true', '{report}'] },
          cut: {
            runner: 'junit',
            command: ['sh', '-c', 'printf "<testsuites>\\n<testsuite" > "$COUNTERPROOF_REPORT"'],
            report: '{report}',
          },
        },
      }),
      'old.xml': '<testsuite><testcase name="a"/></testsuite>',
      'mutations/all.yaml': JSON.stringify({
        version: 1,
        mutations: ['old', 'absent', 'cut'].map((name) => ({
          id: name,
          lane: name,
          file: 'cart.js',
          replace: { find: '0.9', with: '0.8' },
          flips: ['a'],
        })),
      }),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ old: 'incomplete', absent: 'incomplete', cut: 'incomplete' });
    expect(run.proof('old').reason).toContain('old.xml is older than this run');
    expect(run.proof('absent').reason).toContain('wrote no report to {report}');
    expect(run.proof('cut').reason).toMatch(/report\.xml:2:\d+/);
    expect(run.exitCode).toBe(3);
    expect(project.snapshot()).toEqual(before);
  });
});

it('Vitest: a file’s tests, a mutant that does not parse, and a worker that is killed', async () => {
  const test = 'test/cart.test.ts';
  const project = createProject({
    ...CART,
    ...lane(['node', 'node_modules/vitest/vitest.mjs', 'run', '--reporter=junit'], {
      args: ['--outputFile={report}'],
      env: { CI: 'true' },
    }),
    'vitest.config.ts': `export default { test: { pool: 'forks' } };\n`,
    [test]: `import { describe, expect, test } from 'vitest';
import { discount, total } from '../cart.js';

test('adds', () => expect(total([1, 2])).toBe(3));
describe('discount', () => {
  test('above', () => expect(discount(200)).toBe(180));
  test('below', () => expect(discount(50)).toBe(50));
});
`,
    'test/other.test.ts': `import { expect, test } from 'vitest';
import { total } from '../cart.js';

test('of nothing', () => expect(total([])).toBe(0));
`,
    'mutations/cart.yaml': spec(
      [
        {
          id: 'pinned',
          ...discount,
          replace: { find: '0.9', with: '0.8' },
          flips: [`${test}::discount > above`],
          controls: ['test/other.test.ts', `${test}::discount > below`],
        },
        {
          id: 'a-whole-file',
          file: 'cart.js',
          edits: [
            { file: 'cart.js', replace: { find: 'sum + price', with: 'sum - price' } },
            { ...discount, replace: { find: 'return total', with: 'return 1 + total', count: 2 } },
          ],
          flips: [test],
          controls: ['test/other.test.ts'],
        },
        {
          id: 'does-not-parse',
          ...discount,
          replace: { find: 'return total;', with: 'return total);' },
          flips: [`${test}::discount > above`],
        },
        {
          id: 'killed',
          ...discount,
          replace: { find: 'return total;', with: "process.kill(process.pid, 'SIGKILL');" },
          flips: [`${test}::discount > below`],
        },
      ].map(({ file, ...rest }) => ('edits' in rest ? rest : { file, ...rest })),
    ),
  });
  symlinkSync(MODULES, path.join(project.folder, 'node_modules'));

  const run = await prove(project);

  expect(verdicts(run)).toEqual({
    pinned: 'pinned',
    'a-whole-file': 'pinned',
    'does-not-parse': 'broken',
    killed: 'incomplete',
  });
  expect(run.proof('pinned').flips.expected).toMatchObject([
    {
      test: `${test}::discount > above`,
      at: `${test}:6`,
      message: 'expected 160 to be 180 // Object.is equality',
    },
  ]);
  expect(run.proof('does-not-parse').reason).toContain('test/cart.test.ts');
  expect(run.record.lanes[0]?.versions).toMatchObject({ vitest: '4.1.12' });
});

it('pytest by its own report, beside a pytest lane', async () => {
  const project = createProject({
    ...config(
      { runner: 'junit', command: PYTEST },
      {
        lanes: {
          unit: { runner: 'junit', command: PYTEST },
          plain: { runner: 'pytest' },
        },
      },
    ),
    'calc.py': 'def add(a, b):\n    return a + b\n',
    'tests/test_calc.py': `from calc import add


class TestAdd:
    def test_small(self):
        assert add(1, 2) == 3

    def test_zero(self):
        assert add(0, 0) == 0
`,
    'pytest.ini': '[pytest]\npythonpath = .\n',
    'mutations/calc.yaml': spec([
      {
        id: 'by-report',
        file: 'calc.py',
        replace: { find: 'a + b', with: 'a - b' },
        flips: ['tests/test_calc.py::TestAdd::test_small'],
        controls: [
          'tests/test_calc.py::TestAdd::test_zero',
          { lane: 'plain', tests: 'tests/test_calc.py::TestAdd::test_zero' },
        ],
      },
    ]),
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ 'by-report': 'pinned' });
  expect(run.proof('by-report').flips.expected).toMatchObject([
    { at: 'tests/test_calc.py:6', message: 'assert -1 == 3 + where -1 = add(1, 2)' },
  ]);
  expect(run.proof('by-report').controls.map((control) => [control.lane, control.held])).toEqual([
    ['unit', true],
    ['plain', true],
  ]);
  expect(project.snapshot()).toEqual(before);
});
