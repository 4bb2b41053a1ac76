/** Where the tests of a Rust file run: the executable, and the module that the file is in it. */
import { posix } from 'node:path';
import { rustTestsIn, type RustModule } from './rust-tests.js';

/** A test executable, as the lane built it. */
export interface RustExecutable {
  /** `jail`, `jail::stop_behavior`, `jail::bin/tool`. */
  readonly id: string;
  /** Its root source file, relative to the tree; null: it lies elsewhere. */
  readonly source: string | null;
}

export interface RustPlace {
  readonly executable: string;
  /** Empty: the file is the executable's root. */
  readonly modules: readonly string[];
}

/** Content of a file of the tree; null: there is none. */
export type ReadSource = (path: string) => Buffer | null;

/**
 * Follows `mod` from the roots of the executables, as rustc does, so that a file is looked for
 * where it is compiled and not where its name suggests. What a macro includes or declares is
 * not seen. Where a module could come from several files, none of them is known to be it.
 */
export function createRustPlaces(
  executables: readonly RustExecutable[],
  read: ReadSource,
): (path: string) => readonly RustPlace[] {
  const trees = new Map<string, ModuleTree>();
  const treeOf = (source: string): ModuleTree => {
    const known = trees.get(source);
    if (known !== undefined) return known;
    const tree = moduleTree(source, read);
    trees.set(source, tree);
    return tree;
  };
  const placesIn = (path: string, some: readonly RustExecutable[]): readonly RustPlace[] =>
    some.flatMap(({ id, source }) =>
      source === null
        ? []
        : (treeOf(source).get(path) ?? []).map((modules) => ({ executable: id, modules })),
    );
  return (path) => {
    const folder = packageOf(path, read);
    const isOwn = ({ source }: RustExecutable): boolean =>
      source !== null && (source === path || (folder !== null && isIn(folder, source)));
    const own = placesIn(path, executables.filter(isOwn));
    // Only what its own package does not declare may be part of another one: most trees stay unread.
    return own.length > 0
      ? own
      : placesIn(
          path,
          executables.filter((each) => !isOwn(each)),
        );
  };
}

const isIn = (folder: string, path: string): boolean =>
  folder === '.' || path.startsWith(`${folder}/`);

/** Folder of the nearest Cargo.toml upwards. */
function packageOf(path: string, read: ReadSource): string | null {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (read(posix.join(folder, 'Cargo.toml')) !== null) return folder;
    if (folder === '.') return null;
  }
}

/** Module paths by file. */
type ModuleTree = ReadonlyMap<string, readonly (readonly string[])[]>;

function moduleTree(root: string, read: ReadSource): ModuleTree {
  const found: { readonly path: string; readonly modules: readonly string[] }[] = [];
  const visit = (
    { path, isOwner }: ModuleFile,
    modules: readonly string[],
    above: readonly string[],
  ): void => {
    const bytes = above.includes(path) ? null : read(path);
    if (bytes === null) return;
    found.push({ path, modules });
    for (const module of rustTestsIn(bytes).modules) {
      const inner = [...modules, ...module.inside.map(({ name }) => name), module.name];
      for (const file of filesOf({ path, isOwner }, module)) visit(file, inner, [...above, path]);
    }
  };
  visit({ path: root, isOwner: true }, [], []);
  const claims = new Map<string, Set<string>>();
  for (const { path, modules } of found) {
    const key = modules.join('::');
    claims.set(key, (claims.get(key) ?? new Set()).add(path));
  }
  const tree = new Map<string, (readonly string[])[]>();
  for (const { path, modules } of found)
    if (claims.get(modules.join('::'))?.size === 1)
      tree.set(path, [...(tree.get(path) ?? []), modules]);
  return tree;
}

interface ModuleFile {
  readonly path: string;
  /** Modules that it declares lie beside it, not in a folder of its name. */
  readonly isOwner: boolean;
}

/** Where the content of a module may be; what is not there is none. */
function filesOf({ path, isOwner }: ModuleFile, module: RustModule): readonly ModuleFile[] {
  const beside = posix.dirname(path);
  const own = isOwner ? beside : posix.join(beside, posix.basename(path, '.rs'));
  let folder = own;
  let isTop = true;
  for (const { name, path: given } of module.inside) {
    folder = posix.join(isTop && given !== null ? beside : folder, given ?? plain(name));
    isTop = false;
  }
  const name = plain(module.name);
  const byName = [
    { path: posix.join(folder, `${name}.rs`), isOwner: false },
    { path: posix.join(folder, name, 'mod.rs'), isOwner: true },
  ];
  if (module.path === null) return byName;
  const given = { path: posix.join(isTop ? beside : folder, module.path), isOwner: true };
  return module.isConditional ? [given, ...byName] : [given];
}

const plain = (name: string): string => name.replace(/^r#/, '');
