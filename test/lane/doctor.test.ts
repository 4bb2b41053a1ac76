import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { doctorFacts, nodeFact } from '../../src/lane/doctor.js';
import { onLinux, temporaryFolder } from './process/support.js';
import { fakePython, script, tools } from './pytest/detect-support.js';

/** For a machine that is shared with many others. */
vi.setConfig({ testTimeout: 300_000 });

async function facts(prepare: (root: string, bin: string) => void = () => {}) {
  const root = temporaryFolder();
  const bin = tools(root);
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  prepare(root, bin);
  const list = await doctorFacts({ root, tree: root, env: { PATH: bin } });
  return { root, byName: new Map(list.map((entry) => [entry.what, entry])) };
}

test('each thing has a line, and nothing is left behind', async () => {
  const { root, byName } = await facts((_root, bin) => {
    script(path.join(bin, 'git'), 'echo git version 2.45.0');
    fakePython(path.join(bin, 'python3'));
    fakePython(path.join(bin, 'python3.12'));
    script(path.join(bin, 'cargo'), 'echo "cargo 1.80.0 (376290515 2024-07-16)"');
    script(
      path.join(bin, 'rustc'),
      'echo rustc 1.80.0; echo "host: x86_64-unknown-linux-gnu"; echo "release: 1.80.0"',
    );
  });
  expect(byName.get('git')).toEqual({ what: 'git', state: 'ok', detail: '2.45.0', fix: null });
  expect(byName.get('pytest')?.detail).toMatch(
    /^pytest 8\.3\.0, Python 3\.12\.3, from python3 in PATH/,
  );
  expect(byName.get('python 3.12')?.state).toBe('ok');
  expect(byName.get('python 3.9')?.state).toBe('absent');
  expect(byName.get('cargo')?.detail).toMatch(
    /^cargo 1\.80\.0, rustc 1\.80\.0, from `cargo` in PATH: \/.*\/cargo$/,
  );
  expect(byName.get('file system')?.detail).toMatch(/hard links, writable/);
  expect(byName.get('memory')?.detail).toMatch(/^\d+\.\d GiB/);
  if (onLinux) expect(byName.get('/proc')?.state).toBe('ok');
  expect(readdirSync(root)).toEqual([]);
});

test('what is missing comes with a way out', async () => {
  const { byName } = await facts();
  expect(byName.get('git')).toEqual({
    what: 'git',
    state: 'problem',
    detail: '`git` was not found in PATH.',
    fix: 'Install git and put it in PATH.',
  });
  expect(byName.get('pytest')?.fix).toMatch(/^Install Python 3\.9 or newer with pytest/);
  expect(byName.get('cargo')?.state).toBe('absent');
});

test('a crate needs cargo, and no pytest', async () => {
  const { byName } = await facts((root) => {
    writeFileSync(path.join(root, 'Cargo.toml'), '');
  });
  expect(byName.get('cargo')).toEqual({
    what: 'cargo',
    state: 'problem',
    detail: 'there is no `cargo` in PATH',
    fix: 'Install Rust with rustup, or put the folder of cargo in PATH.',
  });
  expect(byName.get('pytest')?.state).toBe('absent');
});

// root may write anywhere.
test.skipIf(process.getuid?.() === 0)('a tree that may not be written is a problem', async () => {
  const { byName } = await facts((root) => chmodSync(root, 0o500));
  expect(byName.get('file system')?.state).toBe('problem');
});

test.each([
  ['20.18.3', 'problem'],
  ['20.19.0', 'ok'],
  ['18.20.0', 'problem'],
  ['22.0.0', 'ok'],
])('node %s: %s', (version, state) => {
  expect(nodeFact(version).state).toBe(state);
});
