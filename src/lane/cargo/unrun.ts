/** Tests that may notice an edit of a file, and that the lane does not run. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Unrun } from '../../proof/evidence.js';
import type { CargoLane } from '../../spec/model.js';
import { mayHoldDoctests } from '../../spec/rust-doctests.js';
import { kindOf } from './ids.js';
import type { Package, Workspace } from './metadata.js';
import { DEFAULT_TARGETS, type CargoSelection } from './selection.js';
import type { Unit } from './units.js';

export interface UnrunPlace {
  readonly workspace: Workspace;
  readonly selection: CargoSelection;
  readonly units: readonly Unit[];
}

/** @param file absolute, symlinks resolved */
export type FindUnrun = (file: string, place: UnrunPlace) => Promise<readonly Unrun[]>;

/** Whether a library may have documentation tests is found out once: it needs all of its files. */
export function createUnrunFinder(lane: Pick<CargoLane, 'targets' | 'where'>): FindUnrun {
  const known = new Map<string, Promise<boolean>>();
  const mayHave = (each: Package, units: readonly Unit[]): Promise<boolean> => {
    const before = known.get(each.id);
    if (before !== undefined) return before;
    const asked = hasDoctests(each, units);
    known.set(each.id, asked);
    return asked;
  };

  return async (file, { workspace, selection, units }) => {
    const own = packageOf(file, workspace.packages);
    if (own === null) return [];
    const isIn = selection.packages.some(({ id }) => id === own.id);
    const areRun = selection.doctests.some(({ name }) => name === own.name);
    return isIn && !areRun && (await mayHave(own, units)) ? [unrunDoctests(own, lane)] : [];
  };
}

/** The innermost member whose folder holds the file. */
export function packageOf(file: string, packages: readonly Package[]): Package | null {
  const holders = packages.filter(({ manifest }) =>
    file.startsWith(`${path.dirname(manifest)}${path.sep}`),
  );
  const [nearest] = holders.toSorted((a, b) => b.manifest.length - a.manifest.length);
  return nearest ?? null;
}

async function hasDoctests(
  { manifest, targets }: Package,
  units: readonly Unit[],
): Promise<boolean> {
  const library = targets.find(({ kind, doctest }) => doctest && isLibrary(kind));
  if (library === undefined) return false;
  const files = new Set(
    units
      .filter(({ artifact }) => artifact.manifest === manifest && isLibrary(artifact.target.kind))
      .flatMap(({ inputs }) => [...inputs])
      .filter((file) => /\.(rs|md|markdown)$/i.test(file)),
  );
  for (const file of files)
    if (mayHoldDoctests(file, await readFile(file, 'utf8').catch(() => ''))) return true;
  return false;
}

function isLibrary(kinds: readonly string[]): boolean {
  const kind = kindOf(kinds);
  return kind === 'lib' || kind === 'proc-macro';
}

function unrunDoctests(
  { name }: Package,
  { targets, where }: Pick<CargoLane, 'targets' | 'where'>,
): Unrun {
  const all = [...(targets.length === 0 ? DEFAULT_TARGETS : targets), 'doc'].join(', ');
  return {
    tests: `doctests of ${name}`,
    why: `there may be some, and the lane has no \`doc\` (\`targets: [${all}]\` in ${placeOf(where)} runs them)`,
  };
}

const placeOf = (where: CargoLane['where']): string =>
  where === null ? 'a lane of counterproof.yaml' : 'the lane';
