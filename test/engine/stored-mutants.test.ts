import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { storedMutants } from '../../src/engine/stored-mutants.js';
import { sha256 } from '../../src/workspace/checksum.js';
import { mutation } from '../proof/build.js';
import { createRepository, type Repository } from '../git/repository.js';

const ORIGINAL = 'return 1\n';
const MUTANT = 'return 2\n';
const BESIDE = '.m.py.0123abcd.counterproof-original';

/** What is said when `act` is done while the mutant stands, and the tree is back after that. */
async function saidAfter(
  act: (repository: Repository) => void,
  { deletes = false } = {},
): Promise<readonly string[]> {
  const repository = await createRepository();
  onTestFinished(repository.remove);
  const { dir, put } = repository;
  await put('m.py', ORIGINAL);
  await put('notes.txt', 'notes\n');
  const commit = repository.commit();
  const startedAt = new Date();
  await put('notes.txt', 'changed\n');
  await put(BESIDE, ORIGINAL);
  if (deletes) await rm(join(dir, 'm.py'));
  else await put('m.py', MUTANT);
  act(repository);
  await put('m.py', ORIGINAL);
  await rm(join(dir, BESIDE), { force: true });
  const mutated = deletes ? null : sha256(Buffer.from(MUTANT));
  const files = [{ path: 'm.py', baseline: null, mutated, restored: null }];
  const drafts = [{ mutation: mutation({ id: 'one' }), files }];
  const said = await storedMutants({ tree: dir, project: { commit }, startedAt }, drafts);
  return said.map((text) => text.replaceAll(/\b(Commit|Stash) [0-9a-f]{12}\b/g, '$1 …'));
}

const stood = 'it was made while that stood there. The file is back';
const inIndex = `The index holds the mutation one in m.py: ${stood}; stage it again: git add m.py, or take it out: git restore --staged m.py.`;
const inCommit = `Commit … holds the mutation one in m.py: ${stood}; commit it again.`;
const inStash = `Stash … holds the mutation one in m.py: ${stood}; git stash pop brings the mutation again, so keep a copy of m.py and put it back after that.`;
const beside = (place: string): string =>
  `${place} holds ${BESIDE}, which stood beside a mutation and may go.`;

it.each<readonly [string, (repository: Repository) => void, readonly string[]]>([
  ['nothing', () => undefined, []],
  ['git add of another file', ({ git }) => git('add', 'notes.txt'), []],
  ['git stash of another file', ({ git }) => git('stash', 'push', '--quiet', 'notes.txt'), []],
  ['git add of the file', ({ git }) => git('add', 'm.py'), [inIndex]],
  ['git add --all', ({ git }) => git('add', '--all'), [inIndex, beside('The index')]],
  ['git commit -a', ({ git }) => git('commit', '--quiet', '-am', 'early'), [inCommit]],
  ['git add and commit', ({ commit }) => commit(), [inCommit, beside('Commit …')]],
  ['git stash', ({ git }) => git('stash', '--quiet'), [inStash]],
  [
    'git stash -u',
    ({ git }) => git('stash', '--quiet', '--include-untracked'),
    [inStash, beside('Stash …')],
  ],
])('after %s it says what git keeps of a mutation', async (_name, act, said) => {
  expect(await saidAfter(act)).toEqual(said);
});

it('knows a mutation that deletes the file', async () => {
  const deletes = { deletes: true };
  expect(await saidAfter(({ git }) => git('add', 'm.py'), deletes)).toEqual([inIndex]);
  expect(await saidAfter(({ git }) => git('stash', '--quiet'), deletes)).toEqual([inStash]);
});

it('goes by the time of a commit where nobody knows which one was checked out before', async () => {
  const repository = await createRepository();
  onTestFinished(repository.remove);
  await repository.put('m.py', MUTANT);
  const before = Date.now();
  repository.commit();
  const edited = {
    mutation: { id: 'one' },
    files: [{ path: 'm.py', mutated: sha256(Buffer.from(MUTANT)) }],
  };
  const since = (time: number): Promise<readonly string[]> =>
    storedMutants({ tree: repository.dir, project: 'unknown', startedAt: new Date(time) }, [
      edited,
    ]);
  expect(await since(before)).toHaveLength(1);
  expect(await since(before + 3_600_000)).toEqual([]);
});

it('says nothing where there is no repository', async () => {
  const repository = await createRepository();
  onTestFinished(repository.remove);
  await rm(join(repository.dir, '.git'), { recursive: true });
  const stored = { tree: repository.dir, project: { commit: null }, startedAt: new Date() };
  expect(await storedMutants(stored, [])).toEqual([]);
});
