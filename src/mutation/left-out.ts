/** Whether what an edit changes may be no part of the build, and a source that finds it out. */
import { changedCode } from './changed-code.js';
import type { LocatedEdit } from './edit.js';
import { languageOf } from './language.js';
import { splitLines } from './lines.js';
import { toLocatedEdit } from './located.js';
import { gatesOf, type Gate } from './rust-gates.js';
import { parseRust } from './rust-tree.js';

/** A version of the file that does not compile if any of what the edit changes in it is compiled. */
export interface Marked {
  readonly edit: LocatedEdit;
  /** What may leave the code out, as a clause for people. */
  readonly why: string;
}

/**
 * The file before the edit and after it, each with a mark in whatever the edit changes there;
 * a version in which it changes no code is left out. If none of them fails to compile over its
 * mark, nothing of the edit is in the build.
 *
 * @returns empty: what the edit changes is compiled where its file is, or that cannot be asked
 */
export function markedVersions({ path, before, after }: LocatedEdit): readonly Marked[] {
  if (before === null || after === null || languageOf(path)?.name !== 'Rust') return [];
  const versions = [marked(before, after), marked(after, before)];
  if (versions.includes('compiled')) return [];
  return versions
    .filter((each) => each !== 'compiled' && each !== 'no code')
    .map(({ bytes, why }) => ({ edit: toLocatedEdit(path, before, bytes), why }));
}

function marked(
  version: Buffer,
  other: Buffer,
): { readonly bytes: Buffer; readonly why: string } | 'compiled' | 'no code' {
  const tree = parseRust(version);
  const gates = gatesOf(tree, changedCode(splitLines(version), splitLines(other)));
  if (gates === null) return 'compiled';
  if (gates.length === 0) return 'no code';
  const places = [...new Map(gates.map((gate) => [gate.at, gate])).values()];
  const bytes = withMarks(version, places);
  // In a source that the parser does not understand no mark has a sure place.
  if (tree.errors > 0 || parseRust(bytes).errors > 0) return 'compiled';
  return { bytes, why: [...new Set(places.map(({ why }) => why))].join('; ') };
}

function withMarks(version: Buffer, gates: readonly Gate[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, mark } of gates.toSorted((a, b) => a.at - b.at)) {
    parts.push(version.subarray(from, at), Buffer.from(mark, 'latin1'));
    from = at;
  }
  return Buffer.concat([...parts, version.subarray(from)]);
}
