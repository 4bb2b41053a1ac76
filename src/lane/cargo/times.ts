/** Times by which cargo tells what it must build again: a file's own against that of the last build. */
import type { BigIntStats } from 'node:fs';
import { lstat, utimes } from 'node:fs/promises';

/** From a millisecond up to what FAT needs: file systems round times differently. */
const BUMPS_NS = [0n, 1_000_000n, 10_000_000n, 1_000_000_000n, 2_000_000_000n, 4_000_000_000n];

/**
 * Gives a file a time that lies after `floor`, where it has none: for cargo a file that is as
 * old as the last build, or older, is unchanged whatever it holds. A copy that kept its time, a
 * restored original, a file dated 2020 would never be built.
 *
 * @param floor in nanoseconds
 * @returns whether the file is newer now; false too where there is none
 */
export async function makeNewer(file: string, floor: bigint): Promise<boolean> {
  const now = nowNs();
  const least = now > floor ? now : floor;
  for (const bump of BUMPS_NS) {
    const there = await look(file);
    if (there === null || !there.isFile()) return false;
    if (there.mtimeNs > floor) return true;
    await utimes(file, Number(there.atimeMs) / 1000, seconds(least + bump));
  }
  return ((await look(file))?.mtimeNs ?? 0n) > floor;
}

/** What is lost where a time is set: microseconds are what can be said. */
const ROUNDING_NS = 2_000n;

/** Gives a file that is older than `time`, in nanoseconds, that time. */
export async function keepTime(file: string, time: bigint): Promise<void> {
  const there = await look(file);
  if (there === null || !there.isFile() || there.mtimeNs > time - ROUNDING_NS) return;
  await utimes(file, Number(there.atimeMs) / 1000, seconds(time));
}

/** In nanoseconds since 1970; null: there is no such file. */
export const timeOf = async (file: string): Promise<bigint | null> =>
  (await look(file))?.mtimeNs ?? null;

/** In nanoseconds since 1970, as file times are told. */
export const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;

/** Whether a file is no younger than a time in nanoseconds, so that cargo would not look into it. */
export async function isOlder(file: string, time: bigint): Promise<boolean> {
  const there = await look(file);
  return there !== null && there.mtimeNs <= time;
}

const seconds = (ns: bigint): number => Number(ns / 1000n) / 1e6;

async function look(file: string): Promise<BigIntStats | null> {
  try {
    return await lstat(file, { bigint: true });
  } catch {
    return null;
  }
}
