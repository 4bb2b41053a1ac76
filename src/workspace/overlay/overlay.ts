/** The workspace in which edits land in an overlay: the user's tree is its read-only lower layer. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Edit } from '../../mutation/edit.js';
import { err, ok, type Result } from '../../result.js';
import { checksum } from '../checksum.js';
import type { PlannedEdit } from '../inspect.js';
import { mountPoints } from '../mounts.js';
import { planEdits } from '../plan-edits.js';
import { oneAfterAnother } from '../serial.js';
import { sumsOf } from '../sums.js';
import type { AppliedFile, ApplyProblem, RestoreOutcome, Workspace } from '../workspace.js';
import { land, type LandedEdit } from './land.js';
import { LAYER_NAMES } from './layers.js';
import { isOverlay, openLayerStack, OverlayFailed } from './layer-stack.js';
import { isEmpty } from './upper.js';
import { assertUntouched, selfTest } from './works.js';
import { writtenFiles } from './written.js';

export interface OverlayOptions {
  /** The tree's top: real and absolute. An overlay is mounted over it, whose upper layer is `u0`. */
  readonly tree: string;
  /** The slot's own folder of layers; absolute. */
  readonly layers: string;
}

interface StandingEdits {
  readonly label: string;
  readonly landed: readonly LandedEdit[];
  /** They lie in a layer of the stack: a fresh upper one takes nothing of them away. */
  readonly kept: boolean;
}

/** Only in a slot whose first process is `OVERLAY_SCRIPT`. */
export async function openOverlay(options: OverlayOptions): Promise<Result<Workspace, string>> {
  const { tree, layers } = options;
  const real = join(layers, LAYER_NAMES.lower);
  if (!(await isOverlay(tree))) return err('no overlay lies over the tree');
  const opened = await openLayerStack({ tree, layers, real });
  if (!opened.ok) return opened;
  const stack = opened.value;
  const serial = oneAfterAnother();
  const newest = new Map<string, bigint>();
  const notes = new Set<string>();
  let edits: StandingEdits | null = null;
  let probes: { readonly paths: readonly string[] } | null = null;
  /** A layer as when it was mounted, with what stands in it. */
  const freshen = async (): Promise<boolean> => {
    const inUpper = edits?.kept === false ? edits : null;
    if (!(await stack.freshen())) return false;
    if (inUpper === null) return true;
    const landed: LandedEdit[] = [];
    for (const each of inUpper.landed) {
      const again = await land(tree, each.planned, newest, each.time);
      if (!again.ok)
        throw new OverlayFailed(`${each.planned.edit.path} cannot land again: ${again.error}`);
      landed.push(again.value);
    }
    edits = { ...inUpper, landed };
    return true;
  };

  const plan = (wanted: readonly Edit[]): Promise<Result<readonly PlannedEdit[], ApplyProblem>> => {
    const nonce = randomBytes(4).toString('hex');
    return planEdits(
      wanted,
      { tree, id: nonce, nonce, mounts: mountPoints() },
      new Set(probes?.paths),
    );
  };

  /** Takes the whole set away again where one edit cannot land. */
  const put = async (
    planned: readonly PlannedEdit[],
  ): Promise<Result<readonly LandedEdit[], ApplyProblem>> => {
    const landed: LandedEdit[] = [];
    for (const each of planned) {
      for (const note of each.notes) notes.add(note);
      const result = await land(tree, each, newest);
      if (result.ok) {
        landed.push(result.value);
        continue;
      }
      await stack.drop('upper alone');
      return err({ path: each.edit.path, why: result.error });
    }
    return ok(landed);
  };

  /** The bytes on disk decide, also here: the tree below may have been written to meanwhile. */
  const lookAtRestored = async (files: readonly LandedEdit[]): Promise<RestoreOutcome> => {
    const found = await Promise.all(
      files.map(async ({ planned: { record } }) => ({
        path: record.path,
        before: record.before,
        sha256: await checksum(join(tree, record.path)),
      })),
    );
    const outcome = found.map(({ path, sha256 }) => ({ path, sha256 }));
    const changed = found.filter(({ before, sha256 }) => before !== sha256);
    if (changed.length === 0) return { kind: 'restored', files: outcome };
    return { kind: 'changed', files: outcome, changed: changed.map(({ path }) => path) };
  };

  const works = await selfTest(tree, real);
  if (works !== null) {
    await stack.close();
    return err(works);
  }
  stack.use();
  await freshen();

  return ok({
    isolation: 'overlay',
    apply: (label, wanted) =>
      serial(async () => {
        if (edits !== null) {
          const why = `the edits of ${edits.label} are still in place`;
          return err({ path: wanted[0]?.path ?? '', why });
        }
        await freshen();
        const planned = await plan(wanted);
        if (!planned.ok) return planned;
        const landed = await put(planned.value);
        if (!landed.ok) return landed;
        edits = { label, landed: landed.value, kept: false };
        await stack.mark();
        await assertUntouched(real, planned.value);
        return ok(appliedFiles(planned.value));
      }),
    restore: () =>
      serial(async () => {
        if (edits === null) return { kind: 'restored', files: [] };
        const { landed } = edits;
        edits = null;
        await stack.drop('restore');
        return lookAtRestored(landed);
      }),
    place: (files) =>
      serial(async () => {
        if (files.length === 0) return ok(undefined);
        await freshen();
        const planned = await plan(
          files.map((it) => ({ path: it.path, before: null, after: it.content })),
        );
        if (!planned.ok) return planned;
        const landed = await put(planned.value);
        if (!landed.ok) return landed;
        probes = { paths: planned.value.map(({ record }) => record.path) };
        await stack.keepUpper('unplace');
        return ok(undefined);
      }),
    unplace: () =>
      serial(async () => {
        if (probes === null) return { kind: 'restored', files: [] };
        const { paths } = probes;
        probes = null;
        await stack.drop('unplace');
        const sums = await sumsOf(tree, paths);
        const files = paths.map((path) => ({ path, sha256: sums.get(path) ?? null }));
        const changed = files.filter(({ sha256 }) => sha256 !== null).map(({ path }) => path);
        return changed.length === 0
          ? { kind: 'restored', files }
          : { kind: 'changed', files, changed };
      }),
    fresh: () =>
      serial(async () => {
        const dropped = await freshen();
        stack.use();
        return dropped;
      }),
    settled: () => serial(() => stack.mark()),
    freeze: (made) =>
      serial(async () => {
        if (await isEmpty(stack.upper())) return;
        const ofProbes = made === 'built' && probes !== null;
        await stack.keepUpper(edits !== null ? 'restore' : ofProbes ? 'unplace' : 'end');
        if (edits !== null) edits = { ...edits, kept: true };
        // Whoever asked goes on at once.
        stack.use();
      }),
    written: () =>
      serial(async () => {
        if (await isEmpty(stack.upper())) return [];
        const views = { now: tree, before: await stack.below(), upper: stack.upper() };
        const own = new Set(edits?.landed.map(({ planned }) => planned.record.path));
        return (await writtenFiles(views)).filter((path) => !own.has(path));
      }),
    sums: (paths) => serial(() => sumsOf(tree, paths)),
    notes: () => [...notes],
  });
}

const appliedFiles = (planned: readonly PlannedEdit[]): readonly AppliedFile[] =>
  planned.map(({ edit, record }) => ({
    path: edit.path,
    baseline: record.before,
    mutated: record.after,
  }));
