/** Which files went into which unit of a build, as rustc wrote it down beside what it made. */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { readDepInfo } from './dep-info.js';
import { binaryId, kindOf, packageName } from './ids.js';
import type { Artifact } from './messages.js';

export interface Unit {
  readonly artifact: Artifact;
  /** For people: `jail (lib)`, `jail::stop_behavior (test)`. */
  readonly label: string;
  /** Absolute, symlinks resolved. */
  readonly inputs: ReadonlySet<string>;
}

export interface UnitPlaces {
  /** Absolute, symlinks resolved: nothing outside of it can be mutated, so none of it is read. */
  readonly tree: string;
  /** Absolute: the folder in which cargo compiles the workspace's members. */
  readonly workspace: string;
}

/** Reads the units that lie in the tree; what is known of one is kept while cargo finds it fresh. */
export type UnitReader = (artifacts: readonly Artifact[]) => Promise<readonly Unit[]>;

export function createUnitReader({ tree, workspace }: UnitPlaces): UnitReader {
  const known = new Map<string, Unit>();
  const real = createRealPaths();

  const readOne = async (artifact: Artifact): Promise<Unit> => {
    const key = `${artifact.packageId}\0${artifact.target.source}\0${artifact.files.join('\0')}`;
    const before = known.get(key);
    if (artifact.fresh && before !== undefined) return { ...before, artifact };
    const unit = {
      artifact,
      label: labelOf(artifact),
      inputs: await inputsOf(artifact, workspace, real),
    };
    known.set(key, unit);
    return unit;
  };

  return async (artifacts) => {
    const sources = await Promise.all(artifacts.map(({ target }) => real(target.source)));
    const inTree = artifacts.filter((_, index) => sources[index]?.startsWith(`${tree}${path.sep}`));
    return Promise.all(inTree.map(readOne));
  };
}

function labelOf({ target, test, packageId }: Artifact): string {
  const name = packageName(packageId);
  const kind = kindOf(target.kind);
  if (kind === null) return `${name} (build script)`;
  const suffix = kind === 'lib' || kind === 'proc-macro' ? 'lib' : kind;
  const id = binaryId(name, kind, target.name);
  return `${id} (${suffix}${test && suffix !== 'test' ? ' test' : ''})`;
}

async function inputsOf(
  artifact: Artifact,
  workspace: string,
  real: (file: string) => Promise<string>,
): Promise<ReadonlySet<string>> {
  const inputs = new Set<string>();
  // Where cargo starts rustc: packages outside of the workspace are compiled in their own folder.
  const cwd = artifact.manifest.startsWith(`${workspace}${path.sep}`)
    ? workspace
    : path.dirname(artifact.manifest);
  for (const depInfo of await depInfoFiles(artifact)) {
    const text = await readFile(depInfo, 'utf8').catch(() => '');
    const names = readDepInfo(text).map((name) => path.resolve(cwd, name));
    for (const file of await Promise.all(names.map(real))) inputs.add(file);
    // A file that is mutated is the one behind the link, and rustc was given the link.
    for (const file of await Promise.all(names.map(behindLink)))
      if (file !== null) inputs.add(file);
  }
  return inputs;
}

/** `libjail-0123.rlib` and `jail-0123` both have `jail-0123.d` beside them. */
async function depInfoFiles(artifact: Artifact): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const file of artifact.files) {
    const { dir, name } = path.parse(file);
    const stems = [name, name.replace(/^lib/, '')];
    for (const stem of stems) {
      const beside = path.join(dir, `${stem}.d`);
      if (/-[0-9a-f]{16}$/.test(stem) && (await exists(beside))) found.add(beside);
    }
  }
  if (found.size > 0) return [...found];
  const executable = artifact.executable ?? artifact.files[0];
  return executable === undefined ? [] : linkedFrom(executable);
}

/** A program that stands under its plain name is a link to the one that rustc wrote. */
async function linkedFrom(executable: string): Promise<readonly string[]> {
  const own = await stat(executable, { bigint: true }).catch(() => null);
  if (own === null) return [];
  const { dir } = path.parse(executable);
  for (const folder of [path.join(dir, 'deps'), dir]) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if (!/-[0-9a-f]{16}(\.exe)?$/.test(name)) continue;
      const there = await stat(path.join(folder, name), { bigint: true }).catch(() => null);
      if (there === null || there.ino !== own.ino || there.dev !== own.dev) continue;
      const depInfo = path.join(folder, `${path.parse(name).name}.d`);
      return (await exists(depInfo)) ? [depInfo] : [];
    }
  }
  return [];
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** null: it is no symbolic link, or leads nowhere. */
async function behindLink(file: string): Promise<string | null> {
  try {
    return (await lstat(file)).isSymbolicLink() ? await realpath(file) : null;
  } catch {
    return null;
  }
}

/** Asked of hundreds of files after each build, of which few lie behind a link. */
function createRealPaths(): (file: string) => Promise<string> {
  const folders = new Map<string, Promise<string>>();
  return async (file) => {
    const folder = path.dirname(file);
    let resolved = folders.get(folder);
    if (resolved === undefined) {
      resolved = realpath(folder).catch(() => folder);
      folders.set(folder, resolved);
    }
    return path.join(await resolved, path.basename(file));
  };
}
