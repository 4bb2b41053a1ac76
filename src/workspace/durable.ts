/** Writes that survive a power cut, and the few questions about errors that go with them. */
import type { BigIntStats } from 'node:fs';
import { lstat, open, unlink } from 'node:fs/promises';

/** The error's `code`, such as `ENOENT`; null for anything that is no system error. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** No such file, or a folder on the way to it is none (any more). */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** `lstat` in nanoseconds; null: nothing there. */
export async function look(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Unlinks a file that may be gone already. */
export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

// Some network and FUSE file systems cannot fsync a folder; what they promise is all there is.
const CANNOT_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF', 'EISDIR']);

/** Makes names in a folder durable: without it a rename may be lost in a power cut. */
export async function syncFolder(path: string): Promise<void> {
  let handle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (process.platform === 'win32') return;
    throw error;
  }
  try {
    await handle.sync();
  } catch (error) {
    if (!CANNOT_SYNC.has(codeOf(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

export interface Attributes {
  /** Permission bits, set last and whatever the umask: a change of owner clears setuid. */
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Nanoseconds since 1970; kept to about a quarter of a microsecond. null: now. */
  readonly times: { readonly atime: bigint; readonly mtime: bigint } | null;
}

/** A new file, never over an old one, on disk when this returns. A failed one is taken away. */
export async function writeNew(path: string, bytes: Buffer, attributes: Attributes): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    const { owner, times, mode } = attributes;
    if (owner !== null) await handle.chown(owner.uid, owner.gid);
    await handle.chmod(mode);
    if (times !== null) await handle.utimes(seconds(times.atime), seconds(times.mtime));
    await handle.sync();
  } catch (error) {
    await handle.close();
    await unlinkIfThere(path);
    throw error;
  }
  await handle.close();
}

export const seconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;

/** The message of an error without Node's own decoration of call and path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^([A-Z]+): (.*), \w+( '.*)?$/s, '$2 ($1)');
}
