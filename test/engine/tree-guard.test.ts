import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTreeGuard, type TreeGuard } from '../../src/engine/tree-guard.js';

/** More than one batch of looks, so that a look gives others a turn half way. */
const FILES = Array.from({ length: 600 }, (_, n) => `f${String(n).padStart(3, '0')}.py`);
const [FIRST = ''] = FILES;
const MINUTE = 60_000;

let tree = '';
let guard: TreeGuard;
let unchanged: ReadonlySet<string>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  tree = mkdtempSync(join(tmpdir(), 'cp-guard-'));
  for (const file of FILES) writeFileSync(join(tree, file), 'x = 1\n');
  unchanged = new Set();
  guard = await openTreeGuard(tree, FILES, (paths) =>
    Promise.resolve(new Set(paths.filter((path) => unchanged.has(path)))),
  );
});

afterEach(() => {
  guard.close();
  vi.useRealTimers();
  rmSync(tree, { recursive: true });
});

describe('the guard of the tree', () => {
  it('names a file that somebody wrote, even after it was put back', async () => {
    writeFileSync(join(tree, FIRST), 'x = 2\n');
    expect(await guard.check('now')).toEqual([FIRST]);
    writeFileSync(join(tree, FIRST), 'x = 1\n');
    expect(await guard.check('now')).toEqual([FIRST]);
  });

  it('finds nothing when a look of its own meets a new snapshot', async () => {
    vi.advanceTimersByTime(MINUTE);
    // By now the look has had its first batch.
    await Promise.resolve();
    await Promise.resolve();
    await guard.expect([]);
    expect(await guard.check('now')).toEqual([]);
  });

  it('leaves out a mutant that went while the look was under way', async () => {
    await guard.expect([FIRST]);
    guard.inPlace([FIRST]);
    writeFileSync(join(tree, FIRST), 'x = 2\n');
    const looking = guard.check('now');
    await Promise.resolve();
    await Promise.resolve();
    guard.inPlace([]);
    expect(await looking).toEqual([]);
    expect(await guard.check('now')).toEqual([FIRST]);
  });

  it('leaves out a mutant that came while the look was under way', async () => {
    await guard.expect([FIRST]);
    const looking = guard.check('now');
    guard.inPlace([FIRST]);
    writeFileSync(join(tree, FIRST), 'x = 2\n');
    expect(await looking).toEqual([]);
  });

  it('takes no offence at what a baseline rewrote as it was, and compares its sum from then on', async () => {
    await guard.expect([]);
    unchanged = new Set([FIRST]);
    writeFileSync(join(tree, FIRST), 'x = 1\n');
    vi.advanceTimersByTime(MINUTE);
    expect(await guard.check('now')).toEqual([]);
    await guard.baselineDone();
    unchanged = new Set();
    writeFileSync(join(tree, FIRST), 'x = 1\n');
    expect(await guard.check('now')).toEqual([]);
    writeFileSync(join(tree, FIRST), 'x = 2\n');
    expect(await guard.check('now')).toEqual([FIRST]);
  });

  it('names what is rewritten as it was after the baseline: it was another in between', async () => {
    await guard.expect([]);
    await guard.baselineDone();
    unchanged = new Set([FIRST]);
    writeFileSync(join(tree, FIRST), 'x = 1\n');
    expect(await guard.check('now')).toEqual([FIRST]);
  });

  it('names what a baseline changed', async () => {
    await guard.expect([]);
    writeFileSync(join(tree, FIRST), 'x = 2\n');
    await guard.baselineDone();
    expect(await guard.check('now')).toEqual([FIRST]);
  });
});
