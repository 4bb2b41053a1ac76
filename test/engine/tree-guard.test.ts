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

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  tree = mkdtempSync(join(tmpdir(), 'cp-guard-'));
  for (const file of FILES) writeFileSync(join(tree, file), 'x = 1\n');
  guard = await openTreeGuard(tree, FILES);
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
});
