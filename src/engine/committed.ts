/** Whether somebody committed while a mutation stood in the tree, and so the mutation with it. */
import { headCommit, showFile } from '../git/commit.js';
import { sha256 } from '../workspace/checksum.js';
import type { Draft } from './draft.js';
import type { ProjectFacts } from './assemble.js';

/** One sentence for each mutant that the commit checked out now holds. */
export async function committedMutants(
  { tree, project }: { readonly tree: string; readonly project: ProjectFacts },
  drafts: readonly Draft[],
): Promise<readonly string[]> {
  const head = await headCommit(tree);
  if (!head.ok || head.value === null || head.value === project.commit) return [];
  const sentences: string[] = [];
  for (const { mutation, files } of drafts) {
    for (const { path, mutated } of files) {
      const committed = await showFile(tree, head.value, path);
      const holds = committed.ok
        ? sha256(committed.value) === mutated
        : mutated === null && committed.error.kind === 'no-file';
      if (!holds) continue;
      sentences.push(
        `Commit ${head.value.slice(0, 12)} holds the mutation ${mutation.id} in ${path}: it was made while that stood there. The file is back; commit it again.`,
      );
    }
  }
  return sentences;
}
