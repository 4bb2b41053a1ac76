/** What is done to a file, in the form that a spec holds. */
import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import type { EditInput } from '../spec/spec-schema.js';
import { makePatch } from './make-patch.js';
import type { TakenFile } from './take.js';

/**
 * @param root relative to the tree, in which the file's path is
 * @returns a patch that fits in one place only, `create` or `delete`; in one phrase why there is
 *   none, as a text
 */
export function editInputOf(
  { path, before, after }: TakenFile,
  root: string,
): (EditInput & { readonly file: string }) | string {
  const file = posix.relative(root, path);
  if (after === null) return { file, delete: true };
  if (after.includes(0) || before?.includes(0) === true)
    return `${file} is binary, and a spec holds text`;
  if (before === null)
    return isUtf8(after)
      ? { file, create: after.toString('utf8') }
      : `${file} is not UTF-8, and a spec is`;
  const patch = makePatch(file, before, after);
  return patch.ok ? { file, patch: patch.value } : `${file}: ${patch.error}`;
}
