/** The workspace in which edits land in the user's own tree. */
import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type { Edit } from '../mutation/edit.js';
import { err, ok, type Result } from '../result.js';
import { reasonOf } from './durable.js';
import type { JournalEntry } from './entry.js';
import type { PlannedEdit } from './inspect.js';
import { folderIdentity, openJournal, type Step } from './journal.js';
import { keeper as openKeeper } from './kept.js';
import { land } from './land.js';
import { mountPoints } from './mounts.js';
import { identify, type ProcessIdentity } from './owner.js';
import { prepareOwnFolder } from './own-folder.js';
import { planEdits } from './plan-edits.js';
import { oneAfterAnother } from './serial.js';
import { sumsOf } from './sums.js';
import { undo } from './undo.js';
import type { AppliedFile, ApplyProblem, RestoreOutcome, Workspace } from './workspace.js';

export interface InPlaceOptions {
  /** The tree's top: absolute. */
  readonly tree: string;
  readonly runId: string;
  /** The process that is answerable for what is applied; by default this one. */
  readonly owner?: ProcessIdentity;
  readonly environment?: NodeJS.ProcessEnv;
  readonly onStep?: Step;
}

export interface InPlaceProblem {
  readonly why: string;
  readonly hint: string | null;
}

type Kind = JournalEntry['kind'];

interface Standing {
  readonly entry: JournalEntry;
  /** `certain` once every file of the set stood and was read back. */
  landed: 'certain' | 'unknown';
  readonly done: Set<string>;
}

/**
 * Call with the tree's lock held. Refuses a tree whose journal is not empty: `recover` first.
 * Calls on the workspace are done one after another, so that a `restore` from a signal handler
 * waits for the `apply` that it interrupts.
 */
export async function openInPlace(
  options: InPlaceOptions,
): Promise<Result<Workspace, InPlaceProblem>> {
  const { runId, owner = identify(), onStep: step = () => undefined } = options;
  let tree: string;
  try {
    tree = await realpath(options.tree);
    if (!(await stat(tree)).isDirectory()) return err({ why: `${tree} is no folder`, hint: null });
  } catch (error) {
    return err({ why: `${options.tree} cannot be used: ${reasonOf(error)}`, hint: null });
  }
  const own = await prepareOwnFolder(tree);
  if (!own.ok) return err({ why: own.error, hint: null });
  const journal = await openJournal({ tree, environment: options.environment, onStep: step });
  const { entries, damaged } = await journal.read();
  if (entries.length + damaged.length > 0) {
    return err({
      why: `an earlier run left edits in ${tree}`,
      hint: 'counterproof recover puts them back',
    });
  }

  const notes = new Set<string>();
  const note = (text: string): void => void notes.add(text);
  const keeper = openKeeper(tree);
  const newest = new Map<string, bigint>();
  let edits: Standing | null = null;
  let probes: Standing[] = [];
  let number = 0;

  async function put(
    kind: Kind,
    label: string,
    wanted: readonly Edit[],
  ): Promise<Result<readonly AppliedFile[], ApplyProblem>> {
    const nonce = randomBytes(4).toString('hex');
    // Sorts by age: entries are undone newest first.
    const id = `${Date.now()}-${String(++number).padStart(6, '0')}-${nonce}`;
    const planned = await planEdits(
      wanted,
      { tree, id, nonce, mounts: mountPoints() },
      standingPaths(),
    );
    if (!planned.ok) return planned;
    const entry: JournalEntry = {
      version: 1,
      id,
      kind,
      runId,
      label,
      at: new Date().toISOString(),
      tree,
      treeIdentity: (await folderIdentity(tree)) ?? { ino: '0', born: '0' },
      journalIdentity: null,
      owner,
      files: planned.value.map((it) => it.record),
    };
    const written = await journal.write(entry, originalsOf(planned.value));
    if (!written.ok) return err({ path: wanted[0]?.path ?? '', why: written.error });
    const standing: Standing = { entry, landed: 'unknown', done: new Set() };
    if (kind === 'edits') edits = standing;
    else probes.push(standing);
    for (const it of planned.value) {
      for (const text of it.notes) note(text);
      const landed = await land(it, { tree, step, note, newest });
      if (landed.ok) continue;
      const undone = await takeBack(standing);
      const problem = { path: it.edit.path, why: landed.error };
      return err(undone.kind === 'restored' ? problem : { ...problem, undone });
    }
    standing.landed = 'certain';
    return ok(
      planned.value.map(({ edit, record }) => ({
        path: edit.path,
        baseline: record.before,
        mutated: record.after,
      })),
    );
  }

  async function takeBack(standing: Standing): Promise<RestoreOutcome> {
    const { entry, landed, done } = standing;
    const outcome = await undo(entry, { journal, keeper, step, note, landed, done });
    if (outcome.kind === 'failed') return outcome;
    if (edits === standing) edits = null;
    probes = probes.filter((it) => it !== standing);
    return outcome;
  }

  const standingPaths = (): ReadonlySet<string> =>
    new Set(
      [...probes, ...(edits === null ? [] : [edits])].flatMap((it) =>
        it.entry.files.map((file) => file.path),
      ),
    );

  const serial = oneAfterAnother();
  return ok({
    isolation: 'in-place',
    fresh: () => Promise.resolve(false),
    settled: () => Promise.resolve(),
    freeze: () => Promise.resolve(),
    written: () => Promise.resolve([]),
    apply: (label, wanted) =>
      serial(async () => {
        if (edits === null) return put('edits', label, wanted);
        const why = `the edits of ${edits.entry.label} are still in place`;
        return err({ path: wanted[0]?.path ?? '', why });
      }),
    restore: () =>
      serial(() =>
        edits === null ? Promise.resolve({ kind: 'restored', files: [] }) : takeBack(edits),
      ),
    place: (files) =>
      serial(async () => {
        if (files.length === 0) return ok(undefined);
        const wanted = files.map((it) => ({ path: it.path, before: null, after: it.content }));
        const placed = await put('probes', 'probe files', wanted);
        return placed.ok ? ok(undefined) : placed;
      }),
    unplace: () =>
      serial(async () => {
        const outcomes: RestoreOutcome[] = [];
        for (const standing of probes.toReversed()) outcomes.push(await takeBack(standing));
        return merged(outcomes);
      }),
    sums: (paths) => serial(() => sumsOf(tree, paths)),
    notes: () => [...notes, ...journal.notes],
  });
}

function originalsOf(planned: readonly PlannedEdit[]): ReadonlyMap<string, Buffer> {
  const originals = new Map<string, Buffer>();
  for (const { record, edit } of planned) {
    if (record.copy !== null && edit.before !== null) originals.set(record.copy, edit.before);
  }
  return originals;
}

/** One outcome of several: the worst kind, with the files of all. */
export function merged(outcomes: readonly RestoreOutcome[]): RestoreOutcome {
  const failed = outcomes.find((it) => it.kind === 'failed');
  if (failed !== undefined) return failed;
  const files = outcomes.flatMap((it) => (it.kind === 'failed' ? [] : it.files));
  const kept = outcomes.flatMap((it) => (it.kind === 'kept' ? it.kept : []));
  return kept.length > 0 ? { kind: 'kept', files, kept } : { kind: 'restored', files };
}
