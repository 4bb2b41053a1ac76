/** What programs load of their files: debug information, which every byte of a source changes, left out. */
import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { createFileMemory } from './file-memory.js';
import type { Artifact } from './messages.js';

/** One sum over all programs of a build; null: one of them is of a kind that nobody reads here. */
export type ImageReader = (artifacts: readonly Artifact[]) => Promise<string | null>;

/** What is no program by itself: rustc links it into one, or it lies beside one. */
const NO_PROGRAM = /\.(?:rlib|rmeta|a|lib|d|dwp|dSYM|pdb)$/;

/**
 * Equal sums: whatever the build was made from, the same code is run on the same data. Measured
 * with rustc 1.95, with debug information and incremental builds: text that a macro drops leaves
 * the sum as it was, as long as all lines and columns after it stay where they are.
 */
export function createImageReader(): ImageReader {
  const imageOf = createFileMemory(readImage);
  return async (artifacts) => {
    const files = [...new Set(artifacts.flatMap(programsOf))].toSorted();
    const hash = createHash('sha256');
    for (const file of files) {
      const image = await imageOf(file);
      if (image === null) return null;
      hash.update(`${file}\0${image}\0`);
    }
    return hash.digest('hex');
  };
}

const programsOf = ({ files, executable }: Artifact): readonly string[] =>
  [...files, ...(executable === null ? [] : [executable])].filter((file) => !NO_PROGRAM.test(file));

const ALLOCATED = 2n;
const NO_BITS = 8;
/** A sum of the whole file. */
const BUILD_ID = '.note.gnu.build-id';

interface Section {
  readonly name: number;
  readonly type: number;
  readonly flags: bigint;
  readonly address: bigint;
  readonly offset: number;
  readonly size: number;
}

/** @returns null: it is no ELF file of 64 bits, or has no table of sections */
export async function readImage(file: string): Promise<string | null> {
  const handle = await open(file);
  try {
    const sections = await sectionsOf(handle);
    if (sections === null) return null;
    const hash = createHash('sha256');
    for (const { name, section } of sections) {
      const { type, flags, address, offset, size } = section;
      if ((flags & ALLOCATED) === 0n || name === BUILD_ID) continue;
      hash.update(`${name}\0${type} ${flags} ${address} ${size}\0`);
      if (type !== NO_BITS) hash.update(await bytesOf(handle, offset, size));
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

const HEADER_SIZE = 64;
const IS_ELF64_LITTLE = Buffer.from('\x7fELF\x02\x01', 'latin1');

async function sectionsOf(
  handle: FileHandle,
): Promise<readonly { readonly name: string; readonly section: Section }[] | null> {
  const header = await bytesOf(handle, 0, HEADER_SIZE);
  if (header.length < HEADER_SIZE || !header.subarray(0, 6).equals(IS_ELF64_LITTLE)) return null;
  const [entry, count, names] = [58, 60, 62].map((at) => header.readUInt16LE(at)) as [
    number,
    number,
    number,
  ];
  if (entry !== HEADER_SIZE || count === 0) return null;
  const table = await bytesOf(handle, Number(header.readBigUInt64LE(40)), entry * count);
  if (table.length < entry * count) return null;
  const sections = Array.from({ length: count }, (_, index) => sectionAt(table, index * entry));
  const strings = sections[names];
  if (strings === undefined) return null;
  const text = await bytesOf(handle, strings.offset, strings.size);
  return sections.map((section) => ({
    section,
    name: text.toString('latin1', section.name, text.indexOf(0, section.name)),
  }));
}

const sectionAt = (table: Buffer, at: number): Section => ({
  name: table.readUInt32LE(at),
  type: table.readUInt32LE(at + 4),
  flags: table.readBigUInt64LE(at + 8),
  address: table.readBigUInt64LE(at + 16),
  offset: Number(table.readBigUInt64LE(at + 24)),
  size: Number(table.readBigUInt64LE(at + 32)),
});

/** Fewer where the file ends before. */
async function bytesOf(handle: FileHandle, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, offset + filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
}
