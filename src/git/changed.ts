/** What differs between two states of the tree: which files, and which of their lines. */
import { isUtf8 } from 'node:buffer';
import { err, ok, type Result } from '../result.js';
import { git, type GitProblem, splitNames } from './run.js';

/** 0-based lines of the old and the new file, `to` exclusive; without a line between, a run. */
export interface LineRun {
  readonly old: { readonly from: number; readonly to: number };
  readonly fresh: { readonly from: number; readonly to: number };
}

export type EntryKind = 'file' | 'link' | 'submodule';

export interface ChangedFile {
  /** Tree-relative; null: the file is new. */
  readonly oldPath: string | null;
  /** Tree-relative; null: the file is gone. */
  readonly path: string | null;
  readonly oldKind: EntryKind | null;
  readonly kind: EntryKind | null;
  readonly modeChanged: boolean;
  /** Maximal runs of changed lines; empty for binary files, and where the content is the same. */
  readonly runs: readonly LineRun[];
  readonly isBinary: boolean;
}

/** Files whose name is not UTF-8: they are only counted. */
export interface Changed {
  readonly files: readonly ChangedFile[];
  readonly notUtf8: number;
}

/** Settings of the user's that would change how a difference is told. */
const PLAIN = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--ignore-submodules=none',
  '--submodule=short',
  '--histogram',
  '--find-renames=60%',
] as const;

const RUNS = ['--patch', '--unified=0', '--inter-hunk-context=0'] as const;

/**
 * @param from commit or tree.
 * @param to commit; null: the working tree. Files that git does not track are not in it.
 */
export async function changedFiles(
  dir: string,
  from: string,
  to: string | null,
): Promise<Result<Changed, GitProblem>> {
  const states = to === null ? [from] : [from, to];
  const raw = await git(dir, ['diff', ...PLAIN, '--raw', '-z', ...states, '--']);
  if (!raw.ok) return raw;
  const patch = await git(dir, ['diff', ...PLAIN, ...RUNS, ...states, '--']);
  if (!patch.ok) return patch;
  const entries = readRaw(raw.value);
  const sections = readPatch(patch.value);
  const files: ChangedFile[] = [];
  let notUtf8 = 0;
  let section = 0;
  for (const entry of entries) {
    // A file that became a link (or the reverse) is told as a deletion and a creation.
    const parts = entry.status === 'T' ? 2 : 1;
    const told = sections.slice(section, section + parts);
    section += parts;
    if (!isUtf8(entry.from) || !isUtf8(entry.to)) {
      notUtf8 += 1;
      continue;
    }
    files.push(fileOf(entry, told));
  }
  return section === sections.length
    ? ok({ files, notUtf8 })
    : err({ kind: 'failed', message: 'git told other files in its patch than in its list' });
}

interface RawEntry {
  readonly oldMode: string;
  readonly mode: string;
  readonly status: string;
  readonly from: Buffer;
  readonly to: Buffer;
}

function readRaw(output: Buffer): readonly RawEntry[] {
  const fields = splitNames(output);
  const entries: RawEntry[] = [];
  for (let at = 0; at < fields.length;) {
    const [oldMode = '', mode = '', , , score = ''] = (fields[at] ?? Buffer.alloc(0))
      .toString('latin1')
      .replace(/^:/, '')
      .split(' ');
    const status = score.slice(0, 1);
    const from = fields[at + 1] ?? Buffer.alloc(0);
    const isTwo = status === 'R' || status === 'C';
    const to = isTwo ? (fields[at + 2] ?? from) : from;
    at += isTwo ? 3 : 2;
    // A path with a conflict is listed twice; the state on disk is the second one.
    if (status !== 'U') entries.push({ oldMode, mode, status, from, to });
  }
  return entries;
}

interface Section {
  readonly runs: readonly LineRun[];
  readonly isBinary: boolean;
}

function readPatch(output: Buffer): readonly Section[] {
  const sections: { runs: LineRun[]; isBinary: boolean }[] = [];
  for (const line of output.toString('latin1').split('\n')) {
    if (line.startsWith('diff --git ')) sections.push({ runs: [], isBinary: false });
    const current = sections.at(-1);
    if (current === undefined) continue;
    if (/^Binary files .* differ$/s.test(line)) current.isBinary = true;
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (header !== null)
      current.runs.push({ old: span(header[1], header[2]), fresh: span(header[3], header[4]) });
  }
  return sections;
}

/** git names the line before an empty side, and counts from 1. */
function span(start: string | undefined, count: string | undefined): LineRun['old'] {
  const length = count === undefined ? 1 : Number(count);
  const from = length === 0 ? Number(start) : Number(start) - 1;
  return { from, to: from + length };
}

function fileOf(
  { oldMode, mode, status, from, to }: RawEntry,
  told: readonly Section[],
): ChangedFile {
  const oldKind = status === 'A' ? null : kindOf(oldMode);
  const kind = status === 'D' ? null : kindOf(mode);
  return {
    oldPath: status === 'A' ? null : from.toString('utf8'),
    path: status === 'D' ? null : to.toString('utf8'),
    oldKind,
    kind,
    modeChanged: oldKind === 'file' && kind === 'file' && oldMode !== mode,
    runs: told.length === 1 ? (told[0]?.runs ?? []) : [],
    isBinary: told.some(({ isBinary }) => isBinary),
  };
}

function kindOf(mode: string): EntryKind {
  if (mode === '120000') return 'link';
  return mode === '160000' ? 'submodule' : 'file';
}
