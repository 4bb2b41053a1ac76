/** Interpreters that a project might mean, likeliest first, each looked for only when asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  environmentOf,
  existsAs,
  inFolder,
  type Candidate,
  type PassedOver,
  type Place,
} from './candidate.js';
import { managed } from './managers.js';

export async function* candidates(place: Place): AsyncGenerator<Candidate | PassedOver> {
  const { env, python } = place;
  if (python !== null) {
    yield chosen(place, python);
    return;
  }
  const virtualEnv = env['VIRTUAL_ENV'];
  if (virtualEnv !== undefined && virtualEnv !== '') {
    yield inFolder(virtualEnv, 'VIRTUAL_ENV', 'VIRTUAL_ENV');
  }
  const conda = env['CONDA_PREFIX'];
  const condaFound =
    conda === undefined || conda === '' ? [] : [inFolder(conda, 'CONDA_PREFIX', 'CONDA_PREFIX')];
  // conda's base is active in every shell of many people, and means no project.
  const condaIsBase = env['CONDA_DEFAULT_ENV'] === 'base';
  if (!condaIsBase) yield* condaFound;
  for (const folder of upwards(place)) {
    for (const name of ['.venv', 'venv']) yield* beside(place, path.join(folder, name));
  }
  for (const folder of upwards(place)) yield* managed(place, folder);
  for (const folder of upwards(place)) {
    for (const name of ['.tox', '.nox']) yield* many(place, path.join(folder, name));
  }
  if (condaIsBase) yield* condaFound;
  for (const name of ['python3', 'python'] as const) {
    yield {
      kind: 'candidate',
      from: `${name} in PATH`,
      argv: [name],
      role: name === 'python3' ? 'environment' : 'one-of-many',
      folder: null,
      keepsLauncher: false,
      install: null,
    };
  }
}

/** From the root to the tree's top, both included. */
export function upwards({ root, tree }: Pick<Place, 'root' | 'tree'>): readonly string[] {
  const folders = [root];
  const inside = path.relative(tree, root);
  if (inside.startsWith('..') || path.isAbsolute(inside)) return folders;
  for (let folder = root; folder !== tree;) {
    folder = path.dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function chosen({ root }: Place, python: string): Candidate {
  const looksLikePath = python.includes('/');
  const file = looksLikePath ? path.resolve(root, python) : python;
  const folder = looksLikePath && existsAs(path.join(file, 'bin/python')) ? file : null;
  return {
    kind: 'candidate',
    from: '--python',
    argv: [folder === null ? file : path.join(folder, 'bin/python')],
    role: 'environment',
    folder: folder ?? (looksLikePath ? environmentOf(file) : null),
    keepsLauncher: false,
    install: null,
  };
}

function* beside({ root }: Place, folder: string): Generator<Candidate | PassedOver> {
  // Without this file it may be a package that is called `venv`.
  if (!existsAs(path.join(folder, 'pyvenv.cfg')) && !existsAs(path.join(folder, 'bin/python'))) {
    return;
  }
  const shown = path.relative(root, folder);
  const where = shown.startsWith('..') ? 'above the project' : 'beside the project';
  yield inFolder(folder, `${shown} ${where}`, `\`${shown}\``, { install: installIn(folder) });
}

/** uv makes environments without pip, and says so in their configuration. */
function installIn(folder: string): string | null {
  try {
    const madeByUv = /^uv\s*=/m.test(readFileSync(path.join(folder, 'pyvenv.cfg'), 'utf8'));
    return madeByUv ? `uv pip install --python ${folder} pytest` : null;
  } catch {
    return null;
  }
}

/** A folder of environments holds one for each version: newest first, as far as names tell. */
function* many({ root }: Place, folder: string): Generator<Candidate | PassedOver> {
  const names = listFolders(folder)
    .filter((name) => existsAs(path.join(folder, name, 'bin/python')))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .slice(0, 12);
  for (const name of names) {
    const shown = path.relative(root, path.join(folder, name));
    yield inFolder(path.join(folder, name), shown, `\`${shown}\``, { role: 'one-of-many' });
  }
}

function listFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
