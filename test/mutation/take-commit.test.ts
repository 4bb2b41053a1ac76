import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHistory } from '../../src/mutation/history.js';
import { locateMutation } from '../../src/mutation/locate.js';
import { explain } from '../../src/proof/verdict-text.js';
import type { CommitEdit, EditSpec, HunkName } from '../../src/spec/model.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
  repository.git('config', 'core.autocrlf', 'false');
});
afterEach(() => repository.remove());

const WHERE = { file: 'mutations/a.yaml', line: 1, col: 1 };

const numbered = (number: number): HunkName => ({ kind: 'number', number });
const at = (path: string, line: number): HunkName => ({ kind: 'line', path, line });

type Parts = Partial<Pick<CommitEdit, 'paths' | 'hunks'>>;

const revert = (range: string, parts: Parts = {}): CommitEdit => ({
  kind: 'revert',
  range,
  paths: [],
  hunks: [],
  where: WHERE,
  ...parts,
});
const apply = (range: string, parts: Parts = {}): CommitEdit => ({
  ...revert(range, parts),
  kind: 'apply',
});

async function locate(edits: readonly EditSpec[], root = '.') {
  const { dir: tree } = repository;
  return locateMutation(edits, { tree, root: join(tree, root), git: openHistory(tree) });
}

/** `path` to the text after it; null: the file goes away. */
async function after(...edits: readonly EditSpec[]) {
  const located = await locate(edits);
  return located.ok
    ? Object.fromEntries(
        located.value.map(({ path, after: bytes }) => [path, bytes?.toString('latin1') ?? null]),
      )
    : problem(...edits);
}

/** The reason, then facts and what to do. */
async function problem(...edits: readonly EditSpec[]) {
  const located = await locate(edits);
  if (located.ok) return null;
  const { reason, facts, next } = explain({ code: 'not-applied', problem: located.error });
  return [reason, ...facts, ...next];
}

async function committed(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) await repository.put(path, content);
  return repository.commit();
}

const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const counted = (count: number, name = ''): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

const OLD = lines(...counted(20));
/** Two hunks: line 3 is changed, and two lines stand after what was line 15. */
const NEW = lines(...counted(20))
  .replace('\n3\n', '\nthree\n')
  .replace('\n15\n', '\n15\nx\ny\n');

describe('a commit', () => {
  test('is taken back, and made once more on what it was made of', async () => {
    await committed({ 'a.py': OLD });
    const fix = await committed({ 'a.py': NEW });
    expect(await after(revert(fix))).toEqual({ 'a.py': OLD });
    await repository.put('a.py', OLD);
    expect(await after(apply(fix))).toEqual({ 'a.py': NEW });
  });

  test('is found by its content where the file went on', async () => {
    await committed({ 'a.py': OLD });
    const fix = await committed({ 'a.py': NEW });
    const later = (text: string): string => `head\n${text.replace('\n8\n', '\neight\n')}`;
    await repository.put('a.py', later(NEW));
    expect(await after(revert(fix))).toEqual({ 'a.py': later(OLD) });
    await repository.put('a.py', later(OLD));
    expect(await after(apply(fix))).toEqual({ 'a.py': later(NEW) });
  });

  test('of a range counts with what it leaves in the end', async () => {
    const base = await committed({ 'a.py': OLD });
    await committed({ 'a.py': OLD.replace('\n3\n', '\nthird\n') });
    const last = await committed({ 'a.py': NEW });
    expect(await after(revert(`${base}..${last}`))).toEqual({ 'a.py': OLD });
    repository.git('tag', 'v1', base);
    expect(await after(revert(`refs/tags/v1..${last.slice(0, 8)}`))).toEqual({ 'a.py': OLD });
    expect(await problem(revert(`${last}..${base}`))).toEqual([
      `${last.slice(0, 12)}..${base.slice(0, 12)}: the first has everything that the second has, so there is nothing between them.`,
      `write ${base.slice(0, 12)}..${last.slice(0, 12)}, or a single commit`,
    ]);
  });

  test('that is a merge counts against its first parent, a first one against nothing', async () => {
    const first = await committed({ 'a.py': OLD });
    repository.git('switch', '--quiet', '-c', 'side');
    await committed({ 'a.py': NEW });
    repository.git('switch', '--quiet', 'main');
    await committed({ 'b.py': 'b\n' });
    repository.git('merge', '--quiet', '--no-ff', '-m', 'x', 'side');
    const merge = repository.git('rev-parse', 'HEAD');
    expect(await after(revert(merge))).toEqual({ 'a.py': OLD });
    await repository.put('a.py', OLD);
    expect(await after(revert(first))).toEqual({ 'a.py': null });
  });

  test('makes, deletes, renames and replaces files', async () => {
    const picture = Buffer.from([0, 1, 2]);
    await committed({ 'gone.py': 'g\n', 'old.py': OLD, 'p.png': picture });
    await rm(join(repository.dir, 'gone.py'));
    repository.git('mv', 'old.py', 'new.py');
    const commit = await committed({
      'made.py': 'm\n',
      'new.py': OLD.replace('\n3\n', '\nthree\n'),
      'p.png': Buffer.from([0, 3]),
    });
    const back = {
      'gone.py': 'g\n',
      'made.py': null,
      'new.py': null,
      'old.py': OLD,
      'p.png': '\0\x01\x02',
    };
    expect(await after(revert(commit))).toEqual(back);
    // Its lines alone, without the new name.
    expect(await after(revert(commit, { hunks: [at('new.py', 3)] }))).toEqual({ 'new.py': OLD });
    expect(await after(revert(commit, { paths: ['made.py', 'p.png'] }))).toEqual({
      'made.py': null,
      'p.png': '\0\x01\x02',
    });
    repository.git('checkout', '--quiet', 'HEAD~1', '--', '.');
    await rm(join(repository.dir, 'made.py'));
    await rm(join(repository.dir, 'new.py'));
    expect(await after(apply(commit))).toEqual({
      'gone.py': null,
      'made.py': 'm\n',
      'new.py': OLD.replace('\n3\n', '\nthree\n'),
      'old.py': null,
      'p.png': '\0\x03',
    });
  });

  test('keeps the line ends and the bytes of the file', async () => {
    await committed({ 'a.py': Buffer.from('a\r\n\xe9\r\nb', 'latin1') });
    const fix = await committed({ 'a.py': Buffer.from('a\r\n\xe8\r\nb', 'latin1') });
    expect(await after(revert(fix))).toEqual({ 'a.py': 'a\r\n\xe9\r\nb' });
  });

  test('stands among other edits, each on what the ones before it left', async () => {
    await committed({ 'a.py': OLD, 'b.py': 'b\n' });
    const fix = await committed({ 'a.py': NEW, 'b.py': 'c\n' });
    const edit = (find: string, replacement: string): EditSpec => ({
      kind: 'replace',
      file: 'a.py',
      within: [],
      where: WHERE,
      find,
      with: replacement,
      count: 1,
    });
    expect(await after(edit('20', 'end'), revert(fix), edit('\n3\n', '\nIII\n'))).toEqual({
      'a.py': OLD.replace('20', 'end').replace('\n3\n', '\nIII\n'),
      'b.py': 'b\n',
    });
    expect(await problem(revert(fix), apply(fix))).toEqual([
      'the edits together changes no byte of a.py.',
      expect.any(String),
    ]);
  });
});

describe('a hunk that cannot be found', () => {
  test('fits nowhere: the nearest place is shown', async () => {
    await committed({ 'a.py': OLD });
    const fix = await committed({ 'a.py': NEW });
    await repository.put('a.py', NEW.replace('\nthree\n', '\ntrois\n'));
    expect(await problem(revert(fix))).toEqual([
      `the hunk of ${fix.slice(0, 12)} at its line 3 fits nowhere in a.py.`,
      'nearest is a.py:3, which differs first in',
      '  expected: three',
      '  found:    trois',
      'leave it out by `hunks`, or write what is left of it as a `patch`',
    ]);
    // Nothing of it is half done: the other hunk alone would fit.
    expect(await after(revert(fix, { hunks: [numbered(2)] }))).toMatchObject({
      'a.py': expect.stringContaining('trois'),
    });
  });

  test('fits in two places: both lines are named', async () => {
    const block = (word: string): string => lines('a', 'b', word, 'c', 'd');
    await committed({ 'a.py': block('old') });
    const fix = await committed({ 'a.py': block('new') });
    await repository.put('a.py', block('new') + block('new'));
    expect(await problem(revert(fix))).toEqual([
      `the hunk of ${fix.slice(0, 12)} at its line 3 fits 2 times in a.py, not once.`,
      'it fits at a.py:3, 8',
      'leave it out by `hunks`, or write it as a `patch` with more lines of context',
    ]);
  });

  test('is taken back already', async () => {
    await committed({ 'a.py': OLD });
    const fix = await committed({ 'a.py': NEW });
    await repository.put('a.py', NEW.replace('\nthree\n', '\n3\n'));
    expect((await problem(revert(fix)))?.[0]).toBe(
      `the hunk of ${fix.slice(0, 12)} at its line 3 changes no byte of a.py.`,
    );
    expect((await problem(apply(fix)))?.[0]).toBe(
      `the hunk of ${fix.slice(0, 12)} at its line 16 changes no byte of a.py.`,
    );
  });

  test('of a file that is gone', async () => {
    await committed({ 'a.py': OLD });
    const fix = await committed({ 'a.py': NEW });
    await rm(join(repository.dir, 'a.py'));
    expect((await problem(revert(fix)))?.[0]).toBe('There is no file a.py to edit.');
  });
});

describe('what no edit can change', () => {
  test('files that are no longer what the commit made of them', async () => {
    await committed({ 'gone.py': 'g\n', 'old.py': OLD, 'p.png': Buffer.from([0, 1]) });
    await rm(join(repository.dir, 'gone.py'));
    repository.git('mv', 'old.py', 'new.py');
    const commit = await committed({ 'made.py': 'm\n', 'p.png': Buffer.from([0, 2]) });
    await committed({
      'made.py': 'm2\n',
      'gone.py': 'x\n',
      'p.png': Buffer.from([0, 3]),
      'old.py': 'x',
    });
    const of = async (path: string) => (await problem(revert(commit, { paths: [path] })))?.[0];
    const name = commit.slice(0, 12);
    expect(await of('made.py')).toBe(
      `made.py cannot be edited so: it is no longer what ${name} made of it, and it would change as a whole.`,
    );
    expect(await of('p.png')).toContain(`it is no longer what ${name} made of it`);
    expect(await of('gone.py')).toBe('gone.py is to be created, but exists.');
    expect(await of('new.py')).toBe('old.py is to be created, but exists.');
  });

  test('links and submodules, unless `paths` leaves them out', async () => {
    await committed({ 'a.py': OLD });
    await symlink('a.py', join(repository.dir, 'link.py'));
    const commit = await committed({ 'a.py': NEW });
    expect(await problem(revert(commit))).toEqual([
      `${commit.slice(0, 12)}: it changes link.py, a symbolic link, which no edit can change.`,
      'leave it out: paths: ["!link.py"]',
    ]);
    expect(await after(revert(commit, { paths: ['!link.py'] }))).toEqual({ 'a.py': OLD });
  });

  test('modes: they stay as they are', async () => {
    await committed({ 'a.sh': 'a\n', 'b.sh': 'b\n' });
    repository.git('update-index', '--chmod=+x', 'a.sh', 'b.sh');
    await repository.put('b.sh', 'c\n');
    repository.git('add', 'b.sh');
    repository.git('update-index', '--chmod=+x', 'b.sh');
    repository.git('commit', '--quiet', '-m', 'x');
    const commit = repository.git('rev-parse', 'HEAD');
    expect(await after(revert(commit))).toEqual({ 'b.sh': 'b\n' });
    expect((await problem(revert(commit, { paths: ['a.sh'] })))?.[0]).toBe(
      `${commit.slice(0, 12)}: it changes no byte of a file (modes are left as they are).`,
    );
  });

  test('a commit without a file', async () => {
    const empty = repository.commit();
    expect((await problem(revert(empty)))?.[0]).toBe(`${empty.slice(0, 12)}: it changes no file.`);
  });
});

describe('a commit that is not here', () => {
  test('says what to fetch', async () => {
    await committed({ 'a.py': OLD });
    const absent = 'b'.repeat(40);
    expect(await problem(revert(absent))).toEqual([
      `Revision ${absent} is not in this repository.`,
      `git fetch origin ${absent}`,
    ]);
    expect((await problem(revert(`${absent}..HEAD`)))?.[1]).toBe(`git fetch origin ${absent}`);
  });

  test('in a shallow clone, the commit before it included', async () => {
    await committed({ 'a.py': OLD });
    const fix = await committed({ 'a.py': NEW });
    const { dir } = repository;
    repository.git('clone', '--quiet', '--depth=1', `file://${dir}`, 'clone');
    const clone = join(dir, 'clone');
    const located = await locateMutation([revert(fix)], {
      tree: clone,
      root: clone,
      git: openHistory(clone),
    });
    expect(located).toMatchObject({
      error: {
        kind: 'no-revision',
        rev: `${fix.slice(0, 12)}^`,
        hint: expect.stringContaining(`git fetch --depth=2 origin ${fix}`),
      },
    });
  });

  test('by a branch whose name looks like an id', async () => {
    const commit = await committed({ 'a.py': OLD });
    repository.git('branch', 'deadbee');
    expect((await problem(revert('deadbee')))?.slice(0, 2)).toEqual([
      `deadbee: it is no commit id here, but the name of something that leads to ${commit.slice(0, 12)}.`,
      `write ${commit.slice(0, 12)}, if that is meant`,
    ]);
  });
});
