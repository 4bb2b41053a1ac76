/** Where an option may put a spec: a file that `run` finds by itself, and that can be written. */
import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { err, ok, type Result } from '../result.js';
import type { PathProblem } from './paths.js';

const FOLDER = 'mutations';
const ENDS: readonly string[] = ['.yaml', '.yml'];
const CONFIGURATIONS: ReadonlySet<string> = new Set([
  'counterproof.yaml',
  'counterproof.yml',
  'pyproject.toml',
]);

export interface SavePlace {
  /** Absolute folder that the person stands in. */
  readonly cwd: string;
  /** Absolute, symlinks resolved. */
  readonly root: string;
  readonly tree: string;
  /** Absolute; null: there is none. */
  readonly configFile: string | null;
}

/**
 * @param written a path as the person wrote it, from where they stand
 * @returns absolute; why not, with the way out, where `run` would never find the spec, or where
 *   it cannot be written
 */
export function savePlace(
  written: string,
  { cwd, root, tree, configFile }: SavePlace,
): Result<string, PathProblem> {
  const path = absolutePath(written, cwd, root);
  const why =
    faultOfKind(path, written) ??
    faultOfName(path, configFile) ??
    faultOfFolder(path, root) ??
    faultOnDisk(path, root, tree);
  if (why === null) return ok(path);
  const name = basename(path).replace(/^\.+/, '');
  const isFree = !CONFIGURATIONS.has(name) && ENDS.includes(extname(name));
  const wayOut = relative(realpathSync(cwd), join(root, FOLDER, isFree ? name : 'NAME.yaml'));
  return err({
    message: `${written} ${why}.`,
    hint: `Name a file under ${FOLDER}/ of the project: ${wayOut}`,
  });
}

/** The folder that a person stands in may be named through a link; the root never is. */
function absolutePath(written: string, cwd: string, root: string): string {
  const path = resolve(cwd, written);
  if (isBelow(path, root)) return path;
  const folder = nearestFound(dirname(path));
  return join(realpathSync(folder), relative(folder, path));
}

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

function faultOfKind(path: string, written: string): string | null {
  const found = isThere(path) ? statSync(path) : undefined;
  if (found?.isDirectory() === true || written.endsWith('/'))
    return 'is a folder, where a file is meant';
  return found === undefined || found.isFile() ? null : 'is no regular file';
}

const faultOfName = (path: string, config: string | null): string | null =>
  path === config || CONFIGURATIONS.has(basename(path)) ? 'is the name of a configuration' : null;

function faultOfFolder(path: string, root: string): string | null {
  const [first, ...below] = relative(root, path).split(sep);
  if (first === '..') return 'is outside the project';
  if (first !== FOLDER || below.length === 0)
    return `is not under ${FOLDER}/, where \`run\` looks for specs`;
  if (!ENDS.includes(extname(path)))
    return `does not end with ${ENDS.join(' or ')}, as specs that \`run\` finds do`;
  return below.some((part) => part.startsWith('.'))
    ? 'is hidden, and `run` finds no hidden specs'
    : null;
}

function faultOnDisk(path: string, root: string, tree: string): string | null {
  const link = pathsDownTo(path, join(root, FOLDER)).find(isLink);
  if (link !== undefined)
    return `leads through a link (${relative(root, link)}), and \`run\` follows none`;
  const folder = nearestFound(dirname(path));
  if (!statSync(folder).isDirectory())
    return `is below ${relative(root, folder)}, which is no folder`;
  const real = realpathSync(folder);
  if (real !== tree && !isBelow(real, tree)) return 'is outside the tree';
  const target = nearestFound(path);
  return isReadOnly(target) ? `cannot be written: ${relative(root, target)} is read-only` : null;
}

/** The path and what lies above it, up to a folder, which is not among them. */
const pathsDownTo = (path: string, top: string): readonly string[] =>
  path === top ? [] : [...pathsDownTo(dirname(path), top), path];

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};

/** The path, or what is there of it. */
function nearestFound(path: string): string {
  let here = path;
  while (!isThere(here) && dirname(here) !== here) here = dirname(here);
  return here;
}

/** Below a file nothing is, either. */
const isThere = (path: string): boolean => {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
};

/** A file or folder that is there. */
export function isReadOnly(path: string): boolean {
  // Whoever may do everything may write it as well, but somebody wanted it left alone.
  if ((statSync(path).mode & 0o222) === 0) return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}
