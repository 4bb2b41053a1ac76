/** All edits of a set are looked at before any is written, whatever workspace they land in. */
import type { Edit } from '../mutation/edit.js';
import { err, ok, type Result } from '../result.js';
import { inspect, type PlannedEdit } from './inspect.js';
import type { ApplyProblem } from './workspace.js';

/** @param standing tree-relative paths that are taken already */
export async function planEdits(
  edits: readonly Edit[],
  context: Parameters<typeof inspect>[2],
  standing: ReadonlySet<string>,
): Promise<Result<readonly PlannedEdit[], ApplyProblem>> {
  if (edits.length === 0) return err({ path: '', why: 'there is no edit' });
  const planned: PlannedEdit[] = [];
  const taken = new Set(standing);
  for (const [index, edit] of edits.entries()) {
    const inspected = await inspect(edit, index, context);
    if (!inspected.ok) return err({ path: edit.path, why: inspected.error });
    const { path } = inspected.value.record;
    if (taken.has(path)) return err({ path: edit.path, why: 'it is mutated already' });
    taken.add(path);
    planned.push(inspected.value);
  }
  return ok(planned);
}
