import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOf, changesTold, createFix, testsTold } from '../support/fixes.js';
import { counterproof, createProject, prove } from '../support/project.js';

const STREAM = `class Stream:
    def __init__(self, engine, request_ids):
        self.engine = engine
        self.request_ids = list(request_ids)

    def pump(self):
        self.engine.abort(self.request_ids[0])

    def close(self):
        self.closed = True
`;

const FIXED = STREAM.replace(
  '        self.engine.abort(self.request_ids[0])\n',
  '        for rid in self.request_ids:\n            self.engine.abort(rid)\n',
).replace('self.closed = True\n', 'self.closed = True\n        self.request_ids.clear()\n');

const TESTS = `from app.stream import Stream


class Engine:
    def __init__(self):
        self.aborted = []

    def abort(self, rid):
        self.aborted.append(rid)


def test_first():
    engine = Engine()
    Stream(engine, ["a"]).pump()
    assert engine.aborted == ["a"]


def test_red():
    assert "this" == "red before"
`;

const NEW_TESTS = `

def test_every():
    engine = Engine()
    Stream(engine, ["a", "b"]).pump()
    assert engine.aborted == ["a", "b"]


def test_quiet():
    Stream(Engine(), ["a"]).close()
`;

describe('prove on a branch with two hunks, of which one is held', () => {
  it('says which, and that a new test passes without the fix; the tree comes back', async () => {
    const project = createFix(
      {
        'src/app/__init__.py': '',
        'src/app/stream.py': STREAM,
        'tests/test_stream.py': TESTS,
        'tests/test_far.py': 'def test_far():\n    pass\n',
      },
      {
        'src/app/stream.py': FIXED,
        'tests/test_stream.py': TESTS + NEW_TESTS,
        'CHANGES.md': 'more\n',
      },
      'fix: abort every choice',
    );
    const before = project.snapshot();
    const run = await prove(project, [
      'prove',
      '--report',
      'terminal=out/t.txt',
      '--report',
      'markdown=out/m.md',
    ]);
    expect(answerOf(run)).toMatchObject({
      overall: 'partly-held',
      reason: 'The tests hold hunk 1. Nothing notices when hunk 2 is gone.',
      range: { text: 'main..HEAD', commits: 1, subject: 'fix: abort every choice', tested: 'HEAD' },
      whole: { proof: 'whole', state: 'held' },
    });
    expect(changesTold(run)).toEqual([
      '1 src/app/stream.py:7 held by test_every',
      '2 src/app/stream.py:12 unheld',
    ]);
    expect(testsTold(run)).toEqual(['new test_every failed', 'new test_quiet passed']);
    expect(answerOf(run).tests[0]?.message).toBe("AssertionError: assert ['a'] == ['a', 'b']");
    expect(
      answerOf(run).changes.map(({ class: kind, file, why }) => [kind, file, why]),
    ).toContainEqual(['other', 'CHANGES.md', 'documentation']);
    expect(run.exitCode).toBe(1);
    // Red before, with and without the fix: no flip, and said once.
    expect(run.record.lanes[0]?.preExisting.map(({ test }) => test)).toEqual([
      'tests/test_stream.py::test_red',
    ]);
    // The nearest tests first; the whole lane for what they did not miss.
    expect(run.record.lanes.map(({ command }) => command.slice(-1))).toEqual([
      ['tests/test_stream.py'],
      ['pytest'],
    ]);
    expect(run.record.proofs.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'whole pinned',
      'hunk-1 pinned',
      'hunk-2 survived',
      'hunk-2:lane survived',
    ]);

    const terminal = readFileSync(join(project.folder, 'out/t.txt'), 'utf8');
    expect(terminal).toMatch(
      /^range {5}main\.\.HEAD, 1 commit, tree [0-9a-f]{7} {2}"fix: abort every choice"$/m,
    );
    expect(terminal).toMatch(/^✓ the whole fix +1 of 2 fail +did not move +\d/m);
    expect(terminal).toMatch(
      /^✗ 2 {2}src\/app\/stream\.py:12 {2}\+1 -0 {2}Stream\.close +none fails +did not move/m,
    );
    expect(terminal).toMatch(
      /^✗ PARTLY HELD {2}The tests hold hunk 1\. Nothing notices when hunk 2 is gone\.$/m,
    );
    expect(terminal).toMatch(
      /^hunk 2 {4}- {8}self\.request_ids\.clear\(\)\n {10}held by nothing; 1 test gets there/m,
    );
    expect(terminal).toMatch(/✓ test_every {2}fails without the fix: AssertionError/);
    expect(terminal).toMatch(/✗ test_quiet {2}passes without the fix$/m);
    expect(terminal).toMatch(/^1 of 2 hunks held, 4 of 4 runs graded, .*exit 1$/m);
    const markdown = readFileSync(join(project.folder, 'out/m.md'), 'utf8');
    expect(markdown).toContain('**✗ partly held**: The tests hold hunk 1.');
    expect(markdown).toContain(
      '| ✗ 2 `src/app/stream.py:12` | +1 -0 | `Stream.close` | none fails | did not move | **nothing** |',
    );

    project.git('clean', '-qfd', 'out');
    expect(project.snapshot()).toEqual(before);
  });
});

describe('prove on two modules', () => {
  it('names the one that is said to be fixed and is held by nothing, and the far test that holds', async () => {
    const project = createFix(
      {
        'src/one.py': 'def one(a):\n    return a\n',
        'src/two.py': 'def two(a):\n    return a\n',
        'tests/lib.py': 'def ones():\n    from one import one\n\n    return one(-1)\n',
        'tests/test_far.py':
          'import sys\n\nsys.path.insert(0, "tests")\nfrom lib import ones\n\n\ndef test_far():\n    assert ones() == 1 or ones() == -1\n',
        'tests/test_two.py': 'from two import two\n\n\ndef test_two():\n    assert two(1) == 1\n',
      },
      {
        'src/one.py': 'def one(a):\n    return abs(a)\n',
        'src/two.py': 'def two(a):\n    return abs(a)\n',
        'tests/test_far.py':
          'import sys\n\nsys.path.insert(0, "tests")\nfrom lib import ones\n\n\n# one line more\ndef test_far():\n    assert ones() == 1\n',
      },
    );
    const run = await prove(project, ['prove', '--full']);
    expect(answerOf(run).overall).toBe('partly-held');
    expect(changesTold(run)).toEqual(['1 src/one.py:2 held by test_far', '2 src/two.py:2 unheld']);
    expect(testsTold(run)).toEqual(['changed test_far failed']);
    expect(run.exitCode).toBe(1);
    const allowed = await counterproof(project, [
      'prove',
      '--full',
      '--allow-unheld',
      '--no-progress',
    ]);
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stdout).toMatch(/exit 0$/m);
  });
});

describe('prove on a fix whose tests were only loosened', () => {
  it('has nothing that fails without it, and skips the parts', async () => {
    const project = createFix(
      {
        'src/calc.py': 'def half(a):\n    return a // 2\n\n\ndef third(a):\n    return a // 3\n',
        'tests/test_calc.py':
          'from calc import half, third\n\n\ndef test_half():\n    assert half(4) == 2\n    assert third(9) == 3\n',
      },
      {
        'src/calc.py': 'def half(a):\n    return a / 2\n\n\ndef third(a):\n    return a / 3\n',
        'tests/test_calc.py':
          'from calc import half, third\n\n\ndef test_half():\n    assert half(4)\n    assert third(9) >= 3\n',
      },
    );
    const run = await prove(project, ['prove']);
    expect(answerOf(run)).toMatchObject({
      overall: 'unheld',
      reason: 'No test fails without the fix.',
      whole: { state: 'unheld' },
    });
    expect(testsTold(run)).toEqual(['changed test_half passed']);
    expect(changesTold(run).every((line) => line.includes('skipped'))).toBe(true);
    expect(run.record.proofs.map(({ id }) => id)).toEqual(['whole']);
    expect(run.exitCode).toBe(1);
  });
});

describe('prove where a part cannot stand alone', () => {
  it('joins it with what uses it, and rests on the parts where the tests import a name of the fix', async () => {
    const project = createFix(
      {
        'src/text.py':
          'def shout(a):\n    return a.upper()\n\n\ndef tail(a):\n    return a[1:]\n\n\nTAIL = 1\n',
        'tests/test_text.py':
          'import text\n\n\ndef test_shout():\n    assert text.shout("a") == "A"\n',
      },
      {
        'src/text.py':
          'def clean(a):\n    return a.strip()\n\n\ndef shout(a):\n    return clean(a).upper()\n\n\ndef tail(a):\n    return a[-1:]\n\n\nTAIL = 1\n\n\ndef fresh():\n    return 1\n',
        'tests/test_text.py':
          'import text\n\n\ndef test_shout():\n    assert text.shout("a") == "A"\n\n\ndef test_clean():\n    assert text.shout(" a ") == "A"\n\n\ndef test_tail():\n    assert text.tail("abc") == "c"\n',
        'tests/test_fresh.py':
          'from text import fresh\n\n\ndef test_fresh():\n    assert fresh() == 1\n',
      },
    );
    const run = await prove(project, ['prove']);
    expect(changesTold(run)).toEqual([
      '1 src/text.py:1 held with 2 by test_clean',
      '2 src/text.py:6 held by test_clean',
      '3 src/text.py:10 held by test_tail',
      '4 src/text.py:14 not-measurable',
    ]);
    expect(answerOf(run)).toMatchObject({
      overall: 'not-measurable',
      whole: { state: 'held' },
    });
    expect(answerOf(run).changes[3]?.reason).toMatch(/the tests use `fresh` by name/);
    expect(testsTold(run)).toEqual([
      'new test_fresh broken',
      'new test_clean failed',
      'new test_tail failed',
    ]);
    expect(run.exitCode).toBe(3);
  });

  it('joins neighbours where a revert does not compile, and three of which any one is enough', async () => {
    const project = createFix(
      {
        'src/load.py': 'def load(read):\n    return read()\n',
        'src/strip.py': 'def strip(a):\n    a = a\n    b = a\n    c = b\n    return c\n',
        'tests/test_load.py':
          'from load import load\nfrom strip import strip\n\n\ndef test_load():\n    assert load(lambda: 1) == 1\n    assert strip("a") == "a"\n',
      },
      {
        'src/load.py':
          'def load(read):\n    try:\n        value = read()\n    except OSError:\n        value = None\n    return value\n'.replace(
            '        value = read()\n',
            '        return read()\n',
          ),
        'src/strip.py':
          'def strip(a):\n    a = a.strip()\n    b = a\n    c = b.strip()\n    return c.strip()\n',
        'tests/test_load.py':
          'from load import load\nfrom strip import strip\n\n\ndef test_load():\n    assert load(lambda: 1) == 1\n    assert strip("a") == "a"\n\n\ndef fail():\n    raise OSError\n\n\ndef test_fails():\n    assert load(fail) is None\n\n\ndef test_strip():\n    assert strip(" a ") == "a"\n',
      },
    );
    const run = await prove(project, ['prove']);
    expect(answerOf(run).overall).toBe('held');
    expect(changesTold(run)).toEqual([
      '1 src/load.py:2 held by test_fails',
      '2 src/strip.py:2 held with 3 by test_strip',
      '3 src/strip.py:4 held with 2 by test_strip',
    ]);
    expect(run.exitCode).toBe(0);
  });
});

describe('prove where the tests stand in the source file', () => {
  it('takes the code back alone, and finds three of which any one is enough', async () => {
    const code = (a: string, b: string, c: string) =>
      `def strip(a):\n    a = ${a}\n    b = 1\n    a = ${b}\n    c = b\n    return ${c}\n`;
    const test = '\n\ndef test_strip():\n    assert strip(" a ") == "a"\n';
    const old = '\n\ndef test_old():\n    assert strip("a") == "a"\n';
    const project = createFix(
      {
        'pyproject.toml':
          '[tool.pytest.ini_options]\npython_files = ["*.py"]\ntestpaths = ["src"]\n',
        'src/text.py': code('a', 'a', 'a') + old,
      },
      { 'src/text.py': code('a.strip()', 'a.strip()', 'a.strip()') + old + test },
    );
    const run = await prove(project, ['prove']);
    expect(changesTold(run)).toEqual([
      '1 src/text.py:2 held with 2+3 by test_strip',
      '2 src/text.py:4 held with 1+3 by test_strip',
      '3 src/text.py:6 held with 1+2 by test_strip',
    ]);
    expect(answerOf(run).changes.at(-1)).toMatchObject({
      class: 'test',
      why: 'tests in a source file',
    });
    expect(testsTold(run)).toEqual(['new test_strip failed']);
    expect(run.exitCode).toBe(0);
  });
});

describe('prove where a revert ends the run', () => {
  it('names the test that hangs and the one that crashes, and grades the others', async () => {
    const project = createFix(
      {
        'counterproof.yaml': JSON.stringify({
          version: 1,
          lanes: { unit: { runner: 'pytest', limits: { test: '3s' } } },
        }),
        'src/loop.py':
          'import os\n\n\ndef count(n):\n    while n != 0:\n        n -= 2\n    return n\n\n\ndef stop(n):\n    os.abort()\n\n\ndef deep(n):\n    return deep(n)\n',
        'tests/test_loop.py': 'import loop\n\n\ndef test_even():\n    assert loop.count(4) == 0\n',
      },
      {
        'src/loop.py':
          'import os\n\n\ndef count(n):\n    while n > 0:\n        n -= 2\n    return n\n\n\ndef stop(n):\n    return n\n\n\ndef deep(n):\n    return n\n',
        'tests/test_loop.py':
          'import loop\n\n\ndef test_even():\n    assert loop.count(4) == 0\n\n\ndef test_deep():\n    assert loop.deep(1) == 1\n\n\ndef test_odd():\n    assert loop.count(3) == -1\n\n\ndef test_stop():\n    assert loop.stop(1) == 1\n',
      },
    );
    const run = await prove(project, ['prove']);
    expect(changesTold(run)).toEqual([
      '1 src/loop.py:5 held by test_odd',
      '2 src/loop.py:11 held by test_stop',
      '3 src/loop.py:15 held by test_deep',
    ]);
    expect(testsTold(run)).toEqual([
      'new test_deep failed',
      'new test_odd timeout',
      'new test_stop crashed',
    ]);
    expect(answerOf(run).tests[0]?.message).toMatch(/^RecursionError/);
    expect(answerOf(run).overall).toBe('held');
    expect(run.exitCode).toBe(0);
  });
});

describe('what prove is asked for', () => {
  it('says what to type where nothing is ahead, and where a range is none', async () => {
    const project = createProject({ 'a.py': 'x = 1\n' });
    const nothing = await counterproof(project, ['prove']);
    expect(nothing).toMatchObject({ exitCode: 5, stdout: '' });
    expect(nothing.stderr).toContain(
      'nothing ahead, and nothing uncommitted.\nTry: counterproof prove HEAD',
    );
    const unknown = await counterproof(project, ['prove', 'gone..HEAD']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('There is no commit gone here.');
  });

  it('has nothing to prove where tests alone changed, and says so', async () => {
    const project = createFix(
      { 'tests/test_a.py': 'def test_a():\n    pass\n' },
      { 'tests/test_a.py': 'def test_a():\n    assert True\n' },
    );
    const run = await prove(project, ['prove']);
    expect(answerOf(run)).toMatchObject({
      overall: 'nothing-to-prove',
      reason: 'The range changes tests, and no source that they could hold.',
    });
    expect(run.exitCode).toBe(5);
  });

  it('takes back by content what is older than HEAD, in a project below the top, with rows told apart', async () => {
    const project = createProject({
      'lib/pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["."]\n',
      'lib/calc.py': 'def half(a):\n    return a // 2\n',
      'lib/test_calc.py': 'import pytest\nfrom calc import half\n',
    });
    project.write({
      'lib/calc.py': 'def half(a):\n    return a / 2\n',
      'lib/test_calc.py':
        'import pytest\nfrom calc import half\n\n\n@pytest.mark.parametrize("a, b", [(4, 2), (3, 1.5)])\ndef test_half(a, b):\n    assert half(a) == b\n',
    });
    project.git('commit', '-qam', 'fix: halves');
    project.write({
      'lib/calc.py': '"""Sums."""\n\n\ndef half(a):\n    return a / 2\n',
      'lib/more.py': 'y = 1\n',
    });
    const run = await prove(project, ['prove', 'HEAD'], { cwd: join(project.folder, 'lib') });
    expect(answerOf(run)).toMatchObject({
      overall: 'held',
      range: { text: 'HEAD', tested: 'HEAD + 2 uncommitted files' },
      tests: [
        {
          test: 'test_calc.py::test_half',
          withoutFix: 'failed',
          rows: [
            { row: '[4-2]', withoutFix: 'passed' },
            { row: '[3-1.5]', withoutFix: 'failed' },
          ],
        },
      ],
    });
    expect(changesTold(run)).toEqual(['1 lib/calc.py:5 held by test_half[3-1.5]']);
    expect(run.exitCode).toBe(0);

    // The same as what is not committed yet.
    project.git('add', '-A');
    project.git('commit', '-qm', 'more');
    project.write({
      'lib/calc.py': 'def half(a):\n    return a / 2.5\n',
      'lib/test_calc.py': 'from calc import half\n\n\ndef test_now():\n    assert half(5) == 2\n',
    });
    const now = await prove(project, ['prove'], { cwd: join(project.folder, 'lib') });
    expect(answerOf(now)).toMatchObject({
      overall: 'held',
      range: { text: 'uncommitted changes', to: null },
    });
    expect(testsTold(now)).toEqual(['new test_now failed']);
  });
});

it('a new test that fails with the fix in place is said, and is none that could have noticed', async () => {
  const red = '\n\ndef test_new():\n    assert add(1, 1) == 3\n';
  const app = (sum: string): string => `def add(a, b):\n    return ${sum}\n`;
  const tests = (sum: number): string =>
    `from app import add\n\n\ndef test_add():\n    assert add(2, 2) ${sum === 0 ? '!= 9' : `== ${sum}`}\n`;
  const held = await prove(
    createFix(
      { 'src/app.py': app('a - b'), 'tests/test_app.py': tests(0) },
      { 'src/app.py': app('a + b'), 'tests/test_app.py': tests(4) + red },
    ),
    ['prove'],
  );
  expect(answerOf(held)).toMatchObject({
    overall: 'held',
    reason: 'A test fails without the fix. But 1 new test fails with the fix in place.',
  });
  expect(held.exitCode).toBe(0);

  const project = createFix(
    { 'src/app.py': app('a - b'), 'tests/test_app.py': tests(0) },
    { 'src/app.py': app('a + b'), 'tests/test_app.py': tests(0) + red },
  );
  const { stdout, exitCode } = await counterproof(project, ['prove']);
  expect(stdout).toMatch(
    /^✗ UNHELD {2}No test fails without the fix\. 1 new test fails with the fix in\s+place\.$/m,
  );
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 test gets there, and does not notice; 1 more is red before',
  );
  expect(exitCode).toBe(1);
});

describe('prove on a change that breaks a test', () => {
  const SHOP = (factor: string, step = '1'): string =>
    `def discount(price):\n    return price * ${factor}\n\n\ndef other(a):\n    return a + ${step}\n`;
  const SHOP_TESTS =
    'from app import discount, other\n\n\ndef test_discount():\n    assert discount(10) == 9\n\n\ndef test_other():\n    assert other(1) == 2\n';
  const REPORTS = ['--report', 'terminal=out/t.txt', '--report', 'markdown=out/m.md'];

  it('says that it fails with the change and passes without it, wherever it says what was measured', async () => {
    const project = createProject({
      'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
      'src/app.py': SHOP('0.9'),
      'tests/test_app.py': SHOP_TESTS,
    });
    project.write({ 'src/app.py': SHOP('0.8') });
    const run = await prove(project, ['prove', ...REPORTS]);
    const said = 'test_discount fails with this change and passes without it.';
    expect(answerOf(run)).toMatchObject({
      overall: 'unheld',
      reason: `${said} No test fails without the fix.`,
      breaks: [{ test: 'tests/test_app.py::test_discount', proof: 'whole' }],
    });
    expect(run.exitCode).toBe(1);
    const terminal = readFileSync(join(project.folder, 'out/t.txt'), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    expect(terminal).toContain(`✗ UNHELD ${said}`);
    expect(terminal).toContain('the whole fix 1 turns green');
    expect(terminal).toContain(
      'breaks tests/test_app.py::test_discount: fails with this change and passes without it',
    );
    expect(terminal).toContain('held by nothing; it breaks 1 test');
    expect(terminal).toContain('1 test red with the change in place:');
    const markdown = readFileSync(join(project.folder, 'out/m.md'), 'utf8');
    expect(markdown).toContain('### Tests that this change breaks');
    expect(markdown).toContain(
      '- `tests/test_app.py::test_discount` fails with this change and passes without it: ',
    );
    expect(markdown).toContain('| 1 turns green |');
    for (const report of [terminal, markdown]) {
      expect(report).not.toMatch(/red before|before the edit|before any edit|did not move/);
    }
  });

  it('says it of a held change too, of the hunk that breaks it, and of a new test', async () => {
    const added = '\n\ndef test_new():\n    assert discount(10) == 9\n';
    const project = createFix(
      { 'src/app.py': SHOP('0.9', '0'), 'tests/test_app.py': SHOP_TESTS },
      { 'src/app.py': SHOP('0.8'), 'tests/test_app.py': SHOP_TESTS + added },
    );
    const run = await prove(project, ['prove', ...REPORTS]);
    expect(answerOf(run).overall).toBe('partly-held');
    expect(answerOf(run).reason).toBe(
      'test_discount and test_new fail with this change and pass without it. The tests hold hunk 2. Nothing notices when hunk 1 is gone.',
    );
    const terminal = readFileSync(join(project.folder, 'out/t.txt'), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    expect(terminal).toContain('✗ test_new fails with this change and passes without it');
    expect(terminal).toContain('the whole fix 1 turns green 1 fails, 1 turns green');
  });
});
