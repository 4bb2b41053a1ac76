import { stat } from 'node:fs/promises';

/** What was read of a file, read anew only where it was written since. */
export function createFileMemory<T>(
  read: (file: string) => Promise<T>,
): (file: string) => Promise<T> {
  const known = new Map<string, { readonly identity: string; readonly value: T }>();
  return async (file) => {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    const identity = [ino, size, mtimeNs, ctimeNs].join(' ');
    const before = known.get(file);
    if (before?.identity === identity) return before.value;
    const value = await read(file);
    known.set(file, { identity, value });
    return value;
  };
}
