/** Projects that lie in `test/fixtures`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import type { Files } from './project.js';

/** Every file of a folder below `test/fixtures`, by its path in that folder. */
export function fixture(name: string): Files {
  const folder = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
  const paths = fastGlob.sync('**', { cwd: folder, dot: true });
  return Object.fromEntries(paths.map((path) => [path, readFileSync(`${folder}/${path}`)]));
}
