/** What runs wrote over the tree, whatever form the kernel notes it in. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { JunitLane } from '../../src/spec/model.js';
import { must } from '../workspace/helpers.js';
import { overlaySlots, type OpenSlot } from './overlay-slots.js';

const { inOverlay, firstProcess } = overlaySlots();

/** Two folders whose files differ in their bytes alone, and a link. */
function addFolders(tree: string): void {
  mkdirSync(join(tree, 'data/deep'), { recursive: true });
  mkdirSync(join(tree, 'twin/deep'), { recursive: true });
  for (const folder of ['data', 'twin'])
    for (const name of ['a.txt', 'b.txt', 'deep/c.txt']) {
      const path = join(tree, folder, name);
      writeFileSync(path, name === 'b.txt' ? 'same' : folder);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
    }
  execFileSync('ln', ['-s', 'a.txt', join(tree, 'data/link')]);
}

const DATA = ['data/a.txt', 'data/b.txt', 'data/deep/c.txt', 'data/link'];

/** What a shell command in the slot's view of the tree writes. */
async function writtenBy({ client, tree }: OpenSlot, command: string): Promise<readonly string[]> {
  const cwd = `/proc/${firstProcess(client)}/root${tree}`;
  execFileSync('sh', ['-ec', command], { cwd, stdio: 'pipe' });
  return (await client.call('written', null)).toSorted();
}

/** Puts a layer between the tree and the upper one, with what this command makes. */
async function prepareLane({ client }: OpenSlot, prepare: string): Promise<void> {
  const lane: JunitLane = {
    name: 'unit',
    runner: 'junit',
    command: ['true'],
    report: '{report}',
    select: null,
    args: [],
    build: null,
    prepare,
    env: {},
    cwd: '.',
    slots: 1,
    limits: { stepMs: 60_000, testMs: 'auto', memoryBytes: 'auto', outputBytes: 10_000 },
    quarantine: [],
    where: null,
  };
  must(await client.call('lane', { lane, python: null }));
}

const CASES: readonly [string, string, readonly string[]][] = [
  ['nothing', ':', []],
  ['a file', 'echo other > data/a.txt', ['data/a.txt']],
  ['a file whose size and time are as before', 'cp -p twin/a.txt data/a.txt', ['data/a.txt']],
  ['a new file', 'echo > data/new', ['data/new']],
  ['a new file in a new folder', 'mkdir -p data/new/er; echo > data/new/er/f', ['data/new/er/f']],
  ['a file that is gone', 'rm data/deep/c.txt', ['data/deep/c.txt']],
  ['another mode', 'chmod 600 data/a.txt', ['data/a.txt']],
  ['the mode that it had', 'chmod 600 data/a.txt; chmod 644 data/a.txt', []],
  ['the bytes that it had', 'printf data > data/a.txt', []],
  ['the same link', 'rm data/link; ln -s a.txt data/link', []],
  ['another link', 'ln -sf b.txt data/link', ['data/link']],
  ['a removed folder', 'rm -r data', DATA],
  ['a folder that is made again', 'rm -r data; mkdir data', DATA],
  [
    'a folder that is made again with some of its files',
    'rm -r data; mkdir data; printf data > data/a.txt; echo > data/b.txt',
    DATA.slice(1),
  ],
  ['a folder within one that stays', 'rm -r data/deep; mkdir -p data/deep/er', ['data/deep/c.txt']],
  [
    'a renamed folder',
    'mv data moved',
    [...DATA, ...DATA.map((path) => path.replace('data', 'moved'))],
  ],
  ['a folder that came back', 'mv data moved; mv moved data', []],
  [
    'two folders in the place of each other',
    'mv data t; mv twin data; mv t twin',
    ['data/a.txt', 'data/deep/c.txt', 'data/link', 'twin/a.txt', 'twin/deep/c.txt', 'twin/link'],
  ],
  ['a file in the place of a folder', 'rm -r data; echo > data', ['data', ...DATA]],
  ['a link in the place of a folder', 'rm -r data; ln -s twin data', ['data', ...DATA]],
  [
    'a folder in the place of a file',
    'rm a.py; mkdir a.py; echo > a.py/inner',
    ['a.py', 'a.py/inner'],
  ],
  ['a folder in the place of a link', 'rm data/link; mkdir data/link', ['data/link']],
];

describe.each([
  ['over the tree', null],
  ['over a layer that is kept', 'mkdir data/made twin/made; touch data/made/x twin/made/x'],
] as const)('what was written %s', (_, prepare) => {
  for (const [name, command, expected] of CASES)
    inOverlay(
      name,
      async (slot) => {
        if (prepare !== null) await prepareLane(slot, prepare);
        const found = await writtenBy(slot, command);
        expect(found.filter((path) => !path.includes('/made/'))).toEqual(expected);
      },
      addFolders,
    );
});

describe('a layer that is kept', () => {
  inOverlay(
    'hides what it took away, and shows what it made',
    async (slot) => {
      await prepareLane(slot, 'rm -r data; mkdir data; echo > data/made');
      expect(await writtenBy(slot, ':')).toEqual([]);
      expect(await writtenBy(slot, 'echo > data/new')).toEqual(['data/new']);
      expect(await writtenBy(slot, 'rm -r data')).toEqual(['data/made']);
    },
    addFolders,
  );

  inOverlay(
    'is looked at as it is with each layer that is added',
    async (slot) => {
      await prepareLane(slot, 'mv data moved');
      expect(await writtenBy(slot, 'echo > moved/deep/new')).toEqual(['moved/deep/new']);
      const files = [{ path: 'moved/probe', content: Buffer.from('probe\n') }];
      must(await slot.client.call('place', { files }));
      expect(await writtenBy(slot, ':')).toEqual([]);
      const moved = DATA.map((path) => path.replace('data', 'moved'));
      expect(await writtenBy(slot, 'rm -r moved; mkdir moved')).toEqual([...moved, 'moved/probe']);
    },
    addFolders,
  );
});
