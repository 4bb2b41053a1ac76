import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import type { Diagnostic } from '../spec/model.js';
import { loadSpecs } from '../spec/load.js';
import { writeAndRead } from '../spec/read-back.js';
import { decode } from '../spec/read-text.js';
import { savePlace } from '../spec/save-place.js';
import type { MutationInput } from '../spec/spec-schema.js';
import { CommandError } from './exit.js';
import { specError, type OpenedProject, type PlaceOptions } from './project.js';
import { replaceFile } from './replace-file.js';

/** A mutation that cannot be saved, and why. */
export interface NotSaved {
  readonly mutation: MutationInput;
  readonly faults: readonly Diagnostic[];
}

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
  const spec = await openSpec('--save', path, project, options);
  const { text, notSaved } = added(spec.before, mutations, spec, project);
  const faults = notSaved.flatMap((one) => one.faults);
  if (faults.length > 0) throw specError(faults, project, options);
  await write(path, spec, text, project);
}

/**
 * Appends those mutations that a spec can hold.
 *
 * @returns the others
 * @throws CommandError where the file cannot be read or written
 */
export async function saveWhatHolds(
  path: string,
  mutations: readonly MutationInput[],
  project: OpenedProject,
  options: PlaceOptions,
): Promise<readonly NotSaved[]> {
  const spec = await openSpec('--write', path, project, options);
  const { text, notSaved } = added(spec.before, mutations, spec, project);
  await write(path, spec, text, project);
  return notSaved;
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
  const spec = await openSpec('--save', path, project, options);
  const { notSaved } = added(spec.before, [mutation], spec, project);
  const faults = notSaved.flatMap((one) => one.faults);
  if (faults.length > 0) throw specError(faults, project, options);
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

interface OpenSpec {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root. */
  readonly name: string;
  /** As it lies on disk; null: it is new. */
  readonly before: Buffer | null;
}

/**
 * @param option that names the file
 * @throws CommandError where no spec can be written there, or what is there is no UTF-8
 */
export async function openSpec(
  option: string,
  written: string,
  project: OpenedProject,
  options: PlaceOptions,
): Promise<OpenSpec> {
  const place = savePlace(written, { ...project, configFile: project.config.file });
  if (!place.ok) {
    const { message, hint } = place.error;
    throw new CommandError(`${option}: ${message}\n${hint ?? ''}`);
  }
  const path = place.value;
  const name = relative(project.root, path);
  if (!existsSync(path)) return { path, name, before: null };
  const before = await readFile(path);
  const decoded = decode(name, before);
  if (!decoded.ok) throw specError(decoded.error, project, options);
  return { path, name, before };
}

function added(
  before: Buffer | null,
  mutations: readonly MutationInput[],
  { name }: OpenSpec,
  { root, tree, config }: OpenedProject,
): { readonly text: string | null; readonly notSaved: readonly NotSaved[] } {
  let existing = before?.toString('utf8') ?? null;
  const notSaved: NotSaved[] = [];
  for (const mutation of mutations) {
    const request = { file: name, existing, mutation };
    const text = writeAndRead(request, { bounds: { root, tree }, config });
    if (text.ok) existing = text.value;
    else notSaved.push({ mutation, faults: text.error });
  }
  return { text: existing, notSaved };
}

/** @throws CommandError where it could not be written, or somebody else wrote it meanwhile */
async function write(
  written: string,
  { path, before }: OpenSpec,
  text: string | null,
  { tree }: OpenedProject,
): Promise<void> {
  if (text === null) return;
  const after = Buffer.from(text);
  if (before?.equals(after) === true) return;
  const why =
    before === null
      ? await createFile(path, after)
      : await replaceFile(path, { before, after, tree });
  if (why !== null) throw new CommandError(`${written} was not written: ${why}.`);
}

async function createFile(path: string, content: Buffer): Promise<string | null> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: 'wx' });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
