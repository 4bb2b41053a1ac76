/** Flips that come about because the mutant's own text names something that does not exist. */
import type { EditSpec } from '../spec/model.js';
import { foreignAttribute, missingName } from './missing-name.js';

interface Red {
  readonly at: string | null;
  readonly message: string | null;
}

const HEAD = 'By a name alone: ';

/** Whether a note is one of `ownNameNote`. */
export const isOwnNameNote = (note: string): boolean => note.startsWith(HEAD);

/**
 * A slip in a mutant fails wherever it is run, whatever the test asserts. That is said only where
 * every failure is raised on a line that the edit adds, by a name that it brings in. Commits
 * bring back what was code once, so that such a failure is how that code behaved.
 *
 * @param red every test that went red
 * @param patch unified diff of the edit
 * @returns a sentence; null: some failure is about something else
 */
export function ownNameNote(
  red: readonly Red[],
  patch: string | null,
  edits: readonly EditSpec[],
): string | null {
  if (patch === null || red.length === 0 || edits.some(isOfCommit)) return null;
  const lines = changedLines(patch);
  const names = new Set<string>();
  for (const failure of red) {
    const name = ownName(failure, lines);
    if (name === null) return null;
    names.add(name);
  }
  const list = [...names].map((name) => `\`${name}\``).join(', ');
  const [test, it] = red.length === 1 ? ['the test fails', 'it'] : ['the tests fail', 'they'];
  return `${HEAD}${test} because the edit's own text names ${list}, which does not exist; ${it} would fail whatever the line did.`;
}

const isOfCommit = ({ kind }: EditSpec): boolean =>
  kind === 'revert' || kind === 'apply' || kind === 'from';

interface ChangedLines {
  readonly removed: readonly string[];
  /** By `path:line` in the edited file. */
  readonly added: ReadonlyMap<string, string>;
}

function ownName({ at, message }: Red, { removed, added }: ChangedLines): string | null {
  const missing = missingName(message);
  const missed = missing === null ? foreignAttribute(message) : missing.name;
  if (missed === null || at === null || missing?.kind === 'argument') return null;
  const line = added.get(at) ?? [...added].find(([place]) => place.endsWith(`/${at}`))?.[1];
  const names = (text: string): boolean => wordsOf(text).includes(missed);
  return line !== undefined && names(line) && !removed.some(names) ? missed : null;
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

function changedLines(patch: string): ChangedLines {
  const removed: string[] = [];
  const added = new Map<string, string>();
  let [path, line, left] = ['', 0, 0];
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -\d+(?:,(?<old>\d+))? \+(?<from>\d+)(?:,(?<fresh>\d+))? @@/.exec(
      text,
    )?.groups;
    if (hunk !== undefined) {
      line = Number(hunk['from']);
      left = Number(hunk['old'] ?? 1) + Number(hunk['fresh'] ?? 1);
    } else if (left <= 0) {
      path = /^\+\+\+ (?:b\/)?(?<path>[^\t]*)/.exec(text)?.groups?.['path'] ?? path;
    } else if (text.startsWith('-')) {
      removed.push(text.slice(1));
      left -= 1;
    } else if (text.startsWith('+')) {
      added.set(`${path}:${line}`, text.slice(1));
      line += 1;
      left -= 1;
    } else if (!text.startsWith('\\')) {
      line += 1;
      left -= 2;
    }
  }
  return { removed, added };
}
