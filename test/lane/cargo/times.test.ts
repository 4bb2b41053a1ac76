import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOlder, makeNewer, nowNs } from '../../../src/lane/cargo/times.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cp-times-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const timeOf = (file: string): bigint => statSync(file, { bigint: true }).mtimeNs;

function fileDated(seconds: number): string {
  const file = path.join(folder, 'lib.rs');
  writeFileSync(file, 'fn f() {}');
  utimesSync(file, seconds, seconds);
  return file;
}

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

describe('a file is newer than the last build', () => {
  test.each([
    ['that is dated 2020', 1_577_836_800, nowNs()],
    ['that is dated 1970', 0, nowNs()],
    ['that is as old as the build', NOW - DAY, BigInt(NOW - DAY) * 1_000_000_000n],
    ['that is one second older', NOW - DAY - 1, BigInt(NOW - DAY) * 1_000_000_000n],
  ])('%s', async (_, dated, floor) => {
    const file = fileDated(dated);
    expect(await makeNewer(file, floor)).toBe(true);
    expect(timeOf(file)).toBeGreaterThan(floor);
    expect(timeOf(file)).toBeLessThan(nowNs() + 5_000_000_000n);
  });

  test('that ran in the same millisecond', async () => {
    const file = fileDated(NOW - DAY);
    const floor = nowNs() + 1_000_000n;
    expect(await makeNewer(file, floor)).toBe(true);
    expect(timeOf(file)).toBeGreaterThan(floor);
  });
});

test('a file that is newer already keeps its time, also one from the future', async () => {
  for (const dated of [NOW + DAY, NOW - DAY]) {
    const file = fileDated(dated);
    const before = timeOf(file);
    expect(await makeNewer(file, before - 1n)).toBe(true);
    expect(timeOf(file)).toBe(before);
  }
});

test('what is no file gets no time', async () => {
  const inside = path.join(folder, 'folder');
  mkdirSync(inside);
  const before = timeOf(inside);
  expect(await makeNewer(inside, nowNs())).toBe(false);
  expect(timeOf(inside)).toBe(before);
  expect(await makeNewer(path.join(folder, 'absent'), nowNs())).toBe(false);
});

test('as old as a build counts as older: cargo takes it for unchanged', async () => {
  const file = fileDated(NOW);
  expect(await isOlder(file, timeOf(file))).toBe(true);
  expect(await isOlder(file, timeOf(file) - 1n)).toBe(false);
  expect(await isOlder(path.join(folder, 'absent'), nowNs())).toBe(false);
});
