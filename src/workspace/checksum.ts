/** SHA-256 of what is on disk, and the one wrong answer that tools before this one gave for it. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isAbsent } from './durable.js';

/** The sum of no bytes at all: what a hash says when its input never arrived. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const SHORT_DIGITS = 16;

/** SHA-256 of these bytes, 64 hexadecimal digits. */
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The form for text: the first 16 digits. Records keep all 64. */
export const shortSum = (sum: string): string => sum.slice(0, SHORT_DIGITS);

/**
 * Throws where the sum of empty input stands for a file of `size` bytes: reports have shown
 * `e3b0c442…` for files that had content, because the bytes had never reached the hash.
 */
export function assertSumOfContent(sum: string, size: number, path: string): void {
  if (sum === EMPTY_SHA256 && size > 0) {
    throw new Error(`Internal error: the sum of empty input stands for ${size} bytes of ${path}`);
  }
}

export interface ContentOnDisk {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** Bytes and sum of a file as they are on disk now; null: there is no such file. */
export async function readContent(path: string): Promise<ContentOnDisk | null> {
  let handle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  try {
    let bytes = await handle.readFile();
    const { size } = await handle.stat();
    // A file that grew between the two calls has something to read now.
    if (bytes.length === 0 && size > 0) bytes = await handle.readFile();
    const sum = sha256(bytes);
    assertSumOfContent(sum, size, path);
    return { bytes, sha256: sum };
  } finally {
    await handle.close();
  }
}

/** SHA-256 of a file as it is on disk now; null: there is no such file. Symlinks are followed. */
export async function checksum(path: string): Promise<string | null> {
  return (await readContent(path))?.sha256 ?? null;
}
