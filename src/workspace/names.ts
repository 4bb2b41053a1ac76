/** Names inside the tree: which ones are taken from others, and which ones we make ourselves. */
import { posix } from 'node:path';

/** Our folder at the tree's top. */
export const OWN_FOLDER = '.counterproof';

/**
 * Files that stand beside a mutated one for a while. Dotted and without the file's extension,
 * so that no test runner, formatter or import takes them for sources.
 */
export interface BesideNames {
  /** The mutant before it is renamed over the file. */
  readonly temporary: string;
  /** The original. */
  readonly link: string;
  /** What stood in the file's place when the original went back, until it has been looked at. */
  readonly seen: string;
  /** The original written anew from its copy. */
  readonly fresh: string;
}

const SUFFIXES = { temporary: 'new', link: 'original', seen: 'seen', fresh: 'fresh' } as const;

// A name has at most 255 bytes (143 on eCryptfs); the part taken from the file is for people only.
const SHOWN_BYTES = 80;

/** `nonce`: 8 hexadecimal digits, new for every set of edits. */
export function besideNames(path: string, nonce: string): BesideNames {
  const folder = posix.dirname(path);
  const shown = truncated(posix.basename(path), SHOWN_BYTES);
  const name = (suffix: string): string =>
    posix.join(folder, `.${shown}.${nonce}.counterproof-${suffix}`);
  return {
    temporary: name(SUFFIXES.temporary),
    link: name(SUFFIXES.link),
    seen: name(SUFFIXES.seen),
    fresh: name(SUFFIXES.fresh),
  };
}

const BESIDE = /^\..*\.[0-9a-f]{8}\.counterproof-(new|original|seen|fresh)$/s;

/** Whether a base name is one of ours, as `besideNames` makes them. */
export const isBesideName = (name: string): boolean => BESIDE.test(name);

/**
 * Why this cannot be the path of a file that we may write; null: it can. Paths come from specs
 * and from journals, and a journal may have been committed by somebody: `.git` is never touched,
 * because a hook or a setting written there runs as the user.
 */
export function pathProblem(path: string): string | null {
  if (path === '' || path === '.') return 'it names no file';
  if (path.includes('\0')) return 'it contains a zero byte';
  if (path.includes('\uFFFD')) return 'its name is not valid UTF-8, which is not supported';
  if (posix.isAbsolute(path)) return 'it is absolute; paths are relative to the tree';
  if (posix.normalize(path) !== path || path.endsWith('/')) return 'it is not in its shortest form';
  const [first, ...rest] = path.split('/');
  if (first === undefined || first === '..') return 'it leads out of the tree';
  if (first === OWN_FOLDER) return `${OWN_FOLDER}/ is Counterproof's own folder`;
  if ([first, ...rest].some((part) => part.toLowerCase() === '.git')) {
    return "git's own files are never changed";
  }
  return null;
}

/** Cut at a character's border, so that the name stays valid UTF-8. */
function truncated(name: string, bytes: number): string {
  let cut = '';
  let used = 0;
  for (const character of name) {
    used += Buffer.byteLength(character);
    if (used > bytes) return cut;
    cut += character;
  }
  return cut;
}
