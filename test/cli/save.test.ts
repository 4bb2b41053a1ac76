import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveMutations, saveWhatHolds } from '../../src/cli/save.js';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { counterproof, createProject } from '../support/project.js';
import { folderWith, NO_LANES } from '../spec/support.js';

const SPEC =
  '\ufeffversion: 1 # ours\r\nmutations:\r\n  - id: old\r\n    file: a.py\r\n    delete: true\r\n    flips: any\r\n';

const mutation = (id: string, file: string): MutationInput => ({
  id,
  file,
  delete: true,
  flips: 'any',
});
const [bad, good] = [mutation('bad', 'tab\there.txt'), mutation('good', 'b.py')];

function project(): Parameters<typeof saveMutations>[2] {
  const root = realpathSync(folderWith({ 'mutations/a.yaml': SPEC }));
  return { cwd: root, root, tree: root, config: NO_LANES };
}

test('what a spec can hold is kept beside what it cannot, and the file stays as it was else', async () => {
  const here = project();
  const path = join(here.root, 'mutations/a.yaml');
  chmodSync(path, 0o640);
  const notSaved = await saveWhatHolds('mutations/a.yaml', [bad, good], here, {});
  expect(notSaved.map((one) => one.mutation.id)).toEqual(['bad']);
  const text = readFileSync(path, 'utf8');
  expect(text.startsWith(SPEC)).toBe(true);
  expect(text).toContain('"good"');
  expect(text).not.toContain('bad');
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test('all or none are saved', async () => {
  const here = project();
  await expect(saveMutations('mutations/a.yaml', [good, bad], here, {})).rejects.toThrow(
    'a spec cannot hold `bad`',
  );
  expect(readFileSync(join(here.root, 'mutations/a.yaml'), 'utf8')).toBe(SPEC);
});

test('where nothing can be kept, no file is made', async () => {
  const here = project();
  await saveWhatHolds('mutations/new.yaml', [bad], here, {});
  expect(() => statSync(join(here.root, 'mutations/new.yaml'))).toThrow('ENOENT');
});

test('init writes nothing where its specs cannot lie', async () => {
  const bare = createProject({ 'pyproject.toml': '', mutations: 'a file\n' });
  const refused = await counterproof(bare, ['init']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('is below mutations, which is no folder');
  expect(() => bare.read('counterproof.yaml')).toThrow('ENOENT');
});
