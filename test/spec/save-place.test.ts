import { chmodSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { savePlace } from '../../src/spec/save-place.js';
import { folderWith } from './support.js';

function project(): string {
  const files = { 'part/mutations/a.yaml': '', 'part/mutations/deep/b.yml': '', 'part/app.py': '' };
  const top = realpathSync(folderWith({ ...files, 'part/own.yaml': '', 'other/c.yaml': '' }));
  symlinkSync('../../other/c.yaml', join(top, 'part/mutations/link.yaml'));
  symlinkSync('../../other', join(top, 'part/mutations/linked'));
  return top;
}

function saved(written: string, from = 'part', config = 'part/own.yaml'): string {
  const top = project();
  const place = { cwd: join(top, from), root: join(top, 'part'), tree: top };
  const found = savePlace(written, { ...place, configFile: join(top, config) });
  return found.ok ? found.value.slice(top.length) : `${found.error.message}\n${found.error.hint}`;
}

describe('a spec is saved', () => {
  test.each([
    ['mutations/a.yaml', 'part', '/part/mutations/a.yaml'],
    ['mutations/deep/new/c.yml', 'part', '/part/mutations/deep/new/c.yml'],
    ['a.yaml', 'part/mutations', '/part/mutations/a.yaml'],
    ['part/mutations/n.yaml', '.', '/part/mutations/n.yaml'],
  ])('%s from %s', (written, from, path) => {
    expect(saved(written, from)).toBe(path);
  });
});

describe('what run would not find, or nobody can write, is refused', () => {
  test.each([
    ['mutations', 'is a folder, where a file is meant', 'NAME.yaml'],
    ['mutations/new/', 'is a folder, where a file is meant', 'NAME.yaml'],
    ['app.py/x.yaml', 'is not under mutations/, where `run` looks for specs', 'x.yaml'],
    ['mutations/a.yaml/x.yaml', 'is below mutations/a.yaml, which is no folder', 'x.yaml'],
    ['counterproof.yaml', 'is the name of a configuration', 'NAME.yaml'],
    ['counterproof.yml', 'is the name of a configuration', 'NAME.yaml'],
    ['pyproject.toml', 'is the name of a configuration', 'NAME.yaml'],
    ['mutations/counterproof.yaml', 'is the name of a configuration', 'NAME.yaml'],
    ['own.yaml', 'is the name of a configuration', 'own.yaml'],
    ['../outside.yaml', 'is outside the project', 'outside.yaml'],
    ['../../outside.yaml', 'is outside the project', 'outside.yaml'],
    ['noext', 'is not under mutations/, where `run` looks for specs', 'NAME.yaml'],
    ['mutations.yaml', 'is not under mutations/, where `run` looks for specs', 'mutations.yaml'],
    [
      'mutations/noext',
      'does not end with .yaml or .yml, as specs that `run` finds do',
      'NAME.yaml',
    ],
    [
      'mutations/A.YAML',
      'does not end with .yaml or .yml, as specs that `run` finds do',
      'NAME.yaml',
    ],
    ['mutations/.a.yaml', 'is hidden, and `run` finds no hidden specs', 'a.yaml'],
    ['mutations/.b/a.yaml', 'is hidden, and `run` finds no hidden specs', 'a.yaml'],
    [
      'mutations/link.yaml',
      'leads through a link (mutations/link.yaml), and `run` follows none',
      'link.yaml',
    ],
    [
      'mutations/linked/n.yaml',
      'leads through a link (mutations/linked), and `run` follows none',
      'n.yaml',
    ],
  ])('%s', (written, why, name) => {
    expect(saved(written)).toBe(
      `${written} ${why}.\nName a file under mutations/ of the project: mutations/${name}`,
    );
  });

  test('a folder of specs that lies outside the tree', () => {
    const far = folderWith({ 'x/a.yaml': '' });
    const root = realpathSync(folderWith({ 'app.py': '' }));
    symlinkSync(join(far, 'x'), join(root, 'mutations'));
    const found = savePlace('mutations/a.yaml', { cwd: root, root, tree: root, configFile: null });
    expect(found).toMatchObject({
      error: { message: 'mutations/a.yaml is outside the tree.' },
    });
  });

  test('a spec that somebody wants left alone', () => {
    const root = realpathSync(folderWith({ 'mutations/a.yaml': '' }));
    chmodSync(join(root, 'mutations/a.yaml'), 0o444);
    const found = savePlace('mutations/a.yaml', { cwd: root, root, tree: root, configFile: null });
    expect(found).toMatchObject({
      error: { message: 'mutations/a.yaml cannot be written: mutations/a.yaml is read-only.' },
    });
  });

  test('the folder that one stands in may be named through a link', () => {
    const root = realpathSync(folderWith({ 'mutations/a.yaml': '' }));
    const other = folderWith({ 'x.txt': '' });
    symlinkSync(root, join(other, 'here'));
    const place = { cwd: join(other, 'here'), root, tree: root, configFile: null };
    expect(savePlace('mutations/a.yaml', place)).toEqual({
      ok: true,
      value: join(root, 'mutations/a.yaml'),
    });
  });
});
