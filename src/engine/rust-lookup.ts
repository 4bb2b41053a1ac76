/** Looks the names of Rust tests up in the text of the sources: nothing is built. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parse } from 'smol-toml';
import type { VerdictText } from '../proof/verdict-text.js';
import { nearest } from '../spec/distance.js';
import { findFiles } from '../spec/find-files.js';

/** A package, and every name in its sources that can stand in a test's path. */
interface Package {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Integration tests, by their executables' names. */
  readonly tests: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** Modules and source files, which are modules too. */
  readonly modules: ReadonlySet<string>;
  /** Relative to the package, with forward slashes. */
  readonly files: ReadonlySet<string>;
  /** Whether macros make functions whose names stand nowhere. */
  readonly makesNames: boolean;
}

/**
 * @param folder absolute: where the lane's cargo is started
 * @param tree absolute: above it no workspace is looked for
 * @returns what is wrong with the name of a test; null where nothing is, or where only cargo can know
 */
export function createRustLookup(
  folder: string,
  tree: string,
): (test: string) => Promise<VerdictText | null> {
  let packages: Promise<readonly Package[]> | null = null;
  return async (test) => {
    if (test.includes('*')) return null;
    packages ??= readPackages(workspaceAbove(folder, tree));
    return problemOf(test.trim(), await packages);
  };
}

/** The outermost folder with a Cargo.toml: that of the workspace. */
function workspaceAbove(folder: string, tree: string): string {
  let found = folder;
  for (let here = folder; ; here = dirname(here)) {
    if (existsSync(join(here, 'Cargo.toml'))) found = here;
    if (here === tree || here === dirname(here)) return found;
  }
}

const IGNORED = ['**/target/**', '**/.*/**', '**/node_modules/**'];

async function readPackages(root: string): Promise<readonly Package[]> {
  const options = { ignore: IGNORED };
  const [manifests, sources] = await Promise.all([
    findFiles('**/Cargo.toml', root, options),
    findFiles('**/*.rs', root, options),
  ]);
  const folders = manifests.map((manifest) => dirname(manifest));
  const owned = new Map(folders.map((folder) => [folder, [] as string[]]));
  for (const source of sources) {
    let owner = dirname(source);
    while (!owned.has(owner) && owner !== dirname(owner)) owner = dirname(owner);
    owned.get(owner)?.push(source);
  }
  const read = folders.map((folder) => readPackage(folder, owned.get(folder) ?? []));
  return (await Promise.all(read)).filter((found) => found !== null);
}

async function readPackage(folder: string, sources: readonly string[]): Promise<Package | null> {
  const manifest = await readFile(join(folder, 'Cargo.toml'), 'utf8').catch(() => '');
  const { name, tests } = namesInManifest(manifest);
  if (name === null) return null;
  const functions = new Set<string>();
  const modules = new Set<string>();
  const files = new Set(sources.map((file) => relative(folder, file).replaceAll(sep, '/')));
  let makesNames = false;
  for (const source of sources) {
    const text = await readFile(source, 'utf8').catch(() => '');
    for (const [, found = ''] of text.matchAll(/\bfn\s+((?:r#)?[\p{L}_][\p{L}\p{N}_]*)/gu))
      functions.add(found);
    for (const [, found = ''] of text.matchAll(/\bmod\s+((?:r#)?[\p{L}_][\p{L}\p{N}_]*)/gu))
      modules.add(found);
    makesNames ||= /\b(?:fn|mod)\s+\$|\bpaste!|\[</.test(text);
  }
  for (const file of files) {
    const stem = basename(file, '.rs');
    modules.add(stem === 'mod' || stem === 'main' ? basename(dirname(file)) : stem);
  }
  const inFolder = [...files].flatMap((file) => {
    const match = /^tests\/(?:([^/]+)\.rs|([^/]+)\/main\.rs)$/.exec(file);
    return match === null ? [] : [match[1] ?? match[2] ?? ''];
  });
  return {
    name,
    folder,
    tests: new Set([...tests, ...inFolder]),
    functions,
    modules,
    files,
    makesNames,
  };
}

function namesInManifest(text: string): {
  readonly name: string | null;
  readonly tests: readonly string[];
} {
  try {
    const table: Readonly<Record<string, unknown>> = parse(text);
    return {
      name: nameIn(table['package']),
      tests: listIn(table['test'])
        .map(nameIn)
        .filter((name) => name !== null),
    };
  } catch {
    // What is wrong with it, cargo will say.
    return { name: null, tests: [] };
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function nameIn(value: unknown): string | null {
  const name: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : null;
  return typeof name === 'string' ? name : null;
}

function problemOf(test: string, packages: readonly Package[]): VerdictText | null {
  // `src/lib.rs - Decoder` has spaces too, and no executable.
  const { head, rest = test } = /^(?<head>\S+) (?!- )(?<rest>.+)$/s.exec(test)?.groups ?? {};
  if (head === undefined && isExecutable(test, packages)) return null;
  const [owner = '', kind = null] = head?.split('::') ?? [];
  const named = packages.filter(({ name }) => name === owner);
  const [own] = named;
  if (head !== undefined && own === undefined)
    return missing(`there is no package ${owner}`, nearest(owner, packages.map(nameOf)));
  if (own !== undefined && kind !== null && !isKind(kind, own)) {
    const near = nearest(kind, own.tests).map((other) => `${own.name}::${other}`);
    return missing(`package ${own.name} has no integration test ${kind}`, near);
  }
  // A target without libtest is one test, called like the target.
  if (kind !== null && rest === kind.split('/').at(-1)) return null;
  const places = own === undefined ? packages : named;
  const isDoc = kind === 'doc' || rest.includes(' - ') || rest.endsWith('.rs');
  return isDoc ? docProblem(rest, places) : pathProblem(rest, places);
}

const nameOf = ({ name }: Package): string => name;

const isKind = (kind: string, { tests }: Package): boolean =>
  kind === 'doc' || kind.includes('/') || tests.has(kind);

function isExecutable(test: string, packages: readonly Package[]): boolean {
  const [owner, kind, ...more] = test.split('::');
  const own = packages.find(({ name }) => name === owner);
  return own !== undefined && more.length === 0 && (kind === undefined || isKind(kind, own));
}

function docProblem(path: string, packages: readonly Package[]): VerdictText | null {
  const [file = ''] = path.split(' - ');
  return packages.some(({ files }) => files.has(file))
    ? null
    : missing(`there is no file ${file}`, []);
}

/** Every part of the path must be a name that stands in a package's sources. */
function pathProblem(path: string, packages: readonly Package[]): VerdictText | null {
  if (packages.some(({ makesNames }) => makesNames)) return null;
  const unknown = packages.map((each) => firstUnknown(path, each));
  if (unknown.includes(null)) return null;
  const part = unknown[0] ?? path;
  const names = packages.flatMap(({ functions, modules }) => [...functions, ...modules]);
  const [only] = packages.length === 1 ? packages : [];
  const where = only === undefined ? 'no package has a' : `package ${only.name} has no`;
  return missing(`${where} function or module ${part}`, nearest(part, new Set(names)));
}

function firstUnknown(path: string, { functions, modules }: Package): string | null {
  const parts = path.split('::');
  const isKnown = (part: string, index: number): boolean =>
    functions.has(part) ||
    modules.has(part) ||
    // `#[rstest]` and the like make a module of a function, with a test for each case in it.
    parts.slice(0, index).some((above) => functions.has(above));
  return parts.find((part, index) => !isKnown(part, index)) ?? null;
}

const missing = (reason: string, near: readonly string[]): VerdictText => ({
  reason,
  facts: near.length === 0 ? [] : [`nearest: ${near.join(', ')}`],
  next: ['correct the name, or ask cargo: --collect'],
});
