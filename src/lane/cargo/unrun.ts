/** Tests that may notice an edit of a file, and that the lane does not run. */
import { readFile } from 'node:fs/promises';
import type { Unrun } from '../../proof/evidence.js';
import type { CargoLane } from '../../spec/model.js';
import { mayHoldDoctests } from '../../spec/rust-doctests.js';
import { createResolver, crateOf, dependentsOf, type Crate } from './dependents.js';
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

/**
 * Whether a library may have documentation tests is found out once: it needs all of its files.
 *
 * @param cwd absolute folder in which cargo is started
 */
export function createUnrunFinder(
  lane: Pick<CargoLane, 'targets' | 'where'>,
  cwd: string,
  env: Readonly<Record<string, string>>,
): FindUnrun {
  const resolve = createResolver(cwd, env);
  const known = new Map<string, Promise<boolean>>();
  const mayHave = (each: Package, units: readonly Unit[]): Promise<boolean> => {
    const before = known.get(each.id);
    if (before !== undefined) return before;
    const asked = hasDoctests(each, units);
    known.set(each.id, asked);
    return asked;
  };

  return async (file, { workspace, selection, units }) => {
    const { packages } = workspace;
    const resolved = await resolve(workspace);
    const own = await crateOf(file, packages, resolved);
    if (own === null) return [];
    const concerned = [
      ...packages.filter(({ manifest }) => manifest === own.manifest),
      ...dependentsOf(own, packages, resolved),
    ];
    const isIn = ({ id }: Package): boolean => selection.packages.some((each) => each.id === id);
    const withDoc = new Set(selection.doctests.map(({ name }) => name));
    const quiet = concerned.filter((each) => isIn(each) && !withDoc.has(each.name));
    const documented = await Promise.all(quiet.map((each) => mayHave(each, units)));
    const doctests = quiet.filter((_, index) => documented[index] === true);
    const others = concerned.filter((each) => !isIn(each));
    return [
      ...(doctests.length === 0 ? [] : [unrunDoctests(doctests, lane)]),
      ...(others.length === 0 ? [] : [unrunPackages(others, own, selection, lane.where)]),
    ];
  };
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
  packages: readonly Package[],
  { targets, where }: Pick<CargoLane, 'targets' | 'where'>,
): Unrun {
  const all = [...(targets.length === 0 ? DEFAULT_TARGETS : targets), 'doc'].join(', ');
  return {
    tests: `doctests of ${list(packages)}`,
    why: `there may be some, and the lane has no \`doc\` (\`targets: [${all}]\` in ${placeOf(where)} runs them)`,
  };
}

const placeOf = (where: CargoLane['where']): string =>
  where === null ? 'a lane of counterproof.yaml' : 'the lane';

function unrunPackages(
  others: readonly Package[],
  own: Crate,
  { packages, packageArguments }: CargoSelection,
  where: CargoLane['where'],
): Unrun {
  const apart = others.filter(({ manifest }) => manifest !== own.manifest);
  const one = apart.length === 1;
  const why =
    apart.length === 0
      ? 'it is not in the lane'
      : `${one ? 'it depends' : 'they depend'} on ${own.name}, and ${one ? 'is' : 'are'} not in the lane`;
  const names = [...packages, ...others].map(({ name }) => name).join(', ');
  const way = packageArguments.some((word) => word === '--workspace' || word === '--all')
    ? `\`--exclude\` in \`args\` leaves ${others.length === 1 ? 'it' : 'them'} out`
    : `\`-- --workspace\` behind \`try\` and \`prove\`, or \`packages: [${names}]\` in ${placeOf(where)}, runs them`;
  return { tests: `tests of ${list(others)}`, why: `${why} (${way})` };
}

const MOST_NAMED = 5;

function list(packages: readonly Package[]): string {
  const shown = packages.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = packages.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}
