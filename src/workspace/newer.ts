/** Every write of a file gets a time after all before it, whatever the clock says. */
import { lstat, utimes } from 'node:fs/promises';
import { seconds } from './durable.js';
import type { JournalledFile } from './entry.js';

// From a millisecond up to what FAT needs: file systems round times differently.
const BUMPS = [1_000_000n, 10_000_000n, 1_000_000_000n, 2_000_000_000n, 4_000_000_000n];

/**
 * Two writes within one tick of the kernel's clock (up to 10 ms) get the same time, and a build
 * or bytecode cache then takes the second for the first.
 *
 * @param floor nanoseconds; the file's time is after it when this returns
 * @returns the file's time of change, in nanoseconds
 */
export async function makeNewer(file: string, floor: bigint): Promise<bigint> {
  let time = (await lstat(file, { bigint: true })).mtimeNs;
  for (const bump of BUMPS) {
    if (time > floor) break;
    await utimes(file, seconds(floor + bump), seconds(floor + bump));
    time = (await lstat(file, { bigint: true })).mtimeNs;
  }
  return time;
}

/** @param newest the newest time that any writer gave a path as far as we saw */
export function floorOf(
  { path, original }: Pick<JournalledFile, 'path' | 'original'>,
  newest: ReadonlyMap<string, bigint>,
): bigint {
  const before = BigInt(original?.mtime ?? '0');
  const seen = newest.get(path) ?? 0n;
  return before > seen ? before : seen;
}
