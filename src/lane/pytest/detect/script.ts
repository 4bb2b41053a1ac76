/** The interpreter behind an installed script such as `pytest`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findExecutable } from '../../process/start-failure.js';
import { existsAs } from './candidate.js';

/**
 * Its first line names it. pip writes `#!/bin/sh` and a line with `exec` where the path is long
 * or holds spaces; a shim names no Python, but has one beside it.
 *
 * @returns null: not to be found out.
 */
export function interpreterOfScript(
  script: string | null,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): readonly [string, ...string[]] | null {
  if (script === null) return null;
  const found = findExecutable(script, place);
  if (found.kind !== 'executable') return null;
  const [first = '', second = ''] = firstLines(found.path);
  const exec = /^'''exec' "?([^"]+?)"? "\$0" "\$@"/.exec(second)?.[1];
  if (first.startsWith('#!/bin/sh') && exec !== undefined) return [exec];
  const [program, ...args] = first.startsWith('#!') ? first.slice(2).trim().split(/\s+/) : [];
  if (program !== undefined && isPython(program)) return [program];
  const named = args.at(-1);
  if (program !== undefined && path.basename(program) === 'env' && named !== undefined) {
    if (isPython(named)) return [named];
  }
  const neighbour = ['python3', 'python']
    .map((name) => path.join(path.dirname(found.path), name))
    .find((file) => existsAs(file));
  return neighbour === undefined ? null : [neighbour];
}

const isPython = (program: string): boolean => /^(python|pypy)[\d.]*$/.test(path.basename(program));

function firstLines(file: string): readonly string[] {
  try {
    return readFileSync(file).subarray(0, 2_048).toString('utf8').split('\n');
  } catch {
    return [];
  }
}
