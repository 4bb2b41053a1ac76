import { describe, expect, it } from 'vitest';
import { venv } from '../support/venvs.js';
import { laneOver, outcomes, project } from './pytest-harness.js';

const python = await venv('default');

const TWO_FILES = {
  'pytest.ini': '[pytest]\nmarkers = fast\n    slow\n',
  'tests/test_a.py':
    'import pytest\n@pytest.mark.fast\ndef test_one(): pass\n@pytest.mark.slow\ndef test_two(): pass\n@pytest.mark.fast\n@pytest.mark.parametrize("n", [1, 2])\ndef test_n(n): pass\n',
  'tests/test_b.py': 'import pytest\npytestmark = pytest.mark.slow\ndef test_three(): pass\n',
};

describe('what a lane selects', () => {
  it('is counted per file, with the ids that the filter took out', async () => {
    const tree = project(TWO_FILES);
    const lane = laneOver(tree, python, {
      lane: { select: 'fast and not slow', paths: ['tests'] },
    });
    const run = await lane.run();
    expect(run.ending, lane.log()).toEqual({ kind: 'complete' });
    expect(run.selection).toEqual({
      collected: 5,
      selected: 3,
      deselected: ['tests/test_a.py::test_two', 'tests/test_b.py::test_three'],
      files: [
        { file: 'tests/test_a.py', collected: 4, selected: 3 },
        { file: 'tests/test_b.py', collected: 1, selected: 0 },
      ],
      idPrefix: '',
      idForm: 'path',
    });
    expect(lane.progress[0]).toEqual({ kind: 'collected', selected: 3, deselected: 2 });
    expect(lane.progress.slice(1, 3)).toEqual([
      { kind: 'started', test: 'tests/test_a.py::test_one' },
      { kind: 'finished', test: 'tests/test_a.py::test_one', outcome: 'passed' },
    ]);
    expect(lane.progress).toHaveLength(7);
  });

  it('goes on without the files that cannot be collected, and names them', async () => {
    const tree = project({
      'test_a.py': 'def test_ok(): pass\n',
      'test_b.py': 'import nowhere_to_be_found\n',
      'test_c.py': 'def (\n',
      'test_d.py': 'raise ValueError("at import")\n',
      'test_e.py': 'from pkg import mod\n',
      'pkg/__init__.py': '',
      'pkg/mod.py': 'import json\n\nfrom json import nothing_there\n',
    });
    const run = await laneOver(tree, python).run();
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual({ 'test_a.py::test_ok': 'passed' });
    expect(run.collectionErrors).toEqual([
      {
        stage: 'import',
        file: 'test_b.py',
        line: 1,
        message: "ModuleNotFoundError: No module named 'nowhere_to_be_found'",
      },
      {
        stage: 'compile',
        file: 'test_c.py',
        line: 1,
        message: expect.stringContaining('SyntaxError: '),
      },
      { stage: 'collect', file: 'test_d.py', line: 1, message: 'ValueError: at import' },
      {
        stage: 'import',
        file: 'pkg/mod.py',
        line: 3,
        message: expect.stringMatching(/^ImportError: .* \(while collecting test_e\.py\)$/),
        collecting: 'test_e.py',
      },
    ]);
    expect(run.notes).toEqual([]);
  });

  it('is broken where no file can be collected', async () => {
    const run = await laneOver(project({ 'test_a.py': 'def (\n' }), python).run();
    expect(run.ending).toMatchObject({
      kind: 'broken',
      causes: [{ stage: 'compile', file: 'test_a.py' }],
    });
  });

  it('names a marker that --strict-markers does not know', async () => {
    const tree = project({
      'test_a.py': 'import pytest\n@pytest.mark.fsat\ndef test_a(): pass\n',
    });
    const run = await laneOver(tree, python, { lane: { args: ['--strict-markers'] } }).run();
    expect(run.ending).toMatchObject({
      kind: 'broken',
      causes: [
        {
          file: 'test_a.py',
          line: 2,
          message: expect.stringContaining("'fsat' not found in `markers`"),
        },
      ],
    });
  });

  it("says that the lane's marker expression takes the place of the project's", async () => {
    const tree = project({
      ...TWO_FILES,
      'pytest.ini': '[pytest]\nmarkers = fast\n    slow\naddopts = -m "not slow"\n',
    });
    const run = await laneOver(tree, python, { lane: { select: 'slow' } }).run();
    expect(run.selection.selected).toBe(2);
    expect(run.notes).toEqual([
      'the lane\'s -m "slow" takes the place of -m "not slow" in addopts: write `(not slow) and (slow)` for both',
    ]);
  });

  it('refuses a marker expression of its own that does not come through', async () => {
    const run = await laneOver(project(TWO_FILES), python, {
      lane: { select: 'slow', args: ['-m', 'fast'] },
    }).run();
    expect(run.ending).toMatchObject({
      kind: 'broken',
      causes: [{ stage: 'configure', message: expect.stringContaining('-m "fast" is in force') }],
    });
  });
});

describe('ids', () => {
  it('are relative to the root where the rootdir lies below it', async () => {
    const tree = project({
      'sub/pytest.ini': '[pytest]\n',
      'sub/tests/test_a.py': 'def test_a(): pass\n',
    });
    const run = await laneOver(tree, python, { lane: { paths: ['sub/tests'] } }).run();
    expect(outcomes(run)).toEqual({ 'sub/tests/test_a.py::test_a': 'passed' });
    expect(run.selection.idPrefix).toBe('sub/');
  });

  it('are relative to the root where the rootdir lies above it', async () => {
    const tree = project({
      'pytest.ini': '[pytest]\n',
      'app/tests/test_a.py': 'def test_a(): assert 0\n',
    });
    const run = await laneOver(tree, python, { root: 'app' }).run();
    expect(outcomes(run)).toEqual({ 'tests/test_a.py::test_a': 'failed' });
    expect(run.results[0]?.at).toBe('tests/test_a.py:1');
    expect(run.selection.idPrefix).toBe('');
  });

  it('are the same where the command runs in a folder below the root', async () => {
    const tree = project({ 'app/tests/test_a.py': 'def test_a(): pass\n' });
    const run = await laneOver(tree, python, { lane: { cwd: 'app' } }).run();
    expect(outcomes(run)).toEqual({ 'app/tests/test_a.py::test_a': 'passed' });
  });
});

describe('a narrow run', () => {
  const LOUD = {
    'tests/test_c.py': 'raise RuntimeError("imported")\n',
    'docs/test_d.py': 'raise RuntimeError("imported")\n',
  };

  it('runs the ids that it keeps, by the same command, and imports no other file', async () => {
    const tree = project({ ...TWO_FILES, ...LOUD });
    const run = await laneOver(tree, python).run({
      scope: ['tests/test_a.py::test_n[2]', 'tests/test_b.py::test_three'],
    });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(run.collectionErrors).toEqual([]);
    expect(outcomes(run)).toEqual({
      'tests/test_a.py::test_n[2]': 'passed',
      'tests/test_b.py::test_three': 'passed',
    });
  });

  it('stays within what the lane selects', async () => {
    const tree = project(TWO_FILES);
    const run = await laneOver(tree, python, { lane: { select: 'fast' } }).run({
      scope: ['tests/test_a.py::test_one', 'tests/test_a.py::test_two'],
    });
    expect(outcomes(run)).toEqual({ 'tests/test_a.py::test_one': 'passed' });
  });

  it('leaves files alone that the command line names, and packages', async () => {
    const tree = project({ ...TWO_FILES, 'tests/__init__.py': '' });
    const lane = laneOver(tree, python, {
      lane: { paths: ['tests/test_a.py', 'tests/test_b.py'] },
    });
    const run = await lane.run({ scope: ['tests/test_b.py::test_three'] });
    expect(run.ending, lane.log()).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual({ 'tests/test_b.py::test_three': 'passed' });
  });

  it('finds ids in a rootdir of its own', async () => {
    const tree = project({
      'sub/pytest.ini': '[pytest]\n',
      'sub/tests/test_a.py': 'def test_a(): pass\ndef test_b(): pass\n',
    });
    const run = await laneOver(tree, python, { lane: { paths: ['sub/tests'] } }).run({
      scope: ['sub/tests/test_a.py::test_b'],
    });
    expect(outcomes(run)).toEqual({ 'sub/tests/test_a.py::test_b': 'passed' });
  });

  it('is empty where no id is left', async () => {
    const run = await laneOver(project(TWO_FILES), python).run({
      scope: ['tests/test_a.py::test_gone'],
    });
    expect(run.ending).toMatchObject({ kind: 'empty' });
  });

  it('leaves out the ids that are to be left out', async () => {
    const tree = project(TWO_FILES);
    const run = await laneOver(tree, python).run({
      without: ['tests/test_a.py::test_two', 'tests/test_a.py::test_n[1]'],
    });
    expect(run.ending).toEqual({ kind: 'complete' });
    expect(Object.keys(outcomes(run))).toEqual([
      'tests/test_a.py::test_one',
      'tests/test_a.py::test_n[2]',
      'tests/test_b.py::test_three',
    ]);
  });
});

describe('probe files', () => {
  const PROBE = 'def test_probe(): pass\ndef test_other(): pass\n';

  it.each([
    { name: 'outside the testpaths', probe: 'probes/test_p.py' },
    { name: 'within the testpaths', probe: 'tests/test_p.py' },
    { name: 'of a name that pytest would pass over', probe: 'tests/check_p.py' },
  ])('$name are selected by themselves, whatever the marker expression says', async ({ probe }) => {
    const tree = project({
      ...TWO_FILES,
      'pytest.ini': '[pytest]\nmarkers = fast\n    slow\ntestpaths = tests\n',
      [probe]: PROBE,
      'other/test_o.py': 'def test_o(): pass\n',
    });
    const lane = laneOver(tree, python, { lane: { select: 'slow' } });
    const run = await lane.run({ probes: [probe] });
    expect(run.ending, lane.log()).toEqual({ kind: 'complete' });
    expect(outcomes(run)).toEqual({
      'tests/test_a.py::test_two': 'passed',
      'tests/test_b.py::test_three': 'passed',
      [`${probe}::test_probe`]: 'passed',
      [`${probe}::test_other`]: 'passed',
    });
    expect(run.selection.deselected).not.toContain(`${probe}::test_probe`);
  });

  it('of a command line that names paths leave these in force', async () => {
    const tree = project({ ...TWO_FILES, 'probes/test_p.py': PROBE });
    const lane = laneOver(tree, python, { lane: { paths: ['tests/test_b.py'] } });
    const run = await lane.run({
      probes: ['probes/test_p.py'],
      scope: ['probes/test_p.py::test_probe', 'tests/test_b.py::test_three'],
    });
    expect(Object.keys(outcomes(run)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'probes/test_p.py::test_probe',
      'tests/test_b.py::test_three',
    ]);
  });
});
