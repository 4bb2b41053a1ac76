import { notKeptYet } from '../prove/keep.js';
import type { Proving } from '../prove/proving.js';
import { areImplicit } from '../spec/implicit-lanes.js';
import { loadSpecs } from '../spec/load.js';
import type { LaneConfig } from '../spec/model.js';
import { printMessage } from './output.js';
import type { OpenedProject, PlaceOptions } from './project.js';
import { saveWhatHolds } from './save.js';

export interface KeepOrder {
  /** Spec file, from where the person stands. */
  readonly path: string;
  readonly proof: Proving;
  readonly lane: LaneConfig;
  readonly project: OpenedProject;
  readonly options: PlaceOptions;
}

/** What is held goes into a spec; what is in one already stays as it is there. */
export async function keep({ path, proof, lane, project, options }: KeepOrder): Promise<void> {
  const { root, tree, cwd, config } = project;
  const specs = await loadSpecs({ root, tree, cwd, config, arguments: [] });
  const stored = specs.ok ? specs.value.mutations : [];
  const { mutations, hunks, problems } = proof.kept({
    lane: areImplicit(config.lanes) && config.lanes.length === 1 ? null : lane.name,
    taken: new Set(stored.map(({ id }) => id)),
  });
  for (const problem of problems) printMessage(`Not written: ${problem}\n`);
  const fresh = notKeptYet(mutations, stored);
  if (fresh.length === 0) {
    printMessage(
      mutations.length === 0
        ? `Nothing is held, so nothing was written to ${path}\n`
        : `All that is held is kept in a spec already; nothing was written to ${path}\n`,
    );
    return;
  }
  const notSaved = await saveWhatHolds(path, fresh, project, options);
  for (const { mutation, faults } of notSaved)
    for (const { message, hint } of faults)
      printMessage(
        `Not written: hunk ${hunks.get(mutation.id) ?? mutation.id}: ${message}${hint === null ? '' : `. ${hint}`}\n`,
      );
  const refused = new Set(notSaved.map(({ mutation }) => mutation));
  const saved = fresh.filter((mutation) => !refused.has(mutation));
  if (saved.length > 0) printMessage(`Kept in ${path}: ${saved.map(({ id }) => id).join(', ')}\n`);
}
