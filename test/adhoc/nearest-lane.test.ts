import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nearestLane, type NearestRequest } from '../../src/adhoc/nearest-lane.js';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import type { PytestLane } from '../../src/spec/model.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(() => repository.remove());

const IMPORTS = 'from pkg import mod\n';

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await repository.put(path, text);
}

/** Ten test files that import nothing, so that a few are worth a run of their own. */
async function putOthers(folder: string): Promise<void> {
  for (let n = 0; n < 10; n += 1) await repository.put(`${folder}test_other_${n}.py`, 'x = 1\n');
}

async function near(
  asked: Partial<Omit<NearestRequest, 'lane'>> = {},
  lane: Partial<PytestLane> = {},
): Promise<readonly string[] | null> {
  const { dir } = repository;
  repository.commit();
  const root = asked.root ?? dir;
  const request = { tree: dir, root, sources: ['pkg/mod.py'], named: [], ...asked };
  const found = await nearestLane({ ...request, lane: { ...implicitLane(), ...lane } });
  return found?.files ?? null;
}

describe('the nearest tests', () => {
  test('are the test files that import what changes, and those that are named', async () => {
    await put({ 'tests/test_a.py': IMPORTS, 'tests/test_b.py': '', 'tests/helper.py': IMPORTS });
    await putOthers('tests/');
    const named = ['tests/test_b.py', 'gone.py'];
    expect(await near({ named })).toEqual(['tests/test_b.py', 'tests/test_a.py']);
    const root = repository.dir;
    const request = { tree: root, root, sources: ['pkg/mod.py'], named: [] };
    expect(await nearestLane({ ...request, lane: implicitLane() })).toMatchObject({
      lane: { name: 'pytest, nearest tests', paths: ['tests/test_a.py'] },
      of: 12,
    });
  });

  test('are a test file itself, where it is what changes', async () => {
    await put({ 'test_a.py': '', 'test_b.py': 'import test_a\n' });
    await putOthers('');
    expect(await near({ sources: ['test_a.py'] })).toEqual(['test_a.py', 'test_b.py']);
  });

  test('are looked for where the lane looks, and nowhere else', async () => {
    await put({
      'app/pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["unit"]\n',
      'app/unit/test_a.py': IMPORTS,
      'app/slow/test_b.py': IMPORTS,
      'app/unit/build/test_c.py': IMPORTS,
      'app/unit/.old/test_d.py': IMPORTS,
      'app/unit/check_e.py': IMPORTS,
      'other/test_f.py': IMPORTS,
    });
    await putOthers('app/unit/');
    await putOthers('app/slow/');
    const root = join(repository.dir, 'app');
    expect(await near({ root })).toEqual(['app/unit/test_a.py']);
    expect(await near({ root }, { paths: ['slow'] })).toEqual(['app/slow/test_b.py']);
    const patterns = '[tool.pytest.ini_options]\npython_files = ["check_*.py", "test_other*"]\n';
    await put({ 'app/pyproject.toml': patterns });
    expect(await near({ root })).toEqual(['app/unit/check_e.py']);
  });
});

describe('the whole lane is as near', () => {
  const table: readonly (readonly [string, Partial<NearestRequest>, Partial<PytestLane>])[] = [
    ['where nothing imports what changes', { sources: ['pkg/unknown.py'] }, {}],
    ['where it is no Python module', { sources: ['data.json'] }, {}],
    ['where a conftest changes', { sources: ['pkg/mod.py', 'conftest.py'] }, {}],
    ['where its paths name tests', {}, { paths: ['test_a.py::test_x'] }],
    ['where its arguments name files', {}, { args: ['-q', 'test_a.py::test_x'] }],
    ['where its command names files', {}, { command: ['python', '-m', 'pytest', 'test_a.py'] }],
    ['where its command starts pytest in a way of its own', {}, { command: ['make', 'test'] }],
  ];
  test.each(table)('%s', async (_, asked, lane) => {
    await put({ 'test_a.py': IMPORTS });
    await putOthers('');
    expect(await near({}, {})).toEqual(['test_a.py']);
    expect(await near(asked, lane)).toBeNull();
  });

  test('where most files are near', async () => {
    await put({
      'test_a.py': IMPORTS,
      'test_b.py': IMPORTS,
      'test_c.py': IMPORTS,
      'test_d.py': '',
    });
    expect(await near()).toBeNull();
  });

  test('where pytest would take its settings from another file', async () => {
    await put({ 'pytest.ini': '[pytest]\n', 'a/pytest.ini': '[pytest]\n', 'a/test_a.py': IMPORTS });
    await putOthers('');
    expect(await near()).toBeNull();
  });
});
