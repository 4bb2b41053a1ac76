/** Where runs are kept: `.counterproof/runs/STAMP/`, or the folder that `--out` names. */
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Result, err, ok } from '../result.js';
import { jsonPieces } from './json-pieces.js';
import type { RunRecord } from './schema.js';
import { newestFirst, pidOf, runStamp } from './stamp.js';

export const RECORD_FILE = 'record.json';
export const EVENTS_FILE = 'events.jsonl';

const KEPT_RUNS = 20;
/** What stands beside the record while it is written; a run that is killed meanwhile leaves it. */
const PARTIAL_RECORD = /^record\.json\.\d+\.partial$/;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface RunFolder {
  /** Absolute. Logs go below it, `record.json` and `events.jsonl` into it. */
  readonly path: string;
  /** null: the folder was named by `--out`. */
  readonly stamp: string | null;
}

export interface StoreProblem {
  readonly message: string;
  readonly hint: string | null;
}

export interface OpenRequest {
  /** Absolute path of the tree's top. */
  readonly tree: string;
  /** `--out`, absolute; null: the runs folder. */
  readonly out: string | null;
  readonly startedAt: Date;
  readonly pid: number;
}

/** Absolute path of the folder that holds the runs of a tree. */
export function runsFolder(tree: string): string {
  return join(tree, '.counterproof', 'runs');
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}

/** Answers false where a file or folder of that name stands already. */
async function created(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Makes the folder of a new run and removes runs beyond the last 20. With `out`, a record and
 * events of an earlier run in that folder go first: a killed run must not show the last one's.
 */
export async function openRunFolder(
  request: OpenRequest,
): Promise<Result<RunFolder, StoreProblem>> {
  const target = request.out ?? runsFolder(request.tree);
  try {
    await mkdir(target, { recursive: true });
    if (request.out !== null) {
      const partial = (await readdir(target)).filter((name) => PARTIAL_RECORD.test(name));
      for (const name of [RECORD_FILE, EVENTS_FILE, ...partial])
        await rm(join(target, name), { force: true });
      return ok({ path: target, stamp: null });
    }
    const ignore = join(request.tree, '.counterproof', '.gitignore');
    await created(() => writeFile(ignore, '*\n', { flag: 'wx' }));
    const stamp = await newStamp(target, runStamp(request.startedAt, request.pid));
    await pruneRuns(target, { keep: KEPT_RUNS, now: request.startedAt, isAlive });
    return ok({ path: join(target, stamp), stamp });
  } catch (error) {
    return err({
      message: `Cannot write to ${target}: ${error instanceof Error ? error.message : String(error)}`,
      hint: '--out DIR keeps the record elsewhere',
    });
  }
}

async function newStamp(runs: string, stamp: string): Promise<string> {
  for (let again = 1; ; again += 1) {
    const name = again === 1 ? stamp : `${stamp}-${again}`;
    if (await created(() => mkdir(join(runs, name)))) return name;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

export interface PruneRules {
  /** How many of the newest runs stay. */
  readonly keep: number;
  readonly now: Date;
  readonly isAlive: (pid: number) => boolean;
}

/**
 * Removes the oldest runs, never one that may still be running: its pid is alive, or it has no
 * record and is younger than a day (a run in another pid namespace has a pid that says nothing
 * here). Folders whose name is no stamp are somebody else's, and stay.
 */
export async function pruneRuns(runs: string, rules: PruneRules): Promise<string[]> {
  const removed: string[] = [];
  for (const stamp of (await stampsIn(runs)).slice(rules.keep)) {
    const folder = join(runs, stamp);
    if (rules.isAlive(pidOf(stamp) ?? 0)) continue;
    const hasRecord = (await readdir(folder)).includes(RECORD_FILE);
    const age = rules.now.getTime() - (await stat(folder)).mtimeMs;
    if (!hasRecord && age < DAY_MS) continue;
    await rm(folder, { recursive: true, force: true });
    removed.push(stamp);
  }
  return removed;
}

async function stampsIn(runs: string): Promise<string[]> {
  const entries = await readdir(runs, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return newestFirst(names.filter((name) => pidOf(name) !== null));
}

/** Stamps of the runs of a tree that left a record, newest first. */
export async function listRuns(tree: string): Promise<string[]> {
  const runs = runsFolder(tree);
  const stamps: string[] = [];
  for (const stamp of await stampsIn(runs)) {
    const names = await readdir(join(runs, stamp));
    if (names.includes(RECORD_FILE)) stamps.push(stamp);
  }
  return stamps;
}

/**
 * The record as it stands in `record.json` and as `--json` prints it, piece by piece: for 10,000
 * mutations its text is as large as all that a run holds.
 */
export const recordPieces = (record: RunRecord): Iterable<string> => jsonPieces(record);

/** The same in one text. */
export const recordText = (record: RunRecord): string => [...recordPieces(record)].join('');

/**
 * Writes `record.json` whole or not at all, in a folder that may have been taken away meanwhile.
 * Answers its absolute path.
 */
export async function writeRecord(
  folder: string,
  record: RunRecord,
): Promise<Result<string, StoreProblem>> {
  const path = join(folder, RECORD_FILE);
  try {
    await mkdir(folder, { recursive: true });
    await writeAtomic(path, recordPieces(record));
    return ok(path);
  } catch (error) {
    return err({
      message: `Cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`,
      hint: '--out DIR keeps the record elsewhere, --json prints it',
    });
  }
}

/** On disk beside it before it takes its name. By hand, as write-file-atomic takes no pieces. */
async function writeAtomic(path: string, pieces: Iterable<string>): Promise<void> {
  const beside = `${path}.${process.pid}.partial`;
  try {
    await writeFile(beside, pieces, { flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Candidates for what a person may mean: a file, a folder with a record, a run's stamp, `last`. */
async function placesOf(name: string, tree: string): Promise<string[]> {
  const path = resolve(name);
  const places = [path, join(path, RECORD_FILE)];
  if (/^[\w-]+$/.test(name)) {
    const stamp = name === 'last' ? (await listRuns(tree))[0] : name;
    if (stamp !== undefined) places.push(join(runsFolder(tree), stamp, RECORD_FILE));
  }
  return places;
}

/** Finds the record that `name` means and answers its absolute path and text. */
export async function findRecord(
  name: string,
  tree: string,
): Promise<Result<{ readonly path: string; readonly text: string }, StoreProblem>> {
  for (const path of await placesOf(name, tree)) {
    try {
      return ok({ path, text: await readFile(path, 'utf8') });
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'ENOTDIR') {
        return err({ message: `Cannot read ${path}: ${code ?? String(error)}`, hint: null });
      }
    }
  }
  const runs = await listRuns(tree);
  return err({
    message: `No record at ${name}.`,
    hint:
      runs.length === 0
        ? 'there is no finished run here yet'
        : `runs here, newest first: ${runs.slice(0, 3).join(', ')}`,
  });
}
