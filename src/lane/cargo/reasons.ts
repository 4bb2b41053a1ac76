/** Why a file is in no unit of a build: for people, and for nothing else. */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Artifact } from './messages.js';
import type { Package } from './metadata.js';
import { kindOf } from './ids.js';

export interface ReasonPlace {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  /** Members of the workspace. */
  readonly packages: readonly Package[];
  readonly artifacts: readonly Artifact[];
  /** By package id: where cargo keeps what a build script said. */
  readonly scriptFolders: ReadonlyMap<string, string>;
  /** Absolute paths of everything that went into the build. */
  readonly inputs: ReadonlySet<string>;
}

/** @param file absolute, symlinks resolved; an input of no unit */
export async function whyNoInput(file: string, place: ReasonPlace): Promise<string> {
  const manifest = await nearestManifest(file, place.tree);
  if (manifest === null) return 'it lies in no package';
  if (path.basename(file) === 'Cargo.toml' || path.basename(file) === 'Cargo.lock')
    return 'cargo reads it, and only an effect shows for what';
  const own = place.packages.find((each) => each.manifest === manifest);
  const built = place.artifacts.filter((each) => each.manifest === manifest);
  if (built.length === 0)
    return `its package${own === undefined ? '' : ` ${own.name}`} is not in the build of this lane`;
  if (await isTold(file, built, place.scriptFolders))
    return 'a build script reads it, and cargo does not tell whether that was run again';
  const target = own?.targets.find(({ source }) => source === file);
  const kind = target === undefined ? null : kindOf(target.kind);
  if (target !== undefined && kind !== null)
    return `the lane does not build ${kind} ${target.name}`;
  if (path.extname(file) !== '.rs') return 'nothing that was compiled includes it';
  return whyNoModule(file, place);
}

async function nearestManifest(file: string, tree: string): Promise<string | null> {
  let folder = path.dirname(file);
  while (folder === tree || folder.startsWith(`${tree}${path.sep}`)) {
    const manifest = path.join(folder, 'Cargo.toml');
    if (await exists(manifest)) return manifest;
    folder = path.dirname(folder);
  }
  return null;
}

/** Whether a build script named the file to cargo (`cargo:rerun-if-changed=`). */
async function isTold(
  file: string,
  built: readonly Artifact[],
  folders: ReadonlyMap<string, string>,
): Promise<boolean> {
  for (const { packageId, manifest } of built) {
    const folder = folders.get(packageId);
    if (folder === undefined) continue;
    const said = await readFile(path.join(folder, 'output'), 'utf8').catch(() => '');
    for (const line of said.split('\n')) {
      const named = /^cargo::?rerun-if-changed=(?<name>.+)$/.exec(line.trim())?.groups?.['name'];
      if (named === undefined) continue;
      const told = path.resolve(path.dirname(manifest), named);
      if (file === told || file.startsWith(`${told}${path.sep}`)) return true;
    }
  }
  return false;
}

/** Looks for `mod NAME;` where the language would: in the file above, and in the root beside it. */
async function whyNoModule(file: string, { tree, inputs }: ReasonPlace): Promise<string> {
  const isFolder = path.basename(file) === 'mod.rs';
  const folder = isFolder ? path.dirname(path.dirname(file)) : path.dirname(file);
  const name = path.basename(isFolder ? path.dirname(file) : file, '.rs');
  const above = ['lib.rs', 'main.rs', 'mod.rs'].map((each) => path.join(folder, each));
  for (const parent of [...above, `${folder}.rs`]) {
    const text = parent === file ? null : await readFile(parent, 'utf8').catch(() => null);
    const found = text === null ? null : declarationOf(name, text);
    if (found === null) continue;
    const shown = path.relative(tree, parent).replaceAll(path.sep, '/');
    if (found.condition !== null) return `${shown} leaves it out: ${found.condition} mod ${name};`;
    return inputs.has(parent)
      ? `${shown} declares it, but it was not compiled`
      : `${shown}, which declares it, was not compiled either`;
  }
  return `no \`mod ${name};\` declares it`;
}

/** A declaration with the attributes before it; the text alone, so that it is a hint and no proof. */
function declarationOf(name: string, text: string): { readonly condition: string | null } | null {
  const word = name.replaceAll(/[^\w]/g, '');
  const pattern = new RegExp(
    String.raw`(?<attributes>(?:#\[[^\]]*\]\s*)*)(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?${word}\s*;`,
  );
  const match = pattern.exec(text);
  if (match === null) return null;
  const condition = /#\[cfg\([^\]]*\)\]/.exec(match.groups?.['attributes'] ?? '');
  return { condition: condition?.[0] ?? null };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
