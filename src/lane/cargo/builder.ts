/** Keeps the builds of a lane in step with the tree: what was written, and what cargo made of it. */
import type { Ending, LoadEvidence } from '../../proof/evidence.js';
import { err, ok, type Result } from '../../result.js';
import type { LaneProblem, LoadTarget } from '../lane.js';
import type { ProcessEnd } from '../process.js';
import { createSumReader, testBinaries } from './binaries.js';
import { broken, configure, type Build } from './build.js';
import { createLaunchKeeper, type Launches } from './launches.js';
import type { Ledger } from './ledger.js';
import type { Artifact } from './messages.js';
import type { TestBinary } from './model.js';
import type { Project } from './project.js';
import { whyNoInput } from './reasons.js';
import { isOlder } from './times.js';
import { createUnitReader, type Unit } from './units.js';
import type { FindUnrun } from './unrun.js';
import { createWrites, type Pending } from './writes.js';

/** What stands built, and is what the tree holds. */
export interface Built extends Launches {
  readonly project: Project;
  /** In the order in which cargo runs them. */
  readonly binaries: readonly TestBinary[];
  readonly artifacts: readonly Artifact[];
}

export interface BuildOrder {
  /** Absolute paths of probe files, which are built whatever the lane selects. */
  readonly probes: readonly string[];
  readonly memoryBytes: number | null;
  /** An existing private folder. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

export interface BuilderInput {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  readonly project: Project;
  readonly ledger: Ledger;
  /** Takes away what earlier builds left. */
  readonly discard: () => Promise<void>;
  readonly reload: (signal: AbortSignal) => Promise<Result<Project, LaneProblem>>;
  readonly build: (project: Project, order: BuildOrder & { timeMs: number }) => Promise<Build>;
  readonly findUnrun: FindUnrun;
  /** Finds out how cargo starts what was built. */
  readonly capture: (project: Project, order: BuildOrder) => Promise<Result<Launches, LaneProblem>>;
}

export interface NotBuilt {
  readonly ending: Ending;
  /** null: cargo was not started. */
  readonly end: ProcessEnd | null;
}

export interface Builder {
  /** These tree-relative paths hold other bytes than before, or none, or some again. */
  readonly written: (paths: readonly string[]) => Promise<void>;
  /** Builds where something was written since, or where a target was never seen to be built. */
  readonly ensure: (
    targets: readonly LoadTarget[],
    order: BuildOrder,
  ) => Promise<Result<Built, NotBuilt>>;
  /** What the build since its last write showed of each target. */
  readonly loads: (targets: readonly LoadTarget[]) => readonly LoadEvidence[];
}

/** Dependencies from scratch may take this long; a mutant that keeps the compiler busy gets no more. */
const FIRST_LIMIT_MS = 30 * 60_000;
const LIMIT_FACTOR = 10;

export function createBuilder(input: BuilderInput): Builder {
  const { tree, ledger } = input;
  const writes = createWrites(tree, ledger.times());
  const sumOf = createSumReader();
  const existed = new Map<string, boolean>();
  let { project } = input;
  let readUnits = createUnitReader({ tree, workspace: project.workspace.root });
  let built: Built | null = null;
  let isFirst = true;
  let order: BuildOrder;
  let limitMs = FIRST_LIMIT_MS;
  const launchesOf = createLaunchKeeper(async () => {
    const found = await input.capture(project, order);
    return found.ok ? found : err(refused(found.error));
  });

  /** What lies in the target folder may have been made from a mutant that a killed run left. */
  const distrust = async (): Promise<void> => {
    const own = new Set(writes.files());
    const since = BigInt(ledger.builtAt()) * 1_000_000n;
    const changed = (await ledger.changed()).filter((file) => !own.has(file));
    const hidden = await Promise.all(changed.map((file) => isOlder(file, since)));
    if (!hidden.includes(true)) return;
    writes.forgetTimes();
    await input.discard();
  };

  /** A file more or less may be a target more or less. */
  const reload = async (pending: readonly Pending[]): Promise<Result<void, LaneProblem>> => {
    const exists = ({ sha256 }: Pending): boolean => sha256 !== null;
    const moved = pending.some(
      (each) => isConfiguration(each.path) || existed.get(each.path) !== exists(each),
    );
    if (!moved) return ok(undefined);
    const found = await input.reload(order.signal);
    if (!found.ok) return found;
    if (found.value.workspace.root !== project.workspace.root)
      readUnits = createUnitReader({ tree, workspace: found.value.workspace.root });
    project = found.value;
    for (const each of pending) existed.set(each.path, exists(each));
    return ok(undefined);
  };

  const buildOnce = async (): Promise<Result<Extract<Build, { kind: 'built' }>, NotBuilt>> => {
    const started = performance.now();
    const done = await input.build(project, { ...order, timeMs: limitMs });
    if (done.kind === 'built')
      limitMs = Math.max(limitMs, LIMIT_FACTOR * (performance.now() - started));
    return done.kind === 'built' ? ok(done) : err(done);
  };

  const build = async (): Promise<Result<Built, NotBuilt>> => {
    if (isFirst) await distrust();
    await ledger.begin(writes.files());
    isFirst = false;
    await writes.keepTimes();
    let pending = await writes.freshen();
    const reloaded = await reload(pending);
    if (!reloaded.ok) return err({ ending: refused(reloaded.error), end: null });

    let done = await buildOnce();
    if (!done.ok) return done;
    let artifacts: readonly Artifact[] = done.value.artifacts;
    let units: readonly Unit[] = await readUnits(artifacts);
    if (writes.overlooked(pending, units).length > 0) {
      pending = await writes.freshen();
      done = await buildOnce();
      if (!done.ok) return done;
      artifacts = ofBoth(artifacts, done.value.artifacts);
      units = await readUnits(artifacts);
    }
    const binaries = await testBinaries(artifacts, project.unharnessed, sumOf);
    const launches = await launchesOf({
      executables: binaries.map(({ executable }) => executable),
      artifacts,
      scripts: done.value.scripts,
      reconfigured: pending.some(({ path: name }) => isConfiguration(name)),
    });
    if (!launches.ok) return err({ ending: launches.error, end: null });
    const inputs = new Set(units.flatMap((unit) => [...unit.inputs]));
    await ledger.finish(inputs, writes.times());
    const { workspace, selection } = project;
    const { packages } = workspace;
    const { scriptFolders } = done.value;
    await writes.settle(pending, units, {
      whyNoInput: (file) => whyNoInput(file, { tree, packages, artifacts, scriptFolders, inputs }),
      unrun: (file) => input.findUnrun(file, { workspace, selection, units }),
    });
    return ok({
      ...launches.value,
      project,
      artifacts,
      binaries: inOrder(binaries, launches.value),
    });
  };

  return {
    async written(paths) {
      writes.mark(paths);
      built = null;
      await writes.freshen();
    },
    async ensure(targets, given) {
      writes.mark(targets.map((target) => target.path).filter((name) => !writes.isSettled(name)));
      if (built !== null && writes.areBuilt()) {
        // Documentation tests are built by a cargo of their own.
        await writes.keepTimes();
        return ok(built);
      }
      order = given;
      const done = await build();
      built = done.ok ? done.value : null;
      return done;
    },
    loads: (targets) =>
      targets.flatMap((target) => {
        const load = writes.evidence(target.path);
        return load === null ? [] : [load];
      }),
  };
}

/** What changes which targets there are, or how they are built or started. */
const isConfiguration = (name: string): boolean =>
  /(^|\/)(Cargo\.toml|Cargo\.lock|build\.rs|rust-toolchain(\.toml)?|\.cargo\/config(\.toml)?)$/.test(
    name,
  );

const refused = ({ message, hint }: LaneProblem): Ending =>
  broken(configure(hint === null ? message : `${message}; ${hint}`));

/** What was built by the first of two builds is fresh to the second. */
function ofBoth(first: readonly Artifact[], second: readonly Artifact[]): readonly Artifact[] {
  const key = ({ packageId, target, files }: Artifact): string =>
    JSON.stringify([packageId, target.source, files]);
  const built = new Set(first.filter(({ fresh }) => !fresh).map(key));
  return second.map((each) => (built.has(key(each)) ? { ...each, fresh: false } : each));
}

function inOrder(binaries: readonly TestBinary[], { launches }: Launches): readonly TestBinary[] {
  const place = new Map([...launches.keys()].map((file, index) => [file, index]));
  return binaries.toSorted(
    (a, b) => (place.get(a.executable) ?? 0) - (place.get(b.executable) ?? 0),
  );
}
