import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createTrash,
  makeCollectScratch,
  makeScratch,
  removeScratchOf,
  removeScratchOfSlot,
} from '../../src/slot/scratch.js';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'cp-trash-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

function full(): string {
  const folder = join(place, 'step');
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(join(folder, 'deep/file'), 'x');
  return folder;
}

it('the path of a step is free at once, and its folder is gone in the end', async () => {
  const trash = createTrash();
  const folder = full();
  await trash.take(folder);
  expect(existsSync(folder)).toBe(false);
  expect(await makeScratch('/a/tree', 0, folder)).toBe(folder);
  await trash.empty();
  expect(readdirSync(place)).toEqual(['step']);
});

it('what a killed run left goes, and the folder of a collection only when its process is gone', async () => {
  vi.stubEnv('TMPDIR', place);
  const ofSlot = await makeScratch('/a/tree', 0, null);
  const ofOther = await makeScratch('/other/tree', 0, null);
  const living = await makeCollectScratch('/a/tree');
  const gone = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
  const dead = living.replace(`-${process.pid}-`, `-${gone}-`);
  mkdirSync(dead);
  const left = (): readonly string[] =>
    [ofSlot, ofOther, living, dead].filter((folder) => existsSync(folder));

  await removeScratchOfSlot('/a/tree', 9999);
  expect(left()).toEqual([ofSlot, ofOther, living, dead]);

  await removeScratchOf('/a/tree');
  expect(left()).toEqual([ofOther, living]);
});

it('folders go one at a time', async () => {
  const begun: string[] = [];
  let end = (): void => undefined;
  const trash = createTrash((folder) => {
    begun.push(folder);
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  await trash.take(full());
  const second = trash.take(full());
  expect(begun).toHaveLength(1);
  end();
  await second;
  expect(begun).toHaveLength(2);
  expect(new Set(begun).size).toBe(2);
});
