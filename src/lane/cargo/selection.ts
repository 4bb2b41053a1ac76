/** From a lane and a workspace to what cargo is asked for. */
import { didYouMean } from '../../spec/distance.js';
import type { CargoLane, CargoTarget } from '../../spec/model.js';
import { err, ok, type Result } from '../../result.js';
import type { LaneProblem } from '../lane.js';
import { featureArguments, featureArgumentsOf } from './features.js';
import { kindOf } from './ids.js';
import type { Package, Target, Workspace } from './metadata.js';

/** What of a workspace a lane builds and runs. */
export interface CargoSelection {
  readonly packages: readonly Package[];
  /** `-p jail`, `--workspace`; empty: cargo's own choice. */
  readonly packageArguments: readonly string[];
  /** `--lib`, `--test NAME`; empty: nothing but documentation tests. */
  readonly targetArguments: readonly string[];
  /** Features, profile and the lane's own arguments for cargo. */
  readonly buildArguments: readonly string[];
  /** What the lane gives after `--`, to each test executable. */
  readonly testArguments: readonly string[];
  /** Packages whose documentation tests are run, each by itself. */
  readonly doctests: readonly DocPackage[];
}

export interface DocPackage extends Pick<Package, 'name'> {
  /** As `buildArguments` of the selection, with the features that this package can be asked for. */
  readonly buildArguments: readonly string[];
}

export const DEFAULT_TARGETS: readonly CargoTarget[] = ['lib', 'bins', 'tests'];

/** @param unnamed packages that cargo takes in the lane's folder where none is named */
export function selectTargets(
  lane: CargoLane,
  workspace: Workspace,
  unnamed: readonly Package[],
): Result<CargoSelection, LaneProblem> {
  const { cargoArguments, testArguments } = splitArguments(lane.args);
  const refused = refusedArgument(cargoArguments);
  if (refused !== null) return err(refused);
  const { whole, rest } = splitWorkspace(cargoArguments);
  const packages =
    whole.length === 0
      ? packagesOf(lane, workspace, unnamed)
      : ok(wholeWorkspace(whole, workspace));
  if (!packages.ok) return packages;
  const wrong = unknownFeature(lane, packages.value) ?? unknownTest(lane, packages.value);
  if (wrong !== null) return err(wrong);
  const asked = lane.targets.length === 0 ? DEFAULT_TARGETS : lane.targets;
  const targetArguments = targetArgumentsOf(asked, packages.value);
  const doctests = asked.includes('doc')
    ? packages.value.filter(({ targets }) => targets.some(({ doctest }) => doctest))
    : [];
  if (targetArguments.length === 0 && doctests.length === 0) {
    const names = packages.value.map(({ name }) => name).join(', ');
    return err({
      message: `nothing to test: ${names} ${packages.value.length === 1 ? 'has' : 'have'} no target of ${asked.join(', ')}`,
      hint: 'Name other `packages` or `targets` in the lane.',
    });
  }
  return ok({
    packages: packages.value,
    packageArguments: whole.length === 0 ? lane.packages.flatMap((name) => ['-p', name]) : whole,
    targetArguments,
    buildArguments: [...featureArguments(lane), ...profileArguments(lane), ...rest],
    testArguments,
    doctests: doctests.map((each) => ({
      name: each.name,
      buildArguments: [
        ...featureArgumentsOf(lane, each, packages.value),
        ...profileArguments(lane),
        ...rest,
      ],
    })),
  });
}

/** What would send the build elsewhere, add what is not known, or take away what is read of it. */
const REFUSED: Readonly<Record<string, string>> = {
  '--target-dir': 'A lane builds in a folder of its own, which it shares with nobody.',
  '-p': 'Name it under `packages` in the lane.',
  '--package': 'Name it under `packages` in the lane.',
  '--manifest-path': 'Name the folder of the workspace with `cwd` in the lane.',
  '--message-format': 'Cargo is asked for JSON.',
  '--no-run': 'A lane builds first, and runs what was built.',
};

function refusedArgument(args: readonly string[]): LaneProblem | null {
  for (const word of args) {
    const option = word.split('=')[0] ?? word;
    const hint = REFUSED[option];
    if (hint !== undefined) return { message: `\`${option}\` cannot be among \`args\``, hint };
  }
  return null;
}

/**
 * What asks for the whole workspace (`--workspace --exclude NAME`), which outweighs `-p` for
 * cargo: it would run the documentation tests of every package as those of each.
 *
 * @returns `whole` is empty where nothing asks for it
 */
function splitWorkspace(args: readonly string[]): {
  readonly whole: readonly string[];
  readonly rest: readonly string[];
} {
  const isWhole = (word: string, at: number): boolean =>
    ['--workspace', '--all', '--exclude'].includes(word) ||
    word.startsWith('--exclude=') ||
    args[at - 1] === '--exclude';
  const whole = args.filter(isWhole);
  return whole.includes('--workspace') || whole.includes('--all')
    ? { whole, rest: args.filter((word, at) => !isWhole(word, at)) }
    : { whole: [], rest: args };
}

function wholeWorkspace(args: readonly string[], { packages }: Workspace): readonly Package[] {
  const excluded = new Set(
    args.flatMap((word, at) => {
      if (word === '--exclude') return [args[at + 1] ?? ''];
      return word.startsWith('--exclude=') ? [word.slice('--exclude='.length)] : [];
    }),
  );
  return packages.filter(({ name }) => !excluded.has(name));
}

function packagesOf(
  lane: CargoLane,
  { packages }: Workspace,
  unnamed: readonly Package[],
): Result<readonly Package[], LaneProblem> {
  if (lane.packages.length === 0) return ok(unnamed);
  const names = packages.map(({ name }) => name);
  for (const name of lane.packages) {
    if (names.includes(name)) continue;
    return err({
      message: `there is no package \`${name}\` in this workspace`,
      hint: didYouMean(name, names) ?? `Its packages are ${names.join(', ')}.`,
    });
  }
  return ok(packages.filter(({ name }) => lane.packages.includes(name)));
}

/** Features of dependencies (`dep/feature`) are cargo's to know. */
function unknownFeature(
  { features: asked }: CargoLane,
  packages: readonly Package[],
): LaneProblem | null {
  const features = packages.flatMap((each) => each.features);
  const unknown = asked.find((name) => !name.includes('/') && !features.includes(name));
  if (unknown === undefined) return null;
  const names = packages.map(({ name }) => name).join(', ');
  const all = features.length === 0 ? 'It has none.' : `There are ${features.join(', ')}.`;
  return {
    message: `there is no feature \`${unknown}\` in ${names}`,
    hint: didYouMean(unknown, features) ?? all,
  };
}

function unknownTest({ targets }: CargoLane, packages: readonly Package[]): LaneProblem | null {
  const known = packages.flatMap((each) => ofKind(each, 'test').map(({ name }) => name));
  const unknown = namedTests(targets).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const names = packages.map(({ name }) => name).join(', ');
  const all =
    known.length === 0 ? 'There is none at all.' : `There are ${[...new Set(known)].join(', ')}.`;
  return {
    message: `there is no integration test \`${unknown}\` in ${names}`,
    hint: didYouMean(unknown, new Set(known)) ?? all,
  };
}

const namedTests = (targets: readonly CargoTarget[]): readonly string[] =>
  targets.flatMap((target) => (target.startsWith('test:') ? [target.slice('test:'.length)] : []));

const ofKind = ({ targets }: Package, kind: 'lib' | 'bin' | 'test'): readonly Target[] =>
  targets.filter((target) => {
    const own = kindOf(target.kind);
    return own === kind || (kind === 'lib' && own === 'proc-macro');
  });

/**
 * `--tests` means every target with `test = true`, libraries and binaries among them, and so
 * do `--bins` leave out in silence what needs a feature. A pattern does neither: cargo refuses
 * it and names the feature.
 */
function targetArgumentsOf(
  asked: readonly CargoTarget[],
  packages: readonly Package[],
): readonly string[] {
  const libraries = packages.flatMap((each) => ofKind(each, 'lib')).filter(({ test }) => test);
  const named = new Set(namedTests(asked));
  return [
    ...(asked.includes('lib') && libraries.length > 0 ? ['--lib'] : []),
    ...(asked.includes('bins') ? patterns(packages, 'bin', new Set()) : []),
    ...(asked.includes('tests')
      ? patterns(packages, 'test', named)
      : [...named].flatMap((name) => ['--test', name])),
  ];
}

/** `*` where cargo tests all of them by itself, otherwise each by its name. */
function patterns(
  packages: readonly Package[],
  kind: 'bin' | 'test',
  also: ReadonlySet<string>,
): readonly string[] {
  const all = packages.flatMap((each) => ofKind(each, kind));
  const wanted = all.filter(({ name, test }) => test || also.has(name));
  if (wanted.length === 0) return [];
  if (wanted.length === all.length) return [`--${kind}`, '*'];
  return [...new Set(wanted.map(({ name }) => name))].flatMap((name) => [`--${kind}`, name]);
}

/** The same with the targets that probe files are the source of, where it does not build them yet. */
export function withProbes(selection: CargoSelection, probes: readonly string[]): CargoSelection {
  const { packages, targetArguments } = selection;
  const targets = packages
    .flatMap((each) => each.targets)
    .filter(({ source }) => probes.includes(source));
  const more = targets.flatMap(({ kind, name }): readonly string[] => {
    const own = kindOf(kind);
    if (own !== 'test' && own !== 'bin') return [];
    const isBuilt = targetArguments.some(
      (word, at) => word === `--${own}` && ['*', name].includes(targetArguments[at + 1] ?? ''),
    );
    return isBuilt ? [] : [`--${own}`, name];
  });
  return more.length === 0
    ? selection
    : { ...selection, targetArguments: [...targetArguments, ...more] };
}

const profileArguments = ({ profile }: CargoLane): readonly string[] =>
  profile === null ? [] : ['--profile', profile];

function splitArguments(args: readonly string[]): {
  readonly cargoArguments: readonly string[];
  readonly testArguments: readonly string[];
} {
  const dashes = args.indexOf('--');
  return dashes === -1
    ? { cargoArguments: args, testArguments: [] }
    : { cargoArguments: args.slice(0, dashes), testArguments: args.slice(dashes + 1) };
}
