import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { draftsUnder } from '../../src/spec/drafts.js';
import { temporaryFolder } from '../lane/process/support.js';

test('drafts are the specs of `mutations/` that end with .txt', async () => {
  const root = temporaryFolder();
  const names = [
    'mutations/b.yaml.txt',
    'mutations/sub/a.yml.txt',
    'mutations/c.yaml',
    'mutations/words.txt',
    'other/d.yaml.txt',
  ].map((name) => join(root, name));
  for (const name of names) {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, '');
  }
  expect(await draftsUnder(root)).toEqual(names.slice(0, 2));
});
