import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { loadSpecs } from '../spec/load.js';
import type { MutationInput } from '../spec/spec-schema.js';
import { writeSpec } from '../spec/write.js';
import { CommandError } from './exit.js';
import { specError, type OpenedProject, type PlaceOptions } from './project.js';

/**
 * Appends mutations to a spec file, which may be new. All of them, or none.
 *
 * @throws CommandError where the file that is there cannot be read, or has an id already
 */
export async function saveMutations(
  path: string,
  mutations: readonly MutationInput[],
  project: OpenedProject,
  options: PlaceOptions,
): Promise<void> {
  const absolute = resolve(project.cwd, path);
  const text = await textWith(absolute, mutations, project, options);
  if (text === null) return;
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, text);
}

/**
 * To be asked before anything is measured: who waited for a verdict should not learn then that it
 * cannot be kept.
 *
 * @throws CommandError where the mutation cannot be saved there
 */
export async function checkSave(
  path: string,
  mutation: MutationInput,
  project: OpenedProject,
  options: PlaceOptions,
): Promise<void> {
  const { root, tree, cwd, config } = project;
  await textWith(resolve(cwd, path), [mutation], project, options);
  const specs = await loadSpecs({ root, tree, cwd, config, arguments: [] });
  if (!specs.ok) return;
  const { mutations, liveness } = specs.value;
  const other = [...mutations, ...liveness].find(({ id }) => id === mutation.id);
  if (other === undefined) return;
  const { file, line, col } = other.where;
  throw new CommandError(
    `--save: the id \`${mutation.id}\` is taken at ${file}:${line}:${col}; an id is unique among all specs.\nChoose another one: --id NAME`,
  );
}

async function textWith(
  absolute: string,
  mutations: readonly MutationInput[],
  project: OpenedProject,
  options: PlaceOptions,
): Promise<string | null> {
  let existing = existsSync(absolute) ? await readFile(absolute, 'utf8') : null;
  for (const mutation of mutations) {
    const text = writeSpec({ file: relative(project.root, absolute), existing, mutation });
    if (!text.ok) throw specError(text.error, project, options);
    existing = text.value;
  }
  return existing;
}
