/** Whether anything of a mutation that moved nothing is in the build. */
import type { LocatedEdit } from '../mutation/edit.js';
import { markedVersions, type Marked } from '../mutation/left-out.js';
import { raiseAt } from '../mutation/reach.js';
import { macrosAround } from '../mutation/rust-macros.js';
import { twinsOf, type Twins } from '../mutation/twins.js';
import { comparedBuilds, isLeftOut, withoutLoad, type Compared } from '../proof/left-out.js';
import type { StepEvidence } from '../proof/evidence.js';
import { unreachable } from '../result.js';
import { runInstead, type Asking } from './instead.js';

/**
 * Takes the load proof from a file of which the edit changes nothing that is in the build. Asks
 * only of code that a `cfg` or a macro may leave out.
 */
export async function measureCompiled(asking: Asking): Promise<void> {
  const { draft, edits } = asking;
  for (const edit of edits) {
    const others = edits.filter((each) => each !== edit);
    const why = (await whyLeftOut(asking, edit)) ?? (await whyDropped(asking, edit, others));
    if (why === null) continue;
    if (draft.mutated === null) return;
    draft.mutated = withoutLoad(draft.mutated, edit.path, why);
    return;
  }
}

/** A source that does not compile if the code is in it is built, and run as far as it can be built. */
async function whyLeftOut(asking: Asking, edit: LocatedEdit): Promise<string | null> {
  const versions = markedVersions(edit);
  if (versions.length === 0 || !(await areLeftOut(asking, versions))) return null;
  const why = [...new Set(versions.map((each) => each.why))].join('; ');
  return `the edited code is not compiled here: ${why}`;
}

async function areLeftOut(asking: Asking, versions: readonly Marked[]): Promise<boolean> {
  const { context, lane, draft } = asking;
  for (const { edit } of versions) {
    if (context.stop.reason() !== null || lane.baseline === null) return false;
    const run = await runInstead(asking, `${draft.mutation.id} (cfg)`, [edit]);
    if (!run.ok || !isLeftOut(run.value, lane.baseline, edit.path)) return false;
  }
  return true;
}

/**
 * What a macro is given may be compiled, read, counted or dropped; only the programs tell. Built
 * before the edit and after it, and before it once more, without running a test.
 */
async function whyDropped(
  asking: Asking,
  edit: LocatedEdit,
  others: readonly LocatedEdit[],
): Promise<string | null> {
  const macros = macrosAround(edit);
  if (macros.length === 0) return null;
  const place = `what it changes stands in ${macros.join(', ')}`;
  const compared = await compare(asking, twinsOf(edit), others);
  switch (compared) {
    case 'stopped':
    case 'differ':
      return null;
    case 'equal':
      return (await isUnlinked(asking, edit))
        ? null
        : `no program of the build differs by it: ${place}`;
    case 'unknown':
      return `whether it is compiled cannot be told here: ${place}`;
    default:
      return unreachable(compared);
  }
}

/** Nothing that is linked calls the function around it, so that no edit of it shows in a program. */
async function isUnlinked(asking: Asking, edit: LocatedEdit): Promise<boolean> {
  const raise = raiseAt(edit);
  return raise.ok && (await compare(asking, twinsOf(raise.value), [])) === 'equal';
}

async function compare(
  asking: Asking,
  twins: Twins | null,
  others: readonly LocatedEdit[],
): Promise<Compared | 'stopped'> {
  if (twins === null) return 'unknown';
  const runs: StepEvidence[] = [];
  for (const twin of [twins.before, twins.after, twins.before]) {
    if (asking.context.stop.reason() !== null) return 'stopped';
    const run = await runInstead(
      asking,
      `${asking.draft.mutation.id} (macro)`,
      [twin, ...others],
      [],
    );
    if (!run.ok) return 'stopped';
    runs.push(run.value);
    const compared = comparedBuilds(runs, twin.path);
    if (compared !== null) return compared;
  }
  return 'unknown';
}
