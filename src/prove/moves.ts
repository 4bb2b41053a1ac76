/** Lines that a fix took away in one place and put in another. */
import type { Part } from '../mutation/file-change.js';
import { contentOf, displayText, splitLines } from '../mutation/lines.js';
import type { Change } from './fix.js';

type Unnumbered = Omit<Change, 'id'>;

/** Fewer lines with fewer letters (`continue`, `import os`) may be alike by chance. */
const TELLING_LINES = 3;
const TELLING_LETTERS = 30;

/**
 * Lines that were taken away in one place and put in another are one change: either half alone
 * would leave them twice, or nowhere. Only a change that does nothing but take lines away and one
 * that does nothing but add just these, deeper or less deep, are halves of a move: whatever else
 * they did would be measured by what notices the other half.
 */
export function joinMoves(changes: readonly Unnumbered[]): readonly Unnumbered[] {
  const halves = changes.flatMap((change) => {
    const half = halfOf(change);
    return half === null ? [] : [half];
  });
  const joined = new Map<Unnumbered, Unnumbered>();
  const gone = new Set<Unnumbered>();
  const isFree = ({ change }: Half): boolean => !joined.has(change) && !gone.has(change);
  for (const half of halves) {
    if (!isFree(half)) continue;
    const other = halves.find((each) => isFree(each) && isMoveOf(half, each));
    if (other === undefined) continue;
    joined.set(half.change, both(half.change, other.change));
    gone.add(other.change);
  }
  return changes.flatMap((change) => (gone.has(change) ? [] : [joined.get(change) ?? change]));
}

interface Half {
  readonly change: Unnumbered;
  readonly side: 'old' | 'fresh';
  readonly text: string;
}

const isMoveOf = (a: Half, b: Half): boolean =>
  a.side !== b.side && a.text === b.text && a.change.class === b.change.class;

function both(a: Unnumbered, b: Unnumbered): Unnumbered {
  const parts = [...a.parts, ...b.parts].toSorted(byPlace);
  return {
    ...a,
    parts,
    scope: parts[0] === a.parts[0] ? a.scope : b.scope,
    obstacle: a.obstacle ?? b.obstacle,
  };
}

function byPlace(a: Part, b: Part): number {
  if (a.file.path !== b.file.path) return a.file.path < b.file.path ? -1 : 1;
  return a.kind === 'lines' && b.kind === 'lines' ? a.fresh.from - b.fresh.from : 0;
}

/** null: it both takes away and adds, or too little to tell by. */
function halfOf(change: Unnumbered): Half | null {
  const [part, ...others] = change.parts;
  if (part?.kind !== 'lines' || others.length > 0) return null;
  if (change.class !== 'source' && change.class !== 'support') return null;
  const { before, after } = part.file;
  const [removed, added] = [part.old.to - part.old.from, part.fresh.to - part.fresh.from];
  if ((removed === 0) === (added === 0)) return null;
  const side = removed > 0 ? 'old' : 'fresh';
  const bytes = side === 'old' ? before : after;
  if (bytes === null) return null;
  const lines = splitLines(bytes);
  const { from, to } = part[side];
  const all = Array.from({ length: to - from }, (_, at) =>
    displayText(contentOf(lines, from + at)).trimEnd(),
  );
  const filled = all.filter((line) => line !== '');
  const letters = filled.join('').replaceAll(/[^\p{L}\p{N}]/gu, '').length;
  if (filled.length < TELLING_LINES && letters < TELLING_LETTERS) return null;
  return { change, side, text: withoutCommonIndent(all) };
}

/** Blank lines around them do not move with them. */
function withoutCommonIndent(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== '');
  const own = lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
  const indents = own
    .filter((line) => line !== '')
    .map((line) => line.slice(0, line.length - line.trimStart().length));
  const common = indents.reduce((a, b) => {
    let length = 0;
    while (length < a.length && a[length] === b[length]) length += 1;
    return a.slice(0, length);
  });
  return own.map((line) => line.slice(common.length)).join('\n');
}
