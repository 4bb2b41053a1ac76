/** Machines, users and trees that allow no overlay, or only half of one: all of it works in place. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import { probeOverlay, type OverlaySupport } from '../support/overlay.js';
import { processesOf } from '../support/processes.js';
import {
  counterproof,
  createProject,
  prove,
  verdicts,
  type TestProject,
} from '../support/project.js';
import { SHELL_FILES, SHELL_VERDICTS } from '../support/shell-lane.js';
import { everything, layersOf, ownCache } from '../support/untouched.js';

const AUTO = ['run', '--isolation', 'auto'];
const isRoot = process.getuid?.() === 0;

let support: OverlaySupport;
beforeAll(() => {
  support = probeOverlay();
});

/** An overlay where there can be one, and in place with the reason where not. */
function expectIsolation(record: RunRecord | undefined, { kind }: OverlaySupport): void {
  expect(record?.environment.isolation).toMatch(kind === 'works' ? /^overlay/ : /^in place \(/);
}

/** An `unshare` of our own that comes first in PATH. */
function withUnshare(project: TestProject, script: string) {
  const bin = join(dirname(project.folder), 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'unshare'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'unshare'), 0o755);
  return { ...ownCache(project), PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

const REFUSED = 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1';

describe('a kernel that refuses namespaces', () => {
  it('has everything run in place, and said in one line', async () => {
    const project = createProject(SHELL_FILES);
    const before = project.snapshot();
    const env = withUnshare(project, REFUSED);

    const run = await prove(project, [...AUTO, '-j', '4'], { env });

    expect(verdicts(run)).toEqual(SHELL_VERDICTS);
    const because =
      'namespaces are refused here (unshare: unshare failed: Operation not permitted)';
    expect(run.record.environment).toMatchObject({ isolation: `in place (${because})`, jobs: 1 });
    expect(run.stderr.match(/namespaces are refused here/g)).toHaveLength(1);
    expect(project.snapshot()).toEqual(before);
    expect(layersOf(project)).toEqual([]);
  });

  it('ends a run that insists on an overlay with 2, and nothing was run', async () => {
    const project = createProject(SHELL_FILES);
    const env = withUnshare(project, REFUSED);

    const run = await counterproof(project, ['run', '--isolation', 'overlay'], { env });

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/--isolation overlay is not possible here: namespaces are refused/);
    expect(layersOf(project)).toEqual([]);
  });
});

it('a container that hides parts of /proc has an overlay without a pid namespace', async () => {
  const project = createProject(SHELL_FILES);
  const before = everything(project, support);
  const env = withUnshare(
    project,
    `case " $* " in *" --mount-proc "*)
  echo "unshare: mount /proc failed: Operation not permitted" >&2; exit 1
esac
PATH='${process.env['PATH'] ?? ''}' exec unshare "$@"`,
  );

  const run = await prove(project, [...AUTO, '-j', '2'], { env });

  expect(verdicts(run)).toEqual(SHELL_VERDICTS);
  expect(run.record.environment.isolation).toMatch(
    support.kind === 'works' ? /^overlay without a pid namespace \(.*\/proc/ : /^in place \(/,
  );
  expect(everything(project, support)).toEqual(before);
  expect(processesOf(project)).toEqual([]);
  expect(layersOf(project)).toEqual([]);
});

/** In a mount namespace of the whole command's own; whoever may mount at all may do this. */
const inMounts = (...lines: readonly string[]): readonly string[] => [
  'unshare',
  ...(isRoot ? [] : ['--user', '--map-root-user']),
  '--mount',
  'sh',
  '-ec',
  [...lines, 'exec "$@"'].join('\n'),
  'sh',
];

it('a tree with another file system mounted in it is left in place', async () => {
  const project = createProject(SHELL_FILES);
  const folder = join(project.folder, 'data');
  mkdirSync(folder);
  const through =
    support.kind === 'works' ? inMounts(`mount -t tmpfs none "${folder}"`) : undefined;

  const run = await prove(project, AUTO, {
    env: ownCache(project),
    ...(through === undefined ? {} : { through }),
  });

  expect(verdicts(run)).toEqual(SHELL_VERDICTS);
  expect(run.record.environment.isolation).toMatch(
    support.kind === 'works' ? /^in place \(data in the tree is a mount/ : /^in place \(/,
  );
});

it('a cache folder in which an overlay cannot write is left, and said where nothing else is there', async () => {
  const project = createProject(SHELL_FILES);
  const before = project.snapshot();
  const base = dirname(project.folder);
  const cache = join(base, 'cache');
  const tmp = join(base, 'tmp');
  for (const name of [cache, tmp]) mkdirSync(name);
  // The kernel takes no overlay for the upper layer of another one.
  const overlaid = [cache, tmp].flatMap((folder, at) => [
    `mkdir "${base}/layer${at}"`,
    `mount -t tmpfs none "${base}/layer${at}"`,
    `mkdir "${base}/layer${at}/u" "${base}/layer${at}/w"`,
    `mount -t overlay none -o "lowerdir=${folder},upperdir=${base}/layer${at}/u,workdir=${base}/layer${at}/w${isRoot ? '' : ',userxattr'}" "${folder}"`,
  ]);

  const run = await prove(project, AUTO, {
    env: { ...ownCache(project), TMPDIR: tmp },
    ...(support.kind === 'works' ? { through: inMounts(...overlaid) } : {}),
  });

  expect(verdicts(run)).toEqual(SHELL_VERDICTS);
  expect(run.record.environment.isolation).toMatch(/^in place \(/);
  expect(run.stderr).not.toContain('Internal error');
  expect(project.snapshot()).toEqual(before);
});

const owned = (project: TestProject): ReadonlyMap<string, string> =>
  new Map(
    [...project.snapshot()].map(([path, state]) => {
      const { uid, gid } = lstatSync(join(project.folder, path));
      return [path, `${state} ${uid}:${gid}`];
    }),
  );

it('files of somebody else in the tree keep their owner, whoever mutates them', async () => {
  const project = createProject(SHELL_FILES);
  if (isRoot) giveAway(project.folder, 1234);
  const before = owned(project);

  const runs = [];
  for (const isolation of ['auto', 'in-place'])
    runs.push(await prove(project, ['run', '--isolation', isolation], { env: ownCache(project) }));

  for (const run of runs) expect(verdicts(run)).toEqual(SHELL_VERDICTS);
  expectIsolation(runs[0]?.record, support);
  expect(runs[1]?.record.environment.isolation).toBe('in place');
  expect(owned(project)).toEqual(before);
});

it('layers on a disk that runs full end in no verdict, and the tree is as before', async () => {
  const project = createProject({
    ...SHELL_FILES,
    'extra.sh': 'dd if=/dev/zero of=big bs=1M count=64 2>/dev/null || true\n',
  });
  const before = everything(project, support);
  const cache = join(dirname(project.folder), 'cache');
  mkdirSync(cache);

  const run = await prove(project, [...AUTO, '-j', '1'], {
    env: ownCache(project),
    ...(support.kind === 'works'
      ? { through: inMounts(`mount -t tmpfs -o size=24m none "${cache}"`) }
      : {}),
  });

  expectIsolation(run.record, support);
  if (support.kind === 'refused') {
    // The lane fills no layer, and what it leaves in the tree is its own.
    expect(verdicts(run)).toEqual(SHELL_VERDICTS);
    return;
  }
  expect(verdicts(run)).toEqual({ minus: 'incomplete', thrice: 'incomplete' });
  expect(run.proof('minus').reason).toContain('no room left on the disk');
  expect(existsSync(join(project.folder, 'big'))).toBe(false);
  expect(everything(project, support)).toEqual(before);
});

function giveAway(folder: string, user: number): void {
  chownSync(folder, user, user);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), user, user);
}

it('an ordinary user has an overlay too, and keeps every uid and time', async () => {
  const project = createProject(SHELL_FILES);
  const own = dirname(project.folder);
  const nobody = 65_534;
  const asUser = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  const through = isRoot ? asUser : [];
  mkdirSync(join(own, 'cache'), { recursive: true });
  mkdirSync(project.state, { recursive: true });
  if (isRoot) {
    chmodSync(own, 0o755);
    giveAway(own, nobody);
  }
  // Whether a user may is another question than whether root may.
  const theirs = isRoot ? probeOverlay(nobody) : support;
  const before = everything(project, theirs);
  const env = { ...ownCache(project), HOME: own };

  const run = await prove(project, [...AUTO, '-j', '2'], { env, through });

  expect(verdicts(run)).toEqual(SHELL_VERDICTS);
  expect(everything(project, theirs)).toEqual(before);
  expectIsolation(run.record, theirs);
  expect(layersOf(project)).toEqual([]);
  expect(processesOf(project)).toEqual([]);
  if (!isRoot) return;

  chownSync(join(project.folder, 'mutations'), nobody, 1);
  const foreign = await prove(project, AUTO, { env, through });
  expect(verdicts(foreign)).toEqual(SHELL_VERDICTS);
  expect(foreign.record.environment.isolation).toMatch(
    /^in place \(mutations has another owner or group than you/,
  );
});
