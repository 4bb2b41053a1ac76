import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../src/record/read.js';
import { newestFirst, pidOf, runStamp } from '../../src/record/stamp.js';
import {
  listRuns,
  openRunFolder,
  pruneRuns,
  recordText,
  runsFolder,
  writeRecord,
} from '../../src/record/store.js';
import { RECORDS, many } from '../report/records.js';

let tree: string;

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'record tëst-'));
});

afterEach(async () => {
  await rm(tree, { recursive: true, force: true });
});

const at = new Date('2026-11-30T01:36:12.789Z');

test('a stamp is UTC to the second and the pid, and sorts by time', () => {
  expect(runStamp(at, 4711)).toBe('20261130-013612-4711');
  expect(pidOf('20261130-013612-4711')).toBe(4711);
  expect(pidOf('20261130-013612-4711-2')).toBe(4711);
  expect(pidOf('notes')).toBeNull();
  expect(
    newestFirst([
      '20261130-013612-9',
      '20261130-013612-9-10',
      '20261130-013612-9-2',
      '20261201-000000-1',
    ]),
  ).toEqual([
    '20261201-000000-1',
    '20261130-013612-9-10',
    '20261130-013612-9-2',
    '20261130-013612-9',
  ]);
});

const open = () => openRunFolder({ tree, out: null, startedAt: at, pid: process.pid });

test('a run gets a folder of its own, in one that git ignores', async () => {
  const first = await open();
  const second = await open();
  expect(first).toEqual({
    ok: true,
    value: {
      path: join(runsFolder(tree), `20261130-013612-${process.pid}`),
      stamp: `20261130-013612-${process.pid}`,
    },
  });
  expect(second.ok && second.value.stamp).toBe(`20261130-013612-${process.pid}-2`);
  expect(await readFile(join(tree, '.counterproof', '.gitignore'), 'utf8')).toBe('*\n');
});

test('a .gitignore that somebody changed stays as it is', async () => {
  await mkdir(join(tree, '.counterproof'));
  await writeFile(join(tree, '.counterproof', '.gitignore'), 'mine\n');
  await open();
  expect(await readFile(join(tree, '.counterproof', '.gitignore'), 'utf8')).toBe('mine\n');
});

test('--out takes a folder, and the record of an earlier run goes out of it first', async () => {
  const out = join(tree, 'evidence');
  await mkdir(out);
  await writeFile(join(out, 'record.json'), 'old');
  await writeFile(join(out, 'notes.txt'), 'mine');
  await writeFile(join(out, 'record.json.1'), 'mine too');
  await writeFile(join(out, 'record.json.4711.partial'), 'of a run that was killed');
  const folder = await openRunFolder({ tree, out, startedAt: at, pid: 1 });
  expect(folder).toEqual({ ok: true, value: { path: out, stamp: null } });
  expect(await readdir(out)).toEqual(['notes.txt', 'record.json.1']);
});

test('a folder that cannot be made is a problem with a way out', async () => {
  await writeFile(join(tree, '.counterproof'), 'a file');
  const folder = await open();
  expect(folder).toMatchObject({ ok: false, error: { hint: expect.stringContaining('--out') } });
});

describe('pruning', () => {
  const old = new Date('2026-11-01T00:00:00Z');

  async function run(stamp: string, kind: 'with a record' | 'without a record'): Promise<void> {
    const folder = join(runsFolder(tree), stamp);
    await mkdir(folder, { recursive: true });
    if (kind === 'with a record') await writeFile(join(folder, 'record.json'), '{}');
    await utimes(folder, old, old);
  }

  test('keeps the newest, those that run, and what is not ours', async () => {
    await run('20261101-000001-101', 'with a record');
    await run('20261101-000002-102', 'without a record');
    await run('20261101-000003-103', 'without a record');
    await run('20261101-000004-104', 'with a record');
    await run('notes', 'with a record');
    const removed = await pruneRuns(runsFolder(tree), {
      keep: 1,
      now: at,
      isAlive: (pid) => pid === 102,
    });
    expect(removed).toEqual(['20261101-000003-103', '20261101-000001-101']);
    expect((await readdir(runsFolder(tree))).toSorted()).toEqual([
      '20261101-000002-102',
      '20261101-000004-104',
      'notes',
    ]);
  });

  test('a young run without a record may run in another pid namespace, and stays', async () => {
    await run('20261101-000001-101', 'without a record');
    const now = new Date(old.getTime() + 60_000);
    expect(await pruneRuns(runsFolder(tree), { keep: 0, now, isAlive: () => false })).toEqual([]);
  });

  test('opening the 21st run removes the first', async () => {
    for (let n = 10; n < 30; n += 1) await run(`202611${n}-000000-999999999`, 'with a record');
    await open();
    const runs = await readdir(runsFolder(tree));
    expect(runs).toHaveLength(20);
    expect(runs).not.toContain('20261110-000000-999999999');
  });
});

describe('reading', () => {
  test('what was written is read again, by file, folder, stamp and as the last one', async () => {
    const folder = await open();
    if (!folder.ok || folder.value.stamp === null) throw new Error('no folder');
    const written = await writeRecord(folder.value.path, many);
    if (!written.ok) throw new Error(written.error.message);
    for (const name of [written.value, folder.value.path, folder.value.stamp, 'last']) {
      expect(await readRecord(name, tree)).toEqual({ ok: true, value: many });
    }
    expect(await listRuns(tree)).toEqual([folder.value.stamp]);
    expect(await readdir(folder.value.path)).toEqual(['record.json']);
  });

  test('a record that fails on the way leaves the earlier one, and nothing beside it', async () => {
    const folder = await open();
    if (!folder.ok) throw new Error('no folder');
    const { path } = folder.value;
    await writeRecord(path, many);
    const faulty = Object.defineProperty({ ...many }, 'proofs', {
      enumerable: true,
      get: () => [
        {
          toJSON() {
            throw new Error('no text');
          },
        },
      ],
    });
    expect(await writeRecord(path, faulty)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no text') },
    });
    expect(await readdir(path)).toEqual(['record.json']);
    expect(await readRecord(path, tree)).toEqual({ ok: true, value: many });
  });

  test('every kind of record survives JSON', async () => {
    for (const record of Object.values(RECORDS)) {
      await writeFile(join(tree, 'r.json'), recordText(record));
      // A lone surrogate is no text in UTF-8: JSON keeps it as an escape.
      expect(await readRecord(join(tree, 'r.json'), tree)).toEqual({ ok: true, value: record });
    }
  });

  test.each([
    ['cut', recordText(many).slice(0, 500), /is not JSON.*/],
    ['of something else', '{"version":1}', /is not a record of Counterproof/],
    [
      'of a newer version',
      JSON.stringify({ ...many, schemaVersion: 2, novelty: true }),
      /has schema version 2; this Counterproof reads up to 1/,
    ],
    [
      'with a wrong field',
      JSON.stringify({ ...many, exitCode: 'none' }),
      /is not a valid record: exitCode: /,
    ],
  ])('a record that is %s is refused in words', async (_, text, message) => {
    await writeFile(join(tree, 'r.json'), text);
    const read = await readRecord(join(tree, 'r.json'), tree);
    expect(read.ok ? '' : read.error.message).toMatch(message);
  });

  test('an absent record names the runs that there are', async () => {
    expect(await readRecord('nowhere', tree)).toMatchObject({
      ok: false,
      error: { hint: 'there is no finished run here yet' },
    });
    const folder = await open();
    if (folder.ok) await writeRecord(folder.value.path, many);
    expect(await readRecord('nowhere', tree)).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('20261130-013612-') },
    });
  });
});
