import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  forgetUnbuilt,
  noteUnbuilt,
  unbuiltLanes,
  type UnbuiltLane,
} from '../../src/workspace/unbuilt.js';
import { makeBench, must, stateOf, type Bench } from './helpers.js';

const noted = (lane: string, more: Partial<UnbuiltLane> = {}): UnbuiltLane => ({
  lane,
  root: '',
  build: ['make'],
  cwd: '.',
  runId: 'r1',
  paths: ['a.py'],
  ...more,
});

const note = async ({ tree, environment }: Bench, ...lanes: UnbuiltLane[]): Promise<void> =>
  must(await noteUnbuilt(tree, lanes, environment));

const read = ({ tree, environment }: Bench) => unbuiltLanes(tree, environment);

const forget = ({ tree, environment }: Bench, runId: string, ...lanes: string[]) =>
  forgetUnbuilt(tree, { runId, lanes: new Set(lanes) }, environment);

const own = ({ tree }: Bench): string => join(tree, '.counterproof');

test('nothing is noted of a tree in which nothing was, and no folder is made', async () => {
  const bench = makeBench();
  const before = stateOf(bench.tree);
  expect(await read(bench)).toEqual([]);
  await forget(bench, 'r1', 'unit');
  expect(stateOf(bench.tree)).toEqual(before);
});

test('a lane stays noted under its last run, with the files of all', async () => {
  const bench = makeBench();
  await note(bench, noted('unit'), noted('unit', { root: 'sub' }));
  await note(bench, noted('unit', { runId: 'r2', paths: ['b.py', 'a.py'] }));
  expect(await read(bench)).toEqual([
    noted('unit', { runId: 'r2', paths: ['a.py', 'b.py'] }),
    noted('unit', { root: 'sub' }),
  ]);
});

test('a run forgets what it noted itself, and was built', async () => {
  const bench = makeBench();
  await note(bench, noted('unit'), noted('web'), noted('old', { runId: 'r0' }));
  await forget(bench, 'r1', 'unit', 'old');
  expect((await read(bench)).map(({ lane }) => lane)).toEqual(['web', 'old']);
  await forget(bench, 'r0', 'old');
  await forget(bench, 'r1', 'web');
  expect(await read(bench)).toEqual([]);
  expect(readdirSync(own(bench))).toEqual(['.gitignore']);
});

test('`git clean -xfd` does not take it', async () => {
  const bench = makeBench();
  await note(bench, noted('unit'));
  rmSync(own(bench), { recursive: true });
  expect(await read(bench)).toEqual([noted('unit')]);
});

test('what somebody else wrote there is not believed', async () => {
  const bench = makeBench();
  await note(bench, noted('unit'));
  const lines = ['{', '7', '{"lane":"x"}', JSON.stringify(noted('out', { paths: ['../a.py'] }))];
  appendFileSync(join(own(bench), 'unbuilt.jsonl'), `${lines.join('\n')}\n`);
  expect(await read(bench)).toEqual([noted('unit')]);
});

test('nothing is noted where it would land elsewhere', async () => {
  const bench = makeBench();
  const elsewhere = join(bench.tree, '..', 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, own(bench));
  const done = await noteUnbuilt(bench.tree, [noted('unit')], bench.environment);
  expect(done).toMatchObject({ ok: false });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('it is written whole, for one user alone', async () => {
  const bench = makeBench();
  await note(bench, noted('unit'), noted('web'));
  const text = readFileSync(join(own(bench), 'unbuilt.jsonl'), 'utf8');
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as UnbuiltLane).lane),
  ).toEqual(['unit', 'web']);
  expect(readdirSync(own(bench)).filter((name) => name.endsWith('.new'))).toEqual([]);
});
