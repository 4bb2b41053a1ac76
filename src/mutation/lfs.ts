const POINTER = Buffer.from('version https://git-lfs.github.com/spec/v1\n');

/** Whether these bytes only say where Git LFS keeps the file. */
export const isLfsPointer = (bytes: Buffer): boolean =>
  bytes.subarray(0, POINTER.length).equals(POINTER);
