import { relative } from 'node:path';
import { inlineEdits, type InlineEdit } from '../engine/inline.js';
import type { MutationSpec } from '../spec/model.js';
import { CommandError } from './exit.js';
import { printResult } from './output.js';
import { specRequest, type OpenedProject } from './project.js';
import { replaceFile } from './replace-file.js';

/**
 * `check --inline`: says of each edit that rests on a commit what was written in its place, or
 * why it stays.
 *
 * @throws CommandError where a spec could not be written
 */
export async function writeInline(
  mutations: readonly MutationSpec[],
  project: OpenedProject,
): Promise<void> {
  const { tree, root, cwd } = project;
  const { config, idOf } = specRequest(project);
  const bounds = { root, tree };
  const specs = await inlineEdits({
    tree,
    root,
    mutations,
    bounds,
    config,
    ...(idOf === undefined ? {} : { idOf }),
  });
  if (specs.length === 0) {
    printResult('Nothing to write in: no edit rests on a commit.\n');
    return;
  }
  const failed: string[] = [];
  for (const { path, before, after, edits } of specs) {
    const why = after.equals(before) ? null : await replaceFile(path, { before, after, tree });
    if (why !== null) failed.push(`${relative(cwd, path)} was not written: ${why}.`);
    for (const edit of edits)
      if (why === null || edit.stays !== null) printResult(`${editText(edit)}\n`);
  }
  if (failed.length > 0) throw new CommandError(failed.join('\n'));
}

function editText({ id, where, kind, files, stays }: InlineEdit): string {
  const place = `${where.file}:${where.line}:${where.col}`;
  return stays === null
    ? `${place}  ${id}: \`${kind}\` is written in, for ${files.join(', ')}`
    : `${place}  ${id}: \`${kind}\` stays, ${stays}`;
}
