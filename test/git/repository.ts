/** A real repository in a temporary folder, untouched by the settings of whoever runs the tests. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Repository {
  readonly dir: string;
  readonly git: (...args: readonly string[]) => string;
  readonly put: (path: string, content: string | Buffer) => Promise<void>;
  /** Commits everything and gives the commit's id. */
  readonly commit: () => string;
  readonly remove: () => Promise<void>;
}

export async function createRepository(): Promise<Repository> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'counterproof git späce ')));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: dir,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@example.org',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@example.org',
      },
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  return {
    dir,
    git,
    put: async (path, content) => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), content);
    },
    commit: () => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message=x');
      return git('rev-parse', 'HEAD');
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
