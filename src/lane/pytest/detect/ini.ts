/** Which file pytest takes its settings from. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';

/**
 * Follows pytest's own rules from the common ancestor of the arguments upwards: a file counts
 * if it holds pytest's section, `pytest.ini` always. A `-c FILE` among the arguments wins.
 *
 * @param cwd Absolute; arguments are relative to it.
 * @returns the absolute path; null: none.
 */
export function pytestConfigFile(
  cwd: string,
  paths: readonly string[],
  args: readonly string[],
): string | null {
  const option = args.findIndex((word) => word === '-c' || word === '--config-file');
  const named =
    args[option + 1] !== undefined && option >= 0
      ? args[option + 1]
      : args.find((word) => word.startsWith('--config-file='))?.slice('--config-file='.length);
  if (named !== undefined) return path.resolve(cwd, named);
  for (let folder = commonAncestor(cwd, paths); ; folder = path.dirname(folder)) {
    for (const [name, counts] of FILES) {
      const file = path.join(folder, name);
      const text = read(file);
      if (text !== null && counts(text)) return file;
    }
    if (folder === path.dirname(folder)) return null;
  }
}

const hasSection =
  (name: string) =>
  (text: string): boolean =>
    text.split(/\r?\n/).some((line) => line.trim() === `[${name}]`);

/** In pytest's order; the first two are read by pytest 9 and later. */
const FILES: readonly (readonly [string, (text: string) => boolean])[] = [
  ['pytest.toml', () => true],
  ['.pytest.toml', () => true],
  ['pytest.ini', () => true],
  ['.pytest.ini', () => true],
  ['pyproject.toml', inPyproject],
  ['tox.ini', hasSection('pytest')],
  ['setup.cfg', hasSection('tool:pytest')],
];

function inPyproject(text: string): boolean {
  try {
    const { tool } = parse(text);
    return typeof tool === 'object' && tool !== null && 'pytest' in tool;
  } catch {
    return false;
  }
}

function commonAncestor(cwd: string, paths: readonly string[]): string {
  let common: readonly string[] | null = null;
  for (const entry of paths) {
    const absolute = path.resolve(cwd, entry.split('::')[0] ?? entry);
    const isFolder = statSync(absolute, { throwIfNoEntry: false })?.isDirectory() ?? false;
    const parts = (isFolder ? absolute : path.dirname(absolute)).split(path.sep);
    const known: readonly string[] = common ?? parts;
    const differs = parts.findIndex((part, at) => part !== known[at]);
    common = differs < 0 ? parts : parts.slice(0, differs);
  }
  return common === null ? cwd : common.join(path.sep) || path.sep;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
