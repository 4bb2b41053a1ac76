/** One way to ask git, in which nothing from the caller's environment changes the answer. */
import { stat } from 'node:fs/promises';
import { execa } from 'execa';
import { err, ok, type Result } from '../result.js';

/** Why git has no answer. None of them is a bug: a tree without git can be proven as well. */
export type GitProblem =
  | { readonly kind: 'no-git' }
  | { readonly kind: 'no-repository'; readonly dir: string }
  /** The repository belongs to another user, and git does not trust it. */
  | { readonly kind: 'untrusted'; readonly dir: string; readonly hint: string }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Variables by which git is pointed at another repository, index or object store, or told to
 * read path names differently. Hooks set some of them: a run started by a pre-commit hook
 * would otherwise describe the commit in the making.
 */
const REDIRECTIONS = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
  'LANGUAGE',
]);

export function gitEnvironment(
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !REDIRECTIONS.has(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    // Reading must not write into the repository, not even a refreshed index.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // In a partial clone a missing object is an answer, not a download (git 2.45 and newer).
    GIT_NO_LAZY_FETCH: '1',
    ...extra,
  };
}

/**
 * Nothing of the user's that git would start: a hook may do anything, also where git only looks
 * (`git add` on a copy of the index starts `post-index-change`).
 */
const QUIET = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false'].flatMap(
  (setting) => ['-c', setting],
);

/**
 * Runs git in a folder and gives its standard output as bytes.
 *
 * @param env added to the cleaned environment.
 */
export async function git(
  dir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result<Buffer, GitProblem>> {
  // A missing folder and a missing git are both ENOENT.
  const isFolder = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return err({ kind: 'no-repository', dir });
  const done = await execa('git', [...QUIET, ...args], {
    cwd: dir,
    env: gitEnvironment(env),
    extendEnv: false,
    encoding: 'buffer',
    stdin: 'ignore',
    reject: false,
    stripFinalNewline: false,
    maxBuffer: 1024 ** 3,
  });
  if (!done.failed) return ok(Buffer.from(done.stdout));
  if (done.code === 'ENOENT') return err({ kind: 'no-git' });
  const message =
    Buffer.from(done.stderr).toString('utf8').trim() || (done.shortMessage ?? 'git failed');
  return err(problemOf(dir, message));
}

function problemOf(dir: string, message: string): GitProblem {
  if (/detected dubious ownership/.test(message)) {
    const named = /safe\.directory\s+(?:'([^']+)'|(\S+))/.exec(message);
    const path = named?.[1] ?? named?.[2] ?? dir;
    const hint = `git config --global --add safe.directory ${JSON.stringify(path)}`;
    return { kind: 'untrusted', dir: path, hint };
  }
  if (/not a git repository|must be run in a work tree/.test(message)) {
    return { kind: 'no-repository', dir };
  }
  return { kind: 'failed', message: message.replace(/^fatal: /, '') };
}

/** Names between NUL bytes. */
export function splitNames(output: Buffer): readonly Buffer[] {
  const names = [];
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    names.push(output.subarray(start, end));
    start = end + 1;
  }
  return names;
}
