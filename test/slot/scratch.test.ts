import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTrash, makeScratch } from '../../src/slot/scratch.js';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'cp-trash-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

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
