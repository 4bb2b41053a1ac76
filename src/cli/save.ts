import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { MutationInput } from '../spec/spec-schema.js';
import { writeSpec } from '../spec/write.js';
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
  let existing = existsSync(absolute) ? await readFile(absolute, 'utf8') : null;
  for (const mutation of mutations) {
    const text = writeSpec({ file: relative(project.root, absolute), existing, mutation });
    if (!text.ok) throw specError(text.error, project, options);
    existing = text.value;
  }
  if (existing === null) return;
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, existing);
}
