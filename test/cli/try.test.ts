import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, MINUS, specOf } from '../support/calc.js';
import type { RunRecord } from '../../src/record/schema.js';
import {
  createProject,
  eachOf,
  prove,
  verdicts,
  type Proven,
  type TestProject,
  type Files,
} from '../support/project.js';
import { venv } from '../support/venvs.js';

/** Runs of pytest that the events tell of: each step that was started is one. */
function pytestRuns({ project, out }: { project: TestProject; out: string }): readonly string[] {
  const lines = readFileSync(join(project.folder, out, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as { type: string; step?: string })
    .filter(({ type }) => type === 'step-started')
    .map(({ step }) => step ?? '');
}

const flipped = (run: Proven): readonly string[] =>
  run.record.proofs.flatMap(({ flips }) => flips.expected.map(({ test }) => test));

describe('try FILE:LINE in a repository that has never seen the tool', () => {
  it('has a verdict within four runs of pytest, the last two of few tests, and leaves nothing but its own folder', async () => {
    const project = createProject({ 'src/app/calc.py': CALC['calc.py'], ...tests() });
    const before = project.snapshot();

    const pinned = await prove(project, ['try', 'src/app/calc.py:2', '--out', '.counterproof/a']);
    const survived = await prove(project, [
      'try',
      'src/app/calc.py:10',
      '--out',
      '.counterproof/b',
    ]);

    expect(verdicts(pinned)).toEqual({ 'src/app/calc.py:2': 'pinned' });
    expect(pinned.exitCode).toBe(0);
    expect(flipped(pinned)).toEqual(['tests/test_calc.py::test_add']);
    expect(pinned.proof('src/app/calc.py:2')).toMatchObject({
      spec: null,
      still: { held: 1, total: 1 },
      edits: [{ path: 'src/app/calc.py', line: 2, scope: 'add' }],
    });
    expect(pytestRuns({ project, out: '.counterproof/a' })).toEqual([
      'baseline',
      'mutated',
      'mutated',
      'restored',
    ]);
    expect(verdicts(survived)).toEqual({ 'src/app/calc.py:10': 'survived' });
    expect(survived.exitCode).toBe(1);
    expect(survived.proof('src/app/calc.py:10').reach?.state).toBe('unreached');
    // There is no spec to write an acceptance into.
    expect(survived.proof('src/app/calc.py:10').next.join()).not.toContain('accept');
    expect(pytestRuns({ project, out: '.counterproof/b' })).toHaveLength(3);
    expect(pinned.record.notVerified).toContain('a closing run of the lane (--verify full)');
    expect(project.snapshot()).toEqual(before);
  });
});

function tests(): Files {
  return {
    'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src/app"]\n',
    'tests/test_calc.py': CALC['test_calc.py'],
  };
}

describe('the kinds of ad hoc edits', () => {
  it('land where they were asked for, and are told as a patch', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
    });
    const editor = join(project.state, '..', 'my editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed "s/a + b/a - b/" "$1" > "$1.new" && mv "$1.new" "$1"\n');
    chmodSync(editor, 0o755);
    const before = project.snapshot();
    const minus = '-    return a + b\n+    return a - b\n';
    const table: readonly (readonly [readonly string[], string, object?])[] = [
      [['calc.py:2', '--replace', '+', '--with', '-'], minus],
      [['calc.py:2', '--raise'], '+    raise '],
      [['calc.py', '--patch', '-'], minus, { stdin: `@@\n${minus}` }],
      [['calc.py', '--edit'], minus, { env: { EDITOR: `'${editor}'`, VISUAL: '' } }],
    ];
    for (const [args, patch, options] of table) {
      const run = await prove(project, ['try', ...args], options);
      const said = { args, exitCode: run.exitCode, verdict: run.record.proofs[0]?.verdict };
      expect(said).toEqual({ args, exitCode: 0, verdict: 'pinned' });
      expect(run.record.proofs[0]?.patch).toContain(patch);
      expect(flipped(run)).toEqual(['test_calc.py::test_add']);
    }
    expect(project.snapshot()).toEqual(before);
  });

  it('that do not land are no verdict about the tests, and no test runs for them', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'data.txt': 'a + b\n',
      'no.patch': 'no patch at all\n',
    });
    const table: readonly (readonly [readonly string[], RegExp])[] = [
      [['calc.py:3'], /line 3 is blank; the next code is on line 5/],
      [['calc.py:99'], /not in the file, which has 10/],
      [['calc.py', '--replace', 'a ** b', '--with', 'a'], /fits nowhere in calc\.py/],
      [['calc.py', '--replace', 'return', '--with', 'pass'], /fits 3 times in calc\.py, not once/],
      [['calc.py:2', '--replace', '+', '--with', '+'], /changes no byte/],
      [['data.txt:1'], /only statements of Python and Rust can be taken away/],
      [['calc.py', '--patch', 'no.patch'], /patch/],
    ];
    const [shown, ...results] = await eachOf(project, [
      ['try', 'calc.py:3', '--no-progress'],
      ...table.map(([args]) => ['try', '--json', ...args]),
    ]);
    for (const [index, [args, reason]] of table.entries()) {
      const { exitCode, stdout = '' } = results[index] ?? {};
      expect({ args, exitCode }).toEqual({ args, exitCode: 3 });
      const { proofs } = JSON.parse(stdout) as RunRecord;
      expect(proofs).toMatchObject([{ verdict: 'not-applied', files: [], steps: [] }]);
      expect(proofs[0]?.reason).toMatch(reason);
      expect(proofs[0]?.next.join()).not.toContain('writable');
    }
    const { stdout } = shown ?? {};
    expect(stdout).toMatch(/^\? NOT-APPLIED {2}calc\.py cannot be edited so: line 3 is blank/);
    expect(stdout).toMatch(/^Stopped before any test ran; no file was touched, .*exit 3$/m);
    expect(stdout).not.toMatch(/^lane/m);
  });

  it('that cannot be meant end with 2', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'data.txt': 'a + b\n',
      'mutations/a.yaml': specOf(MINUS),
    });
    const outside = join(project.state, '..', 'outside.py');
    writeFileSync(outside, 'x = 1\n');
    const table: readonly (readonly [readonly string[], RegExp])[] = [
      [['--raise'], /--raise goes with a file/],
      [['calc.py:2', '--uncommitted'], /leave FILE out/],
      [['calc.py'], /What is to change\?/],
      [['gone.py:2'], /There is no file gone\.py/],
      [['.:1'], /is no regular file/],
      [['../outside.py:1'], /lies outside the tree/],
      [[`${outside}:1`], /lies outside the tree/],
      [['calc.py:0'], /lines are counted from 1/],
      [['calc.py:2', '--with', '-'], /--with goes with --replace/],
      [['calc.py:2', '--replace', '+'], /--replace goes with --with/],
      [['calc.py:2', '--raise', '--replace', '+', '--with', '-'], /one edit at a time/],
      [['calc.py', '--patch', 'gone.patch'], /--patch gone\.patch/],
      [['calc.py:2', '--edit'], /--edit: set \$VISUAL or \$EDITOR/],
      [['calc.py:2', '--lane', 'unti'], /Did you mean `unit`\?/],
      [['calc.py:2', '--color=always'], /--color takes no value; its opposite is --no-color/],
      // Before the lane runs, not after it.
      [
        ['calc.py:2', '--save', 'mutations/b.yaml', '--id', 'minus'],
        /the id `minus` is taken at mutations\/a\.yaml:4:9/,
      ],
      [['calc.py:2', '--python', 'no/such/python'], /There is no interpreter .*no\/such\/python/],
    ];
    const env = { EDITOR: undefined, VISUAL: undefined };
    const results = await eachOf(
      project,
      table.map(([args]) => ['try', ...args]),
      { env },
    );
    for (const [index, [args, message]] of table.entries()) {
      const { exitCode, stdout, stderr } = results[index] ?? {};
      expect({ args, exitCode, stdout: stdout?.slice(0, 200) }).toEqual({
        args,
        exitCode: 2,
        stdout: '',
      });
      expect(stderr).toMatch(message);
    }
  });
});

describe('try in a file of another kind', () => {
  it('replaces text in it; what the tests make of it is shown by its effect', async () => {
    const project = createProject({
      ...CONFIG,
      'limit.txt': '3\n',
      'test_limit.py':
        'from pathlib import Path\n\n\ndef test_limit():\n    assert int(Path("limit.txt").read_text()) == 3\n',
    });
    const run = await prove(project, ['try', 'limit.txt:1', '--replace', '3', '--with', '4']);
    expect(verdicts(run)).toEqual({ 'limit.txt:1': 'pinned' });
    expect(run.proof('limit.txt:1').loaded.proof).toBe('by-effect');
  });
});

describe('what try hands on', () => {
  it('gives the words behind -- to pytest, and takes each --flips', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const all = ['--flips', 'test_calc.py::test_add', '--flips', 'test_calc.py::test_double'];
    const two = await prove(project, ['try', 'calc.py:2', ...all]);
    expect(verdicts(two)).toEqual({ 'calc.py:2': 'partial' });
    expect(two.proof('calc.py:2').flips).toMatchObject({
      declared: 2,
      missing: ['test_calc.py::test_double'],
    });
    expect(two.exitCode).toBe(1);

    const narrowed = await prove(project, ['try', 'calc.py:2', '--', '-k', 'double']);
    expect(narrowed.record.lanes).toMatchObject([{ selected: 1, deselected: 1 }]);
    expect(narrowed.record.lanes[0]?.command.slice(-2)).toEqual(['-k', 'double']);
    expect(verdicts(narrowed)).toEqual({ 'calc.py:2': 'survived' });
  });

  it('runs the interpreter that --python names', async () => {
    const { python } = await venv('default');
    const project = createProject({ ...CALC });
    const env = { VIRTUAL_ENV: undefined, PATH: '/usr/bin:/bin' };
    const run = await prove(project, ['try', 'calc.py:2', '--python', python], { env });
    expect(run.exitCode).toBe(0);
    expect(run.record.lanes[0]).toMatchObject({
      tool: python,
      from: expect.stringMatching(/--python/) as string,
    });
  });
});
