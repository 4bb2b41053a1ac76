import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openJunitLane } from '../../../src/lane/junit/open.js';
import { placeFinder } from '../../../src/lane/junit/place.js';
import type { JunitLane } from '../../../src/spec/model.js';
import { laneOf } from '../../../src/spec/lanes.js';
import { temporaryFolder } from './support.js';

function opened(folder: string, command: string[], more: Partial<JunitLane> = {}) {
  const lane = laneOf('web', { runner: 'junit', command });
  if (lane.runner !== 'junit') throw new Error('no junit lane');
  const env = { PATH: process.env['PATH'] ?? '' };
  return openJunitLane({ tree: folder, root: folder, lane: { ...lane, ...more }, env });
}

describe('opening a junit lane', () => {
  it('says what is run, by which program, in which versions', async () => {
    const folder = temporaryFolder();
    const at = path.join(folder, 'node_modules', 'vitest');
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, 'package.json'), '{"version":"4.1.12"}');
    mkdirSync(path.join(folder, 'web'));
    const found = await opened(folder, ['node', 'vitest', 'run', '{report}'], {
      args: ['--bail=0'],
      cwd: 'web',
    });
    expect(found.ok).toBe(true);
    if (!found.ok) return;
    const description = await found.value.describe();
    expect(description).toMatchObject({
      ok: true,
      value: {
        command: ['node', 'vitest', 'run', '{report}', '--bail=0'],
        versions: { node: process.versions.node, vitest: '4.1.12' },
        seeds: { PYTHONHASHSEED: '0' },
      },
    });
    expect(description.ok && path.basename(description.value.tool)).toBe('node');
  });

  it.each([
    ['vitest', '4.1.12'],
    ['node_modules/vitest/vitest.mjs', '4.1.12'],
    ['./node_modules/.bin/vitest', '4.1.12'],
    ['@scope/tool', '1.0.0'],
    ['node_modules/@scope/tool/bin.js', '1.0.0'],
    ['vitest/x', undefined],
    ['--vitest', undefined],
    ['.', undefined],
  ])('knows the version of %s', async (word, version) => {
    const folder = temporaryFolder();
    for (const [name, its] of [
      ['vitest', '4.1.12'],
      ['@scope/tool', '1.0.0'],
    ] as const) {
      const at = path.join(folder, 'node_modules', name);
      mkdirSync(at, { recursive: true });
      writeFileSync(path.join(at, 'package.json'), JSON.stringify({ version: its }));
    }
    const found = await opened(folder, ['sh', word]);
    const description = found.ok ? await found.value.describe() : found;
    expect(description.ok && Object.values(description.value.versions)[0]).toBe(version);
  });

  it('never asks a script of the project for its version', async () => {
    const folder = temporaryFolder();
    const script = path.join(folder, 'node');
    writeFileSync(path.join(folder, 'tests.sh'), '#!/bin/sh\ntouch ran\n');
    writeFileSync(script, '#!/bin/sh\necho v1.2.3\n');
    chmodSync(path.join(folder, 'tests.sh'), 0o755);
    const found = await opened(folder, ['./tests.sh', '{report}']);
    const description = found.ok ? await found.value.describe() : found;
    expect(description).toMatchObject({ ok: true, value: { versions: {} } });
  });

  it('names a command that is not there', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'tests.sh'), '');
    expect(await opened(folder, ['vitst', 'run'])).toMatchObject({
      ok: false,
      error: { message: '`vitst`, the command of lane web, was not found in PATH.' },
    });
    expect(await opened(folder, ['./tests.sh'])).toMatchObject({
      ok: false,
      error: { message: '`./tests.sh`, the command of lane web, may not be executed.' },
    });
  });
});

describe('the place of a failure', () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'cp junit ü-')));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(path.join(root, 'web', 'test'), { recursive: true });
  mkdirSync(path.join(root, 'node_modules'));
  writeFileSync(path.join(root, 'web', 'test', 'a.test.ts'), '');
  writeFileSync(path.join(root, 'node_modules', 'lib.js'), '');
  const placeIn = placeFinder({ root, cwd: path.join(root, 'web') });

  it.each<readonly [string, string, string | null]>([
    ['Vitest', ' ❯ test/a.test.ts:3:36', 'web/test/a.test.ts:3'],
    [
      'Node',
      `    at x (${pathToFileURL(root).href}/web/test/a.test.ts:4:33)`,
      'web/test/a.test.ts:4',
    ],
    ['pytest', 'E   assert 0\n\nweb/test/a.test.ts:12: AssertionError', 'web/test/a.test.ts:12'],
    ['an absolute path', `${root}/web/test/a.test.ts:5`, 'web/test/a.test.ts:5'],
    [
      'a library first',
      `at y (${root}/node_modules/lib.js:1:1)\nat x (${root}/web/test/a.test.ts:6:1)`,
      'web/test/a.test.ts:6',
    ],
    ['a file that is not there', 'CartTest.java:12', null],
    ['a file outside', '/etc/hosts.d:12 ../../etc/passwd.x:3', null],
    ['a time', 'at 12:30:01', null],
    ['nothing', '', null],
  ])('%s', (_what, text, place) => {
    expect(placeIn(text)).toBe(place);
  });
});
