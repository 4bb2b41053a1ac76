/** Which members of a workspace depend on a package, directly or by way of others. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'smol-toml';
import { readConfigs, tableOf } from './configuration.js';
import { createFileMemory } from './file-memory.js';
import { readLockGraph, type LockedPackage } from './lock-graph.js';
import type { Package, Workspace } from './metadata.js';

/** A package that is edited; one that lies in the tree need not be a member. */
export type Crate = Pick<Package, 'name' | 'manifest'>;

/** What cargo took for each dependency, as far as it has written that down. */
export interface Resolved {
  readonly locked: readonly LockedPackage[];
  /** Names of packages that lie in a folder of `paths` in `.cargo/config.toml`. */
  readonly overriding: ReadonlySet<string>;
}

/** @param cwd absolute folder in which cargo is started */
export function createResolver(
  cwd: string,
  env: Readonly<Record<string, string>>,
): (workspace: Workspace) => Promise<Resolved> {
  // A big one takes 30 ms to read, and stays as it is for most mutations.
  const readLocked = createFileMemory(async (file) => readLockGraph(await readFile(file, 'utf8')));
  return async ({ root }) => {
    const configs = await readConfigs(cwd, env);
    const manifests = configs.flatMap(({ base, table }) =>
      [table['paths']]
        .flat()
        .filter((each) => typeof each === 'string')
        .map((each) => path.resolve(base, each, 'Cargo.toml')),
    );
    const names = await Promise.all(manifests.map(nameIn));
    return {
      locked: await readLocked(path.join(root, 'Cargo.lock')).catch(() => []),
      overriding: new Set(names.filter((name) => name !== null)),
    };
  };
}

/** null: there is no such manifest, or it is that of a workspace alone. */
async function nameIn(manifest: string): Promise<string | null> {
  try {
    const name = tableOf(parse(await readFile(manifest, 'utf8'))['package'])['name'];
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** The innermost member whose folder holds the file, or a package in it that the build takes from there. */
export async function crateOf(
  file: string,
  packages: readonly Package[],
  resolved: Resolved,
): Promise<Crate | null> {
  const member = packageOf(file, packages);
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'Cargo.toml');
    if (manifest === member?.manifest || folder === path.dirname(folder)) return member;
    const name = await nameIn(manifest);
    if (name !== null && isTaken(name, packages, resolved)) return { name, manifest };
  }
}

const isTaken = (
  name: string,
  packages: readonly Package[],
  { locked, overriding }: Resolved,
): boolean =>
  overriding.has(name) ||
  (locked.some((each) => each.isLocal && each.name === name) &&
    !packages.some((each) => each.name === name));

/** The innermost member whose folder holds the file. */
export function packageOf(file: string, packages: readonly Package[]): Package | null {
  const holders = packages.filter(({ manifest }) =>
    file.startsWith(`${path.dirname(manifest)}${path.sep}`),
  );
  const [nearest] = holders.toSorted((a, b) => b.manifest.length - a.manifest.length);
  return nearest ?? null;
}

/** By name where it lies in a folder: of those there is one of a name. */
type Node = string | LockedPackage;

/**
 * Members whose tests may notice an edit of this package. A development dependency goes into the
 * tests of the package that names it, and no further.
 */
export function dependentsOf(
  own: Crate,
  packages: readonly Package[],
  resolved: Resolved,
): readonly Package[] {
  const users = usersIn(packages, resolved);
  const found = new Set<Node>();
  const reaching: Node[] = [own.name];
  const passed = new Set<Node>(reaching);
  for (let next = reaching.pop(); next !== undefined; next = reaching.pop()) {
    for (const { user, isDevelopment } of users.get(next) ?? []) {
      found.add(user);
      if (isDevelopment || passed.has(user)) continue;
      passed.add(user);
      reaching.push(user);
    }
  }
  return packages.filter(({ name }) => name !== own.name && found.has(name));
}

interface Use {
  readonly user: Node;
  readonly isDevelopment: boolean;
}

/** As manifests name folders, and as the lock file has it. */
function usersIn(
  packages: readonly Package[],
  { locked, overriding }: Resolved,
): ReadonlyMap<Node, readonly Use[]> {
  const users = new Map<Node, Use[]>();
  const add = (used: Node, use: Use): void => {
    users.set(used, [...(users.get(used) ?? []), use]);
  };
  const members = new Map(packages.map((each) => [each.name, each]));
  const nodeOf = (each: LockedPackage): Node =>
    each.isLocal || overriding.has(each.name) ? each.name : each;
  for (const { name: user, dependencies } of packages)
    for (const { folder, isDevelopment, package: name } of dependencies)
      if (folder !== null) add(nameAt(folder, packages) ?? name, { user, isDevelopment });
  for (const each of locked)
    for (const used of each.dependencies) {
      const declared = each.isLocal ? members.get(each.name)?.dependencies : undefined;
      const own = declared?.filter((one) => one.package === used.name) ?? [];
      const isDevelopment = own.length > 0 && own.every((one) => one.isDevelopment);
      add(nodeOf(used), { user: nodeOf(each), isDevelopment });
    }
  return users;
}

const nameAt = (folder: string, packages: readonly Package[]): string | null =>
  packages.find(({ manifest }) => path.dirname(manifest) === folder)?.name ?? null;
