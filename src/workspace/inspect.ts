/** All that is looked at before anything is written: may this edit land, and what stands there now. */
import type { BigIntStats } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import type { Edit } from '../mutation/edit.js';
import { err, ok, type Result } from '../result.js';
import { readContent, sha256 } from './checksum.js';
import { codeOf, isAbsent, look, reasonOf } from './durable.js';
import type { JournalledFile } from './entry.js';
import { copyName } from './journal-folder.js';
import { besideNames, pathProblem } from './names.js';
import { refusalOf } from './refusal.js';

export interface InspectContext {
  /** Real and absolute. */
  readonly tree: string;
  readonly id: string;
  readonly nonce: string;
  readonly mounts: ReadonlySet<string> | null;
}

/** An edit that may land. `record` is what the journal keeps of it. */
export interface PlannedEdit {
  readonly edit: Edit;
  readonly record: JournalledFile;
  /** For people: what will not be quite as they may think. */
  readonly notes: readonly string[];
}

/** The error is a reason in one phrase, to be read after the path. Changes nothing. */
export async function inspect(
  edit: Edit,
  index: number,
  context: InspectContext,
): Promise<Result<PlannedEdit, string>> {
  const wrong = pathProblem(edit.path);
  if (wrong !== null) return err(wrong);
  if (edit.before === null && edit.after === null)
    return err('the edit neither finds nor leaves a file');
  if (edit.before !== null && edit.after !== null && edit.before.equals(edit.after)) {
    return err('the edit changes no byte');
  }
  try {
    return edit.before === null
      ? await inspectNew(edit, context)
      : await inspectExisting(edit, edit.before, index, context);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return err(reasonOf(error));
  }
}

async function inspectExisting(
  edit: Edit,
  before: Buffer,
  index: number,
  context: InspectContext,
): Promise<Result<PlannedEdit, string>> {
  const named = join(context.tree, edit.path);
  if ((await look(named)) === null) return err('there is no such file');
  const real = await realpath(named);
  const path = insideOf(context.tree, real);
  if (path === null) return err(`it is a symlink to ${real}, outside the tree`);
  const wrong = pathProblem(path);
  if (wrong !== null) return err(`it is a symlink to ${path}: ${wrong}`);
  const there = await stat(real, { bigint: true });
  if (!there.isFile()) return err('it is not a regular file');
  const refused = (await foreign(real, there, context.mounts)) ?? (await unwritable(real));
  if (refused !== null) return err(refused);
  const content = await readContent(real);
  if (content === null || !content.bytes.equals(before)) {
    return err('its bytes on disk are not the ones that the edit was made for');
  }
  const notes =
    there.nlink > 1n
      ? [`${path} has ${there.nlink} names (hard links); the others keep the original bytes`]
      : [];
  return ok({
    edit,
    notes,
    record: {
      path,
      before: content.sha256,
      after: edit.after === null ? null : sha256(edit.after),
      original: {
        mode: Number(there.mode & 0o7777n),
        uid: Number(there.uid),
        gid: Number(there.gid),
        dev: String(there.dev),
        ino: String(there.ino),
        born: String(there.birthtimeNs),
        links: String(there.nlink),
        size: String(there.size),
        atime: String(there.atimeNs),
        mtime: String(there.mtimeNs),
      },
      ...besideNames(path, context.nonce),
      copy: copyName(context.id, index),
      folders: [],
    },
  });
}

async function inspectNew(
  edit: Edit,
  context: InspectContext,
): Promise<Result<PlannedEdit, string>> {
  const { tree } = context;
  if ((await look(join(tree, edit.path))) !== null) return err('it exists; nothing is overwritten');
  const missing: string[] = [];
  let folder = posix.dirname(edit.path);
  while (folder !== '.' && (await look(join(tree, folder))) === null) {
    missing.unshift(posix.basename(folder));
    folder = posix.dirname(folder);
  }
  const real = await realpath(join(tree, folder));
  const inside = insideOf(tree, real);
  if (inside === null) return err(`its folder is a symlink to ${real}, outside the tree`);
  if (!(await stat(real)).isDirectory()) return err(`${folder} is not a folder`);
  const path = posix.join(inside, ...missing, posix.basename(edit.path));
  const wrong = pathProblem(path);
  if (wrong !== null) return err(`its folder is a symlink: ${wrong}`);
  const folders: string[] = [];
  for (const name of missing) folders.push(posix.join(folders.at(-1) ?? inside, name));
  const refused = await closedFolder(real);
  if (refused !== null) return err(refused);
  return ok({
    edit,
    notes: [],
    record: {
      path,
      before: null,
      after: edit.after === null ? null : sha256(edit.after),
      original: null,
      ...besideNames(path, context.nonce),
      copy: null,
      folders,
    },
  });
}

/** Tree-relative with forward slashes; null: it lies outside. */
function insideOf(tree: string, real: string): string | null {
  if (real === tree) return '.';
  return real.startsWith(`${tree}${sep}`) ? relative(tree, real).split(sep).join('/') : null;
}

/** A rename over somebody else's file would make it ours; over a mount it is not possible. */
async function foreign(
  real: string,
  there: BigIntStats,
  mounts: ReadonlySet<string> | null,
): Promise<string | null> {
  const user = process.geteuid?.();
  if (user !== undefined && user !== 0 && there.uid !== BigInt(user)) {
    return `it belongs to another user (uid ${there.uid}); a changed copy would belong to you`;
  }
  // Devices are compared only where mounts are not listed: on some overlay file systems a file
  // and its folder report different devices without being a mount.
  const mounted =
    mounts === null
      ? (await stat(dirname(real), { bigint: true })).dev !== there.dev
      : mounts.has(real);
  return mounted ? 'it is a mount point itself, which cannot be replaced' : null;
}

async function unwritable(real: string): Promise<string | null> {
  try {
    await access(real, constants.W_OK);
  } catch (error) {
    // EACCES is a read-only mode, which a rename does not mind. EPERM is `chattr +i`, for root too.
    if (codeOf(error) === 'EPERM') return 'it is immutable (see lsattr)';
    if (codeOf(error) !== 'EACCES') return refusalOf(error, dirname(real));
  }
  return closedFolder(dirname(real));
}

async function closedFolder(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    if (isAbsent(error)) throw error;
    return `its folder cannot be written: ${refusalOf(error, folder)}`;
  }
}
