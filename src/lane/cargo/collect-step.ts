/** What a lane selects, found out without running a test. */
import type { Ending } from '../../proof/evidence.js';
import type { Collection } from '../lane.js';
import { selectionOf, testId } from './collect.js';
import { listBinaries, listDocs, listIgnored } from './groups.js';
import { refusalOf } from './refusal.js';
import type { Step } from './step.js';

export async function collectStep(step: Step): Promise<Collection> {
  const refused = refusalOf(step.request);
  if (refused !== null) return nothingCollected(refused);
  const listed = await listBinaries(step);
  const docs = listed === 'cancelled' ? 'cancelled' : await listDocs(step);
  if (listed === 'cancelled' || docs === 'cancelled')
    return nothingCollected({ kind: 'cancelled' });
  const groups = [...listed.binaries, ...docs.groups];
  const errors = [...listed.errors, ...docs.errors];
  const selection = selectionOf(groups);
  const notes: string[] = [];
  for (const { binary, id, selected } of listed.binaries) {
    const ignored = new Set(step.options.ignored === 'left' ? await listIgnored(step, binary) : []);
    for (const name of selected)
      if (ignored.has(name)) notes.push(`${testId(id, name)} is ignored`);
  }
  return {
    ending: selectionEnding(selection.selected, selection.deselected.length, errors),
    ids: groups.flatMap(({ id, selected }) => selected.map((name) => testId(id, name))),
    selection,
    collectionErrors: errors,
    notes,
  };
}

/** Of a run or a collection that nothing ended early. */
export function selectionEnding(
  selected: number,
  deselected: number,
  errors: Collection['collectionErrors'],
): Ending {
  if (selected > 0) return { kind: 'complete' };
  if (errors.length > 0) return { kind: 'broken', causes: errors };
  const why =
    deselected > 0
      ? `none of ${String(deselected)} tests has the filter in its name`
      : 'the targets of the lane hold no test';
  return { kind: 'empty', deselected, why };
}

export const nothingCollected = (ending: Ending): Collection => ({
  ending,
  ids: [],
  selection: selectionOf([]),
  collectionErrors: [],
  notes: [],
});
