/** `[SPEC[::ID]]…`: which spec files, and which mutations of them, a command line means. */
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { nearest } from './distance.js';
import { findFiles } from './find-files.js';
import type { Diagnostic } from './model.js';
import { nameFrom } from './project.js';

export const DEFAULT_SPECS = 'mutations/**/*.{yaml,yml}';
const IN_FOLDER = '**/*.{yaml,yml}';

export interface SpecArgument {
  /** Position among the arguments. */
  readonly index: number;
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  /** null: every mutation of the files. */
  readonly id: string | null;
}

/** Absolute paths of the specs that a project has where nothing else is said, sorted. */
export async function defaultSpecs(root: string): Promise<readonly string[]> {
  return glob(DEFAULT_SPECS, root);
}

async function glob(pattern: string, cwd: string): Promise<readonly string[]> {
  const files = await findFiles(pattern, cwd, {
    // A link that leads back up would be walked some forty levels deep.
    followSymbolicLinks: false,
    // A folder that cannot be read holds no spec that could be.
    suppressErrors: true,
  });
  return files.toSorted(byPath);
}

/** Code unit order of whole path parts, so that a folder's files stay together on every machine. */
export function byPath(a: string, b: string): number {
  const [left = '', right = ''] = [a, b].map((path) => path.split(/[\\/]/).join('\0'));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The one name of a file; the given one where there is no such file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export interface ArgumentContext {
  readonly root: string;
  readonly cwd: string;
  readonly arguments: readonly string[];
}

/** Resolves every argument; the faults name those that lead to no file. */
export async function resolveArguments(
  context: ArgumentContext,
): Promise<{ readonly found: readonly SpecArgument[]; readonly faults: readonly Diagnostic[] }> {
  const found: SpecArgument[] = [];
  const faults: Diagnostic[] = [];
  for (const [index, argument] of context.arguments.entries()) {
    const { spec, id } = split(argument, context.cwd);
    const files = spec === '' ? await defaultSpecs(context.root) : await filesOf(spec, context.cwd);
    if (files.length > 0) found.push({ index, files, id });
    else faults.push(await noSuchSpec(context, index, spec));
  }
  return { found, faults };
}

/** At the first `::`, unless the whole argument is the name of a file. */
function split(
  argument: string,
  cwd: string,
): { readonly spec: string; readonly id: string | null } {
  const at = argument.indexOf('::');
  if (at === -1 || kindOf(resolve(cwd, argument)) !== null) return { spec: argument, id: null };
  return { spec: argument.slice(0, at), id: argument.slice(at + 2) };
}

function kindOf(path: string): 'file' | 'folder' | null {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

async function filesOf(spec: string, cwd: string): Promise<readonly string[]> {
  const path = resolve(cwd, spec);
  const kind = kindOf(path);
  if (kind === 'file') return [path];
  if (kind === 'folder') return glob(IN_FOLDER, path);
  return fastGlob.isDynamicPattern(spec) ? glob(spec, cwd) : [];
}

async function noSuchSpec(
  context: ArgumentContext,
  index: number,
  spec: string,
): Promise<Diagnostic> {
  const kind = spec === '' ? 'folder' : kindOf(resolve(context.cwd, spec));
  if (kind === 'folder')
    return argumentFault(
      context.arguments,
      index,
      'no spec (*.yaml, *.yml) is in this folder',
      null,
    );
  const known = (await defaultSpecs(context.root)).map((file) => nameFrom(context.cwd, file));
  const near = nearest(spec, known);
  const message = fastGlob.isDynamicPattern(spec)
    ? 'no file matches this pattern'
    : 'there is no such file';
  return argumentFault(
    context.arguments,
    index,
    message,
    near.length > 0 ? `Did you mean ${near.map((file) => `\`${file}\``).join(' or ')}?` : null,
  );
}

/** A fault in the command line: its arguments are the line that is shown. */
export function argumentFault(
  list: readonly string[],
  index: number,
  message: string,
  hint: string | null,
): Diagnostic {
  const before = list.slice(0, index).join(' ');
  const col = before.length + (index > 0 ? 1 : 0) + 1;
  return {
    where: { file: 'command line', line: 1, col },
    length: Math.max(1, list[index]?.length ?? 1),
    message,
    hint,
    sourceLine: list.join(' '),
  };
}
