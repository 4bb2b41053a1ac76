/**
 * Lanes whose build may be of a mutant. It is noted before one lands in the tree, in the same two
 * places as the journal, and until their build was run on the restored tree: what it makes, and
 * where, only the build itself knows.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { append } from '../lists.js';
import { err, ok, type Result } from '../result.js';
import { readContent } from './checksum.js';
import { codeOf, syncFolder, unlinkIfThere, writeNew } from './durable.js';
import { OWN_FOLDER, pathProblem } from './names.js';
import { prepareOwnFolder } from './own-folder.js';
import { refusalOf } from './refusal.js';
import { isOwn, stateFolders } from './state-folder.js';

const unbuiltSchema = z.strictObject({
  lane: z.string(),
  root: z.string().describe("the project's root, tree-relative; empty: the tree itself"),
  build: z.union([z.string(), z.array(z.string())]),
  cwd: z.string().describe('where it is run, relative to the root'),
  runId: z.string(),
  paths: z
    .array(z.string().refine((path) => pathProblem(path) === null))
    .describe('tree-relative files that were written'),
});

export type UnbuiltLane = z.infer<typeof unbuiltSchema>;

const NAME = 'unbuilt.jsonl';

/** Lanes that are noted already stay so. The error says why the tree's own note cannot be written. */
export async function noteUnbuilt(
  tree: string,
  lanes: readonly UnbuiltLane[],
  environment?: NodeJS.ProcessEnv,
): Promise<Result<void, string>> {
  const own = await prepareOwnFolder(tree);
  if (!own.ok) return own;
  const all = merged([...(await unbuiltLanes(tree, environment)), ...lanes]);
  try {
    await noteOutside(tree, all, environment);
    await replace(own.value, all);
    return ok(undefined);
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return err(`${join(own.value, NAME)} cannot be written: ${refusalOf(error, own.value)}`);
  }
}

/** What is noted of a tree, in either place. */
export async function unbuiltLanes(
  tree: string,
  environment?: NodeJS.ProcessEnv,
): Promise<readonly UnbuiltLane[]> {
  const found: UnbuiltLane[] = [];
  for (const folder of await foldersOf(tree, environment)) {
    const content = await readContent(join(folder, NAME));
    if (content !== null) append(found, content.bytes.toString('utf8').split('\n').flatMap(laneIn));
  }
  return merged(found);
}

/** Lanes that a run noted, once their build was run on a tree without edits. */
export async function forgetUnbuilt(
  tree: string,
  built: { readonly runId: string; readonly lanes: ReadonlySet<string> },
  environment?: NodeJS.ProcessEnv,
): Promise<void> {
  const all = await unbuiltLanes(tree, environment);
  const left = all.filter(({ runId, lane }) => runId !== built.runId || !built.lanes.has(lane));
  if (left.length === all.length) return;
  for (const folder of await foldersOf(tree, environment)) {
    if (left.length === 0) await unlinkIfThere(join(folder, NAME));
    else await replace(folder, left);
  }
}

async function foldersOf(tree: string, environment?: NodeJS.ProcessEnv): Promise<string[]> {
  const folders: string[] = [];
  for (const folder of [join(tree, OWN_FOLDER), ...stateFolders(tree, environment).candidates])
    if (await isOwn(folder)) folders.push(folder);
  return folders;
}

/** Where none can be had, the journal says so. */
async function noteOutside(
  tree: string,
  lanes: readonly UnbuiltLane[],
  environment?: NodeJS.ProcessEnv,
): Promise<void> {
  const outside = stateFolders(tree, environment);
  for (const folder of outside.candidates) {
    if ((await outside.problem(folder)) !== null) continue;
    try {
      await replace(folder, lanes);
      return;
    } catch (error) {
      if (codeOf(error) === null) throw error;
    }
  }
}

/** By rename: half a note would be none. */
async function replace(folder: string, lanes: readonly UnbuiltLane[]): Promise<void> {
  const unfinished = join(folder, `${NAME}.new`);
  const text = lanes.map((lane) => `${JSON.stringify(lane)}\n`).join('');
  await unlinkIfThere(unfinished);
  await writeNew(unfinished, Buffer.from(text), { mode: 0o600, owner: null, times: null });
  await rename(unfinished, join(folder, NAME));
  await syncFolder(folder);
}

/** One for each lane, as it was noted last, with the files of all. */
function merged(lanes: readonly UnbuiltLane[]): readonly UnbuiltLane[] {
  const byLane = new Map<string, UnbuiltLane>();
  for (const lane of lanes) {
    const key = JSON.stringify([lane.root, lane.lane]);
    const paths = [...new Set([...(byLane.get(key)?.paths ?? []), ...lane.paths])];
    byLane.set(key, { ...lane, paths });
  }
  return [...byLane.values()];
}

function laneIn(line: string): readonly UnbuiltLane[] {
  try {
    const { success, data } = unbuiltSchema.safeParse(JSON.parse(line));
    return success ? [data] : [];
  } catch {
    return [];
  }
}
