import { chmodSync, linkSync, lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject, prove } from '../support/project.js';

/** One file each; every one says VALUE once. */
const FILES: Readonly<Record<string, string | Buffer>> = {
  'mit leer.txt': 'VALUE\n',
  'übermäßig-日本.txt': 'VALUE\n',
  '-rf.txt': 'VALUE\n',
  '\'ein\' "zitat".txt': 'VALUE\n',
  '*?[a-z]{b,c}.txt': 'VALUE\n',
  '$(touch hit)`touch hit`;.txt': 'VALUE\n',
  'a/b/c/tief.txt': 'VALUE\n',
  'crlf.txt': 'one\r\nVALUE\r\ntwo',
  'bom.txt': '\uFEFFVALUE\r\n',
  'latin1.txt': Buffer.from('grüße VALUE\n', 'latin1'),
  'run.sh': '#!/bin/sh\nVALUE\n',
  'sealed.txt': 'VALUE\n',
  'twin-a.txt': 'VALUE\n',
  'target.txt': 'VALUE\n',
};
const MODES: Readonly<Record<string, number>> = { 'run.sh': 0o755, 'sealed.txt': 0o444 };
const mutated = Object.keys(FILES).map((path) => (path === 'target.txt' ? 'link.txt' : path));

it('files of every kind come back in bytes, mode, owner, time, inode and names', async () => {
  const project = createProject({
    'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: pytest } }\n',
    ...FILES,
    // No spec can name it, and it must not trouble the others.
    'zwei\nzeilen.txt': 'VALUE\n',
    'files.json': JSON.stringify(mutated),
    'test_files.py': `import json
import pathlib

import pytest

FILES = json.loads(pathlib.Path("files.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(FILES)))
def test_file(number):
    assert b"VALUE" in pathlib.Path(FILES[number]).read_bytes()
`,
    'mutations/all.yaml': `version: 1
lane: unit
mutations:
  - id: all
    edits:
${mutated
  .map(
    (path) =>
      `      - { file: ${JSON.stringify(path)}, replace: { find: "VALUE", with: "OTHER" } }\n`,
  )
  .join('')}    flips: ["test_files.py::test_file"]
`,
  });
  const at = (path: string): string => join(project.folder, path);
  for (const [path, mode] of Object.entries(MODES)) chmodSync(at(path), mode);
  linkSync(at('twin-a.txt'), at('twin-b.txt'));
  symlinkSync('target.txt', at('link.txt'));
  const facts = (): readonly unknown[] =>
    [...Object.keys(FILES), 'twin-b.txt', 'link.txt'].map((path) => {
      const { ino, mode, nlink, uid, gid, mtimeNs } = lstatSync(at(path), { bigint: true });
      return { path, ino, mode, nlink, uid, gid, mtimeNs };
    });
  const before = { facts: facts(), snapshot: project.snapshot() };

  const run = await prove(project);

  expect(run.exitCode, run.stderr + run.stdout).toBe(0);
  const proof = run.proof('all');
  expect(proof.verdict).toBe('pinned');
  expect(proof.flips.expected).toHaveLength(mutated.length);
  expect(proof.loaded.proof).toBe('by-effect');
  for (const file of proof.files) expect(file.restored, file.path).toBe(file.baseline);
  expect({ facts: facts(), snapshot: project.snapshot() }).toEqual(before);
  expect(run.record.notVerified).toContainEqual(
    expect.stringContaining('twin-a.txt has 2 names (hard links)'),
  );
});
