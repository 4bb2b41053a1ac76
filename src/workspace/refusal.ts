/** The system's word for why nothing can be written in a folder, and the way out of it. */
import { lstatSync } from 'node:fs';
import { codeOf, reasonOf } from './durable.js';

/** @param folder absolute, in which something was to be written */
export function refusalOf(error: unknown, folder: string): string {
  const way = wayOut(codeOf(error), folder);
  return way === null ? reasonOf(error) : `${reasonOf(error)}; ${way}`;
}

function wayOut(code: string | null, folder: string): string | null {
  switch (code) {
    case 'ENOSPC':
      return `the file system of ${folder} has no room left, or no inode: \`df\` and \`df -i\` show which`;
    case 'EDQUOT':
      return `your quota on the file system of ${folder} is used up`;
    case 'EROFS':
      return `the file system of ${folder} is mounted read-only: mount it writable, or work on a copy of the tree`;
    case 'EACCES':
      return isOthers(folder)
        ? `${folder} belongs to another user: work on a copy of the tree that is yours`
        : `you may not write in ${folder}: \`chmod u+rwx\` it, or work on a copy of the tree`;
    case 'EPERM':
      return `is ${folder} immutable (\`lsattr -d\`), or another user's?`;
    default:
      return null;
  }
}

function isOthers(folder: string): boolean {
  try {
    return lstatSync(folder).uid !== process.getuid?.();
  } catch {
    return false;
  }
}
