/** The write-ahead journal, in two places: what is in it can be brought back, whatever happens. */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readContent } from './checksum.js';
import { err, ok, type Result } from '../result.js';
import { codeOf, look, reasonOf, syncFolder, unlinkIfThere, writeNew } from './durable.js';
import { encodeEntry, isSame } from './entry.js';
import type { FileIdentity, JournalEntry, JournalledFile } from './entry.js';
import { drop, ENTRY, namesIn, readEntry, sweepFolders, UNFINISHED } from './journal-folder.js';
import { OWN_FOLDER } from './names.js';
import { prepareOwnFolder } from './own-folder.js';
import { refusalOf } from './refusal.js';
import { isOwn, stateFolders } from './state-folder.js';

/** Called before each thing that is done to a disk, with its name; tests stop or fail there. */
export type Step = (name: string) => void | Promise<void>;

export interface Recorded {
  readonly entry: JournalEntry;
  /**
   * The tree's own journal is the one it was, and lacks this entry: the set of edits was not
   * begun, or is restored. Somebody may also have emptied that folder, so this alone never
   * keeps a mutant in place.
   */
  readonly probablyOver: boolean;
  /** Only outside, and the tree's folder is not the one it was: it may belong to an earlier clone. */
  readonly otherTree: boolean;
}

export interface JournalContent {
  /** Newest first: the order in which they are undone. */
  readonly entries: readonly Recorded[];
  /** Absolute paths of entries that cannot be used and have no good twin in the other place. */
  readonly damaged: readonly { readonly path: string; readonly why: string }[];
}

export interface Journal {
  readonly tree: string;
  readonly notes: readonly string[];
  /**
   * Puts an entry and the originals' bytes on disk in both places, durably. The error says why
   * the tree's own journal could not be written; then nothing of the entry is left.
   */
  write(entry: JournalEntry, originals: ReadonlyMap<string, Buffer>): Promise<Result<void, string>>;
  read(): Promise<JournalContent>;
  /** The original's bytes, from the first place whose copy still has the recorded sum. */
  original(file: JournalledFile): Promise<{ readonly path: string; readonly bytes: Buffer } | null>;
  /** Forgets an entry. Only for one whose files were verified. */
  remove(id: string): Promise<void>;
  /** Takes away what an interrupted `write` or `remove` left. Only under the lock. */
  sweep(): Promise<void>;
}

export interface JournalOptions {
  readonly tree: string;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  readonly onStep?: Step | undefined;
}

/** Identity of a folder now, for later comparison; null: it is not there. */
export async function folderIdentity(path: string): Promise<FileIdentity | null> {
  const there = await look(path);
  return there === null ? null : { ino: String(there.ino), born: String(there.birthtimeNs) };
}

/** The tree's own journal folder. */
export const journalFolder = (tree: string): string => join(tree, OWN_FOLDER, 'journal');

/** Opens the journal of a tree (a real, absolute path). Makes no folder until something is written. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { tree, onStep: step = () => undefined } = options;
  const inTree = journalFolder(tree);
  const outside = stateFolders(tree, options.environment);
  const notes: string[] = [];
  const note = (text: string): void => {
    if (!notes.includes(text)) notes.push(text);
  };
  const readable = async (): Promise<string[]> => {
    const folders = [inTree];
    for (const folder of outside.candidates) if (await isOwn(folder)) folders.push(folder);
    return folders;
  };

  /** All bytes on disk, at once so that the file system syncs them together; not yet named. */
  async function prepare(
    folder: string,
    entry: JournalEntry,
    originals: ReadonlyMap<string, Buffer>,
  ): Promise<void> {
    const attributes = { mode: 0o600, owner: null, times: null };
    const write = async (name: string, bytes: Buffer): Promise<void> => {
      await step(`journal write ${name}`);
      await writeNew(join(folder, name), bytes, attributes);
    };
    await allDone([
      write(`${entry.id}${UNFINISHED}`, encodeEntry(entry)),
      ...[...originals].map(([name, bytes]) => write(name, bytes)),
    ]);
  }

  /** The first place outside the tree that takes the entry; null: none does. */
  async function prepareOutside(
    entry: JournalEntry,
    originals: ReadonlyMap<string, Buffer>,
  ): Promise<string | null> {
    for (const folder of outside.candidates) {
      let why = await outside.problem(folder);
      try {
        if (why === null) {
          await prepare(folder, entry, originals);
          return folder;
        }
      } catch (error) {
        if (codeOf(error) === null) throw error;
        await drop(folder, entry.id);
        why = reasonOf(error);
      }
      note(`no copy of the originals in ${folder}: ${why}`);
    }
    note('the originals are kept in the tree alone: git clean -xfd would take them');
    return null;
  }

  async function giveName(folder: string, id: string): Promise<void> {
    await step('journal name');
    await rename(join(folder, `${id}${UNFINISHED}`), join(folder, `${id}${ENTRY}`));
  }

  async function sync(folder: string): Promise<void> {
    await step('journal sync');
    if ((await look(folder)) !== null) await syncFolder(folder);
  }

  /** The tree's own entry goes first: one that is outside alone is over. */
  async function forget(id: string): Promise<void> {
    const folders = await readable();
    for (const folder of folders) {
      await step('journal remove');
      await unlinkIfThere(join(folder, `${id}${ENTRY}`));
    }
    await allDone(folders.map(sync));
    for (const folder of folders) await drop(folder, id);
  }

  return {
    tree,
    notes,
    async write(entry, originals) {
      const own = await prepareOwnFolder(tree);
      if (!own.ok) return own;
      try {
        if ((await mkdir(inTree, { recursive: true })) !== undefined) await syncFolder(own.value);
        const recorded = { ...entry, journalIdentity: await folderIdentity(inTree) };
        const [elsewhere] = await allDone([
          prepareOutside(recorded, originals),
          prepare(inTree, recorded, originals).then(() => inTree),
        ]);
        // Outside first: an entry that is there alone, beside an unchanged folder, has not begun.
        const folders = elsewhere == null ? [inTree] : [elsewhere, inTree];
        for (const folder of folders) await giveName(folder, entry.id);
        await allDone(folders.map(sync));
        return ok(undefined);
      } catch (error) {
        if (codeOf(error) === null) throw error;
        await forget(entry.id).catch(() => undefined);
        return err(`the journal in ${inTree} cannot be written: ${refusalOf(error, inTree)}`);
      }
    },
    async read() {
      const found = new Map<string, { entry: JournalEntry; outside: boolean; inTree: boolean }>();
      const unusable = new Map<string, { path: string; why: string }>();
      for (const folder of await readable()) {
        for (const name of await namesIn(folder)) {
          if (!name.endsWith(ENTRY)) continue;
          const id = name.slice(0, -ENTRY.length);
          const read = await readEntry(join(folder, name), id);
          if (!read.ok) {
            unusable.set(id, { path: join(folder, name), why: read.error });
            continue;
          }
          const entry = read.value;
          const known = found.get(id);
          found.set(id, {
            // The one outside the tree cannot have come with a clone.
            entry,
            inTree: folder === inTree || known?.inTree === true,
            outside: folder !== inTree || known?.outside === true,
          });
        }
      }
      const now = await folderIdentity(inTree);
      const top = await look(tree);
      const entries = [...found.values()].map((it): Recorded => ({
        entry: it.entry,
        probablyOver:
          !it.inTree && !unusable.has(it.entry.id) && sameFolder(it.entry.journalIdentity, now),
        otherTree: !it.inTree && (top === null || !isSame(it.entry.treeIdentity, top)),
      }));
      entries.sort((a, b) => (a.entry.id < b.entry.id ? 1 : -1));
      const damaged = [...unusable].filter(([id]) => !found.has(id)).map(([, it]) => it);
      return { entries, damaged };
    },
    async original(file) {
      if (file.copy === null) return null;
      for (const folder of await readable()) {
        const path = join(folder, file.copy);
        const content = await readContent(path);
        if (content?.sha256 === file.before) return { path, bytes: content.bytes };
      }
      return null;
    },
    remove: forget,
    sweep: async () => sweepFolders(await readable()),
  };
}

const sameFolder = (recorded: FileIdentity | null, now: FileIdentity | null): boolean =>
  recorded !== null &&
  now !== null &&
  recorded.born !== '0' &&
  recorded.ino === now.ino &&
  recorded.born === now.born;

/** Like `Promise.all`, but nothing is still at work when it throws. */
async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  for (const it of settled) if (it.status === 'rejected') throw it.reason;
  return settled.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
}
