/** A tree of its own for each test, with a state folder of its own, and a way to compare it whole. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Edit } from '../../src/mutation/edit.js';
import type { Result } from '../../src/result.js';
import { openInPlace, type InPlaceOptions } from '../../src/workspace/in-place.js';
import { identify, type ProcessIdentity } from '../../src/workspace/owner.js';
import type { Workspace } from '../../src/workspace/workspace.js';

export interface Bench {
  readonly tree: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Spaces and letters beyond ASCII in every path, on purpose. */
export function makeBench(files: Readonly<Record<string, string | Buffer>> = FILES): Bench {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof prüfung ')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return fillBench(top, files);
}

export function fillBench(
  top: string,
  files: Readonly<Record<string, string | Buffer>> = FILES,
): Bench {
  const tree = join(top, 'der baum');
  const home = join(top, 'heim');
  mkdirSync(home, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
  return { tree, home, environment: { HOME: home } };
}

export const FILES = {
  'a.py': 'def f():\n    return 1\n',
  'pkg/b ü.py': 'B = 1\r\n',
  'pkg/gone.txt': 'data\n',
  'other.txt': 'untouched\n',
};

/** Modify, modify, create in new folders, delete. */
export const editsOf = (tree: string): Edit[] => [
  edit(tree, 'a.py', 'def f():\n    return 2\n'),
  edit(tree, 'pkg/b ü.py', 'B = 2\r\n'),
  edit(tree, 'new/deep/c.py', 'C = 1\n'),
  edit(tree, 'new/deep/d.py', 'D = 1\n'),
  edit(tree, 'pkg/gone.txt', null),
];

export const edit = (tree: string, path: string, after: string | null): Edit => ({
  path,
  before: lstatSync(join(tree, path), { throwIfNoEntry: false })
    ? readFileSync(join(tree, path))
    : null,
  after: after === null ? null : Buffer.from(after),
});

/** Everything that has to come back: bytes, mode, inode, times; folders by name. */
export function stateOf(tree: string): Record<string, string> {
  const state: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(tree, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (path === '.counterproof' || path === '.git') continue;
      const stats = lstatSync(join(tree, path), { bigint: true });
      if (stats.isDirectory()) {
        state[`${path}/`] = 'folder';
        visit(path);
      } else if (stats.isSymbolicLink()) {
        state[path] = `-> ${readlinkSync(join(tree, path))}`;
      } else {
        const bytes = readFileSync(join(tree, path)).toString('latin1');
        state[path] =
          `${stats.mode.toString(8)} ${stats.ino} ${stats.mtimeNs} ${stats.nlink} ${bytes}`;
      }
    }
  };
  visit('');
  return state;
}

/** Only bytes and mode, where another inode is all that can be had. */
export const contentOf = (tree: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(stateOf(tree)).map(([path, state]) => [
      path,
      state.replace(/^(\d+) \d+ \d+ \d+ /, '$1 '),
    ]),
  );

/** What our own folders hold beside their markers: nothing, once all is over. */
export function journalFiles({ tree, home }: Bench): string[] {
  const folders = [join(tree, '.counterproof', 'journal'), join(home, '.local/state/counterproof')];
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((it) => it.isFile())
        .map((it) => it.name);
    } catch {
      return [];
    }
  });
}

/** A process that is no more: its number with a start time that nothing has. */
export const deadOwner = (): ProcessIdentity => ({ ...identify(), start: '1' });

export async function open(
  bench: Bench,
  options: Partial<InPlaceOptions> = {},
): Promise<Workspace> {
  const { tree, environment } = bench;
  return must(
    await openInPlace({ tree, runId: 'run', environment, owner: deadOwner(), ...options }),
  );
}

export function must<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`unexpected: ${JSON.stringify(result.error)}`);
  return result.value;
}

export function mustFail<T, E>(result: Result<T, E>): E {
  if (result.ok) throw new Error('it succeeded');
  return result.error;
}

/**
 * Works until `halt` is called: then nothing of it goes on, and no handler runs, as after a kill.
 */
export async function untilHalted(
  work: (halt: () => Promise<never>) => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  const halted = once(stop.signal, 'abort');
  const halt = (): Promise<never> => {
    stop.abort();
    return new Promise(() => undefined);
  };
  await Promise.race([halted, work(halt)]);
}

/** The sources as JavaScript, for processes that are killed for good. Gives the folder. */
export function build(top: string): string {
  const project = realpathSync(join(import.meta.dirname, '..', '..'));
  const built = join(top, 'dist');
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(
      process.execPath,
      [compiler, '-p', join(project, 'test/support/tsconfig.modules.json'), '--outDir', built],
      { stdio: 'ignore' },
    );
  } catch {
    // Type errors are the type check's to report; JavaScript is written all the same.
  }
  writeFileSync(join(top, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(project, 'node_modules'), join(top, 'node_modules'));
  return built;
}

export const fixture = (name: string): string =>
  join(import.meta.dirname, '..', 'fixtures', 'workspace', name);

/** Only ours beside the files themselves: what an interrupted run may leave, and recovery may not. */
export const strayNames = (tree: string): string[] =>
  Object.keys(stateOf(tree)).filter((path) => path.includes('counterproof-'));
