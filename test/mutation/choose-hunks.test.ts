import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHistory } from '../../src/mutation/history.js';
import { locateMutation } from '../../src/mutation/locate.js';
import { explain } from '../../src/proof/verdict-text.js';
import type { CommitEdit, HunkName } from '../../src/spec/model.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
let fix: string;

const OLD = lines(20);
/** Two hunks: line 3 is changed, and two lines stand after what was line 15. */
const NEW = OLD.replace('\n3\n', '\nthree\n').replace('\n15\n', '\n15\nx\ny\n');

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
}

async function committed(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) await repository.put(path, content);
  return repository.commit();
}

beforeAll(async () => {
  repository = await createRepository();
  repository.git('config', 'core.autocrlf', 'false');
  await committed({ 'src/a.py': OLD, 'src/b.py': OLD, 'tests/test_a.py': 't\n' });
  fix = await committed({
    'src/a.py': NEW,
    'src/b.py': OLD.replace('\n9\n', '\n'),
    'tests/test_a.py': 'u\n',
  });
});
afterAll(() => repository.remove());

type Parts = Partial<Pick<CommitEdit, 'paths' | 'hunks'>>;
const numbered = (number: number): HunkName => ({ kind: 'number', number });
const at = (path: string, line: number): HunkName => ({ kind: 'line', path, line });

/** The files after the edit; or the reason why not, then facts and what to do. */
async function after(
  parts: Parts,
  { kind = 'revert', root = '.' }: Partial<Pick<CommitEdit, 'kind'>> & { root?: string } = {},
) {
  const { dir: tree } = repository;
  const where = { file: 'mutations/a.yaml', line: 1, col: 1 };
  const edit: CommitEdit = { kind, range: fix, paths: [], hunks: [], where, ...parts };
  const located = await locateMutation([edit], {
    tree,
    root: join(tree, root),
    git: openHistory(tree),
  });
  if (located.ok)
    return Object.fromEntries(
      located.value.map(({ path, after: bytes }) => [path, bytes?.toString() ?? null]),
    );
  const { reason, facts, next } = explain({ code: 'not-applied', problem: located.error });
  return [reason, ...facts, ...next];
}

describe('parts of a commit', () => {
  const A = { 'src/a.py': OLD };
  const B = { 'src/b.py': OLD };
  const T = { 'tests/test_a.py': 't\n' };

  test.each<[string, Parts, unknown]>([
    ['a file', { paths: ['src/a.py'] }, A],
    ['a folder', { paths: ['src'] }, { ...A, ...B }],
    ['a pattern', { paths: ['**/*_a.py'] }, T],
    ['all but a folder', { paths: ['!tests'] }, { ...A, ...B }],
    ['a folder but for a file of it', { paths: ['src', '!src/b.py'] }, A],
    ['a hunk by its number', { paths: ['src/b.py'], hunks: [numbered(1)] }, B],
    [
      'the second hunk',
      { paths: ['src/a.py'], hunks: [numbered(2)] },
      { 'src/a.py': OLD.replace('\n3\n', '\nthree\n') },
    ],
    ['both, in any order', { paths: ['src/a.py'], hunks: [numbered(2), numbered(1)] }, A],
    ['one hunk twice', { hunks: [at('src/b.py', 9), at('src/b.py', 9)] }, B],
    [
      'hunks of two files by their lines',
      { hunks: [at('src/b.py', 9), at('src/a.py', 3)] },
      { 'src/a.py': NEW.replace('\nthree\n', '\n3\n'), ...B },
    ],
    [
      'a hunk by its last line',
      { hunks: [at('src/a.py', 17)] },
      { 'src/a.py': OLD.replace('\n3\n', '\nthree\n') },
    ],
  ])('%s', async (_what, parts, files) => {
    expect(await after(parts)).toEqual(files);
  });

  test('have the same names forwards', async () => {
    repository.git('checkout', '--quiet', 'HEAD~1', '--', '.');
    const hunks = [at('src/a.py', 17), at('src/b.py', 9)];
    const files = await after({ hunks }, { kind: 'apply' });
    repository.git('checkout', '--quiet', 'HEAD', '--', '.');
    expect(files).toEqual({
      'src/a.py': OLD.replace('\n15\n', '\n15\nx\ny\n'),
      'src/b.py': OLD.replace('\n9\n', '\n'),
    });
  });

  test.each<[string, Parts, string]>([
    [
      'a path that is none',
      { paths: ['src', 'scr'] },
      '`paths` has scr, and it changes no such file.',
    ],
    [
      'one that is left out, and none',
      { paths: ['!test'] },
      '`paths` has !test, and it changes no such file.',
    ],
    ['nothing', { paths: ['!src', '!tests'] }, '`paths` leaves none of its files.'],
    [
      'a number among several files',
      { hunks: [numbered(1)] },
      'hunk 1 could be in one of 3 files.',
    ],
    [
      'a number too high',
      { paths: ['src/a.py'], hunks: [numbered(3)] },
      'src/a.py has 2 hunks, and no hunk 3.',
    ],
    [
      'a line between hunks',
      { hunks: [at('src/a.py', 4)] },
      'src/a.py:4 lies in none of its hunks.',
    ],
    [
      'a line of a file that is left out',
      { paths: ['src/b.py'], hunks: [at('src/a.py', 3)] },
      '`hunks` has src/a.py:3, and it changes no such file, or `paths` leaves it out.',
    ],
  ])('%s is refused', async (_what, parts, reason) => {
    expect(await after(parts)).toContain(`${fix.slice(0, 12)}: ${reason}`);
  });

  test('that are not there: it is said what is', async () => {
    expect(await after({ hunks: [at('src/a.py', 4)] })).toEqual([
      expect.any(String),
      'hunk 1 is src/a.py:3  +1 -1',
      'hunk 2 is src/a.py:16  +2 -0',
      'write a line of the file as the commit left it',
    ]);
    expect(await after({ paths: ['x'] })).toEqual([
      expect.any(String),
      'it changes src/a.py',
      'it changes src/b.py',
      'it changes tests/test_a.py',
      'correct `paths`, which are relative to the root',
    ]);
  });

  test('are relative to the root', async () => {
    const there = await after({ paths: ['a.py', '../tests'] }, { root: 'src' });
    expect(there).toEqual({ ...A, ...T });
    expect(await after({ paths: ['src/a.py'] }, { root: 'src' })).toContain(
      'it changes ../tests/test_a.py',
    );
  });
});
