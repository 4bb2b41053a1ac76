/** As an ordinary user, with real git, and with a real limit on what may be written. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recover } from '../../src/workspace/recover.js';
import { removeFolder } from '../../src/workspace/remove-folder.js';
import {
  build,
  contentOf,
  edit,
  editsOf,
  fillBench,
  fixture,
  journalFiles,
  makeBench,
  must,
  open,
  stateOf,
  type Bench,
} from './helpers.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const isRoot = process.getuid?.() === 0;
const USER = 65_534;

let top = '';
let built = '';
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof prüfung ')));
  chmodSync(top, 0o755);
  built = build(top);
});
afterAll(() => removeFolder(top));

interface Report {
  readonly uid: number;
  readonly problem: { readonly path: string; readonly why: string } | null;
  readonly owners: readonly (number | null)[];
  readonly restored: string;
}

function runIn(
  bench: Bench,
  edits: readonly [string, string | null][],
  before: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Report {
  const words = [
    ...before,
    process.execPath,
    fixture('apply.mjs'),
    built,
    bench.tree,
    JSON.stringify(edits),
  ];
  const env = { ...process.env, ...bench.environment, XDG_STATE_HOME: '', ...more };
  return JSON.parse(execFileSync(words[0] ?? '', words.slice(1), { env, encoding: 'utf8' }));
}

/** Root becomes an ordinary user; everybody else is one. */
const asUser = isRoot ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] : [];

function userBench(name: string): Bench {
  const bench = fillBench(join(top, name));
  if (isRoot) execFileSync('chown', ['-R', `${USER}:${USER}`, join(top, name)]);
  return bench;
}

describe('an ordinary user', () => {
  test('may have read-only files mutated, and gets them back', () => {
    const bench = userBench('read only');
    chmodSync(join(bench.tree, 'a.py'), 0o444);
    const before = stateOf(bench.tree);
    const report = runIn(
      bench,
      [
        ['a.py', 'x'],
        ['pkg/new.py', 'y'],
        ['pkg/gone.txt', null],
      ],
      asUser,
    );
    expect(report).toMatchObject({ problem: null, restored: 'restored' });
    expect(report.uid).not.toBe(0);
    expect(stateOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('is not held up by a folder that somebody made under the name of theirs', () => {
    const bench = userBench('taken');
    const shared = join(top, 'shared');
    const uid = isRoot ? USER : (process.getuid?.() ?? 0);
    const theirs = join(shared, `counterproof-state-${uid}`);
    mkdirSync(theirs, { recursive: true });
    chmodSync(shared, 0o777);
    // Root's own; for an ordinary user one that nobody may look into stands for it.
    chmodSync(theirs, isRoot ? 0o700 : 0);
    const before = stateOf(bench.tree);
    const report = runIn(bench, [['a.py', 'x']], asUser, { TMPDIR: shared });
    expect(report).toMatchObject({ problem: null, restored: 'restored' });
    expect(stateOf(bench.tree)).toEqual(before);
  });

  test('is refused in a folder that is read-only, before the first write', () => {
    const bench = userBench('closed');
    const before = stateOf(bench.tree);
    chmodSync(join(bench.tree, 'pkg'), 0o555);
    const report = runIn(
      bench,
      [
        ['a.py', 'x'],
        ['pkg/gone.txt', 'y'],
      ],
      asUser,
    );
    expect(report.problem).toMatchObject({ path: 'pkg/gone.txt' });
    expect(report.problem?.why).toContain('folder cannot be written');
    expect(stateOf(bench.tree)).toEqual(before);
  });

  test.runIf(isRoot)('is refused a file of another user', () => {
    const bench = userBench('foreign');
    chownSync(join(bench.tree, 'a.py'), 0, 0);
    const before = stateOf(bench.tree);
    const report = runIn(bench, [['a.py', 'x']], asUser);
    expect(report.problem?.why).toContain('belongs to another user (uid 0)');
    expect(stateOf(bench.tree)).toEqual(before);
  });
});

test.runIf(isRoot)('root leaves a file to its owner, while it is mutated and after', () => {
  const bench = userBench('for root');
  const before = stateOf(bench.tree);
  const report = runIn(bench, [['a.py', 'x']], []);
  expect(report).toMatchObject({ problem: null, owners: [USER], restored: 'restored' });
  expect(stateOf(bench.tree)).toEqual(before);
});

test('a write that is cut short by a limit changes nothing', () => {
  const bench = userBench('limit');
  const before = stateOf(bench.tree);
  const report = runIn(
    bench,
    [
      ['other.txt', 'fits'],
      ['a.py', 'x'.repeat(100_000)],
    ],
    ['sh', '-c', 'ulimit -f 64; exec "$0" "$@"'],
  );
  expect(report.problem).toMatchObject({ path: 'a.py' });
  expect(report.problem?.why).toContain('EFBIG');
  expect(stateOf(bench.tree)).toEqual(before);
  expect(journalFiles(bench)).toEqual([]);
});

function repository(): { bench: Bench; git: (...args: string[]) => string } {
  const bench = makeBench();
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: bench.tree,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        HOME: bench.home,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'n',
        GIT_AUTHOR_EMAIL: 'e',
        GIT_COMMITTER_NAME: 'n',
        GIT_COMMITTER_EMAIL: 'e',
      },
    });
  git('init', '-q');
  git('-c', 'core.autocrlf=false', 'add', '.');
  git('-c', 'core.autocrlf=false', 'commit', '-qm', 'first');
  return { bench, git };
}

describe('with git', () => {
  test('a restored tree is clean, and our folder is not seen', async () => {
    const { bench, git } = repository();
    const workspace = await open(bench);
    must(await workspace.apply('m', editsOf(bench.tree)));
    expect(git('status', '--porcelain')).toContain(' M a.py');
    await workspace.restore();
    expect(git('status', '--porcelain')).toBe('');
  });

  const acts: [string, string[][]][] = [
    ['reset --hard', [['reset', '-q', '--hard']]],
    ['clean -xfd', [['clean', '-qxfd']]],
    [
      'both',
      [
        ['reset', '-q', '--hard'],
        ['clean', '-qxfd'],
      ],
    ],
    ['checkout of one file', [['checkout', '-q', 'a.py']]],
    ['stash', [['stash', '-q', '--include-untracked']]],
  ];
  test.each(acts)(
    '%s during the run, or after it was killed, and the tree is whole',
    async (_, commands) => {
      for (const killed of [false, true]) {
        const { bench, git } = repository();
        const before = contentOf(bench.tree);
        const workspace = await open(bench);
        must(await workspace.apply('m', editsOf(bench.tree)));
        for (const command of commands) git(...command);
        const outcome = killed
          ? await recover(bench.tree, { environment: bench.environment })
          : await workspace.restore();
        // Created files that `clean` took with it are simply gone already.
        expect(outcome.kind).toBe('restored');
        expect(contentOf(bench.tree)).toEqual(before);
        expect(git('status', '--porcelain')).toBe('');
        expect(journalFiles(bench)).toEqual([]);
      }
    },
  );
});

const immutable = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'counterproof-immutable-'));
  const file = join(folder, 'f');
  writeFileSync(file, '');
  try {
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
    execFileSync('chattr', ['-i', file], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();

test.runIf(immutable)('an immutable file is refused', async () => {
  const bench = makeBench();
  const workspace = await open(bench);
  const path = join(bench.tree, 'a.py');
  const edits = [edit(bench.tree, 'other.txt', 'x'), edit(bench.tree, 'a.py', 'x')];
  execFileSync('chattr', ['+i', path]);
  const applied = await workspace.apply('m', edits);
  execFileSync('chattr', ['-i', path]);
  expect(applied).toMatchObject({ ok: false, error: { path: 'a.py' } });
  expect(!applied.ok && applied.error.why).toContain('immutable');
  expect(readFileSync(join(bench.tree, 'other.txt'), 'utf8')).toBe('untouched\n');
  expect(readdirSync(bench.tree).filter((it) => it.includes('counterproof-'))).toEqual([]);
});
