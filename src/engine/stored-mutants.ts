/**
 * Whether somebody gave a mutation to git while it stood in the tree: committed, staged or
 * stashed it. The tree comes back; what git keeps does not, and would bring the mutant again.
 */
import { posix } from 'node:path';
import { headCommit, showFile } from '../git/commit.js';
import { committedSince, pathsIn, stagedFile, stagedPaths, stashesSince } from '../git/stored.js';
import { sha256 } from '../workspace/checksum.js';
import { isBesideName } from '../workspace/names.js';
import type { ProjectFacts } from './project-facts.js';

export interface StoredIn {
  readonly tree: string;
  /** The commit that was checked out then; null: none was. `unknown`: ask the time of the one that is. */
  readonly project: Pick<ProjectFacts, 'commit'> | 'unknown';
  readonly startedAt: Date;
}

interface Place {
  readonly name: string;
  /** Bytes as they would be checked out; null: it has no such file. `unknown`: git does not say. */
  readonly read: (path: string) => Promise<Buffer | null | 'unknown'>;
  readonly paths: () => Promise<readonly string[]>;
  readonly wayOut: (path: string) => string;
}

/** A mutation that stood in the tree. */
export interface Stood {
  readonly mutation: { readonly id: string };
  /** `mutated`: sum of the mutant; null: the mutation deleted the file. */
  readonly files: readonly { readonly path: string; readonly mutated: string | null }[];
}

/** One sentence for each mutant in each place that git has it in, and for files of ours there. */
export async function storedMutants(
  stored: StoredIn,
  mutations: readonly Stood[],
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const place of await placesOf(stored)) {
    for (const { mutation, files } of mutations) {
      for (const { path, mutated } of files) {
        const held = await place.read(path);
        if (held === 'unknown' || (held === null ? null : sha256(held)) !== mutated) continue;
        sentences.push(
          `${place.name} holds the mutation ${mutation.id} in ${path}: it was made while that stood there. The file is back; ${place.wayOut(path)}.`,
        );
      }
    }
    const ours = (await place.paths()).filter((path) => isBesideName(posix.basename(path)));
    for (const path of ours)
      sentences.push(`${place.name} holds ${path}, which stood beside a mutation and may go.`);
  }
  return sentences;
}

async function placesOf({ tree, project, startedAt }: StoredIn): Promise<readonly Place[]> {
  const head = await headCommit(tree);
  if (!head.ok) return [];
  const read =
    (commit: string): Place['read'] =>
    async (path) => {
      const shown = await showFile(tree, commit, path);
      if (shown.ok) return shown.value;
      return shown.error.kind === 'no-file' ? null : 'unknown';
    };
  const places: Place[] = [];
  const last = head.value;
  const isNew =
    last !== null &&
    (project === 'unknown' ? await committedSince(tree, last, startedAt) : last !== project.commit);
  if (isNew)
    places.push({
      name: `Commit ${last.slice(0, 12)}`,
      read: read(last),
      paths: () => pathsIn(tree, last),
      wayOut: () => 'commit it again',
    });
  const staged = await stagedPaths(tree);
  if (staged.length > 0)
    places.push({
      name: 'The index',
      read: async (path) => (staged.includes(path) ? stagedFile(tree, path) : 'unknown'),
      paths: () => Promise.resolve(staged),
      wayOut: (path) =>
        `stage it again: git add ${path}, or take it out: git restore --staged ${path}`,
    });
  for (const commit of await stashesSince(tree, startedAt))
    places.push({
      name: `Stash ${commit.slice(0, 12)}`,
      read: read(commit),
      // Files that git does not track are in its third parent, with --include-untracked.
      paths: () => pathsIn(tree, `${commit}^3`),
      wayOut: (path) =>
        `git stash pop brings the mutation again, so keep a copy of ${path} and put it back after that`,
    });
  return places;
}
