/** Taking parts of changed files back: the files as they are without them. */
import type { FileStates, Part, Span } from './file-change.js';
import { type Lines, splitLines, startOf, terminatorNear } from './lines.js';

/** A file as it lies, and as it is to be. Paths are relative to the tree. */
export interface TakenFile {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

/** The files that differ without these parts, which all can be taken back. In the order of their paths. */
export function takePartsBack(parts: readonly Part[]): readonly TakenFile[] {
  const byFile = new Map<FileStates, Part[]>();
  for (const part of parts) byFile.set(part.file, [...(byFile.get(part.file) ?? []), part]);
  return [...byFile]
    .flatMap(([file, own]) => withoutParts(file, own))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function withoutParts(file: FileStates, parts: readonly Part[]): readonly TakenFile[] {
  const { path, oldPath, before, now } = file;
  const whole = parts.find(({ kind }) => kind !== 'lines');
  switch (whole?.kind) {
    case 'created':
      return [{ path, before: now, after: null }];
    case 'deleted':
      return [{ path, before: null, after: before }];
    case 'replaced':
      return [{ path, before: now, after: before }];
    default:
      break;
  }
  if (now === null) throw new Error(`Internal error: ${path} is not on disk`);
  const spliced = withoutLines(file, now, parts);
  if (whole?.kind !== 'renamed' || oldPath === null) return [{ path, before: now, after: spliced }];
  return [
    { path, before: now, after: null },
    { path: oldPath, before: null, after: spliced },
  ];
}

/** Puts the old lines back in the places of the fresh ones. */
function withoutLines({ before }: FileStates, now: Buffer, parts: readonly Part[]): Buffer {
  const places: { old: Span; now: Span }[] = [];
  for (const part of parts)
    if (part.kind === 'lines' && part.now !== null) places.push({ old: part.old, now: part.now });
  if (places.length === 0) return now;
  if (before === null) throw new Error('Internal error: changed lines of a file without a past');
  const [current, past] = [splitLines(now), splitLines(before)];
  const pieces: Buffer[] = [];
  const add = (bytes: Buffer, line: number): void => {
    const last = pieces.at(-1);
    // The last line of a file may have no end; in the middle of one it needs it.
    if (last !== undefined && bytes.length > 0 && last.at(-1) !== 0x0a)
      pieces.push(Buffer.from(terminatorNear(current, line)));
    if (bytes.length > 0) pieces.push(bytes);
  };
  let done = 0;
  for (const place of places.toSorted((a, b) => a.now.from - b.now.from)) {
    add(now.subarray(done, offsetOf(current, place.now.from)), place.now.from);
    const taken = [offsetOf(past, place.old.from), offsetOf(past, place.old.to)] as const;
    add(before.subarray(...taken), place.now.from);
    done = offsetOf(current, place.now.to);
  }
  add(now.subarray(done), current.count);
  return Buffer.concat(pieces);
}

/** A byte order mark goes with the first line. */
const offsetOf = (lines: Lines, line: number): number => (line === 0 ? 0 : startOf(lines, line));
