import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../../src/workspace/checksum.js';
import { identify, lifeOf, type ProcessIdentity } from '../../src/workspace/owner.js';
import { recover, type RecoverOutcome } from '../../src/workspace/recover.js';
import { leaveWord } from '../../src/workspace/untold.js';
import {
  contentOf,
  edit,
  editsOf,
  journalFiles,
  makeBench,
  must,
  open,
  stateOf,
  strayNames,
  untilHalted,
  type Bench,
} from './helpers.js';

vi.setConfig({ testTimeout: 300_000 });

/** Applies, and is gone: with `at`, before the first step of that name. */
async function killedRun(
  bench: Bench,
  at: string | null,
  edits = editsOf(bench.tree),
): Promise<void> {
  await untilHalted(async (halt) => {
    const workspace = await open(bench, {
      onStep: (name) => (name === at ? halt() : undefined),
    });
    must(await workspace.apply('m', edits));
  });
}

const recovered = (bench: Bench): Promise<RecoverOutcome> =>
  recover(bench.tree, { environment: bench.environment });

test('a tree without a journal has nothing to recover, and no folder is made in it', async () => {
  const bench = makeBench();
  expect(await recovered(bench)).toEqual({ kind: 'nothing', notes: [] });
  expect(existsSync(join(bench.tree, '.counterproof'))).toBe(false);
});

test('what was applied is put back, with the sums from disk', async () => {
  const bench = makeBench();
  const before = stateOf(bench.tree);
  await killedRun(bench, null);
  const outcome = await recovered(bench);
  expect(outcome).toMatchObject({ kind: 'restored' });
  expect('files' in outcome && outcome.files).toContainEqual({
    path: 'a.py',
    sha256: sha256(Buffer.from('def f():\n    return 1\n')),
  });
  expect(stateOf(bench.tree)).toEqual(before);
  expect(journalFiles(bench)).toEqual([]);
});

test('probe files go too', async () => {
  const bench = makeBench();
  const before = stateOf(bench.tree);
  const workspace = await open(bench);
  must(await workspace.place([{ path: 'p/test_p.py', content: Buffer.from('p') }]));
  must(await workspace.apply('m', [edit(bench.tree, 'p/test_p2.py', 'x')]));
  expect(await recovered(bench)).toMatchObject({ kind: 'restored' });
  expect(stateOf(bench.tree)).toEqual(before);
});

const recoveries: [string, (tree: string) => void, (tree: string) => Record<string, string>][] = [
  ['with the kept links', () => undefined, stateOf],
  [
    'from the copies alone',
    (tree) => strayNames(tree).forEach((name) => rmSync(join(tree, name))),
    contentOf,
  ],
];
test.each(recoveries)(
  'a recovery %s that is itself killed at any step is finished by the next',
  async (_, damage, view) => {
    const bench = makeBench();
    const before = view(bench.tree);
    const whole: number[] = [];
    for (let at = 1; whole.length === 0; at++) {
      await killedRun(bench, null);
      damage(bench.tree);
      await untilHalted(async (halt) => {
        let count = 0;
        const onStep = (): Promise<never> | undefined => (++count === at ? halt() : undefined);
        await recover(bench.tree, { environment: bench.environment, onStep });
        whole.push(count);
      });
      const outcome = await recovered(bench);
      expect(['restored', 'nothing'], JSON.stringify(outcome)).toContain(outcome.kind);
      expect(view(bench.tree), `recovery killed at step ${at}`).toEqual(before);
      expect(journalFiles(bench)).toEqual([]);
    }
    expect(whole[0]).toBeGreaterThan(20);
  },
);

describe('one of the two places is gone or damaged:', () => {
  const damages: [string, (bench: Bench) => void][] = [
    [
      'rm -rf .counterproof',
      ({ tree }) => rmSync(join(tree, '.counterproof'), { recursive: true }),
    ],
    [
      'git clean -xfd',
      ({ tree }) => {
        rmSync(join(tree, '.counterproof'), { recursive: true });
        for (const name of strayNames(tree)) rmSync(join(tree, name));
      },
    ],
    [
      'an emptied journal folder',
      ({ tree }) => {
        const folder = join(tree, '.counterproof/journal');
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
      },
    ],
    [
      'a torn entry',
      ({ tree }) => {
        const folder = join(tree, '.counterproof/journal');
        for (const name of readdirSync(folder)) {
          if (name.endsWith('.json'))
            writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, 700));
        }
      },
    ],
    [
      'an altered entry',
      ({ tree }) => {
        const folder = join(tree, '.counterproof/journal');
        for (const name of readdirSync(folder)) {
          if (name.endsWith('.json'))
            writeFileSync(
              join(folder, name),
              readFileSync(join(folder, name), 'utf8').replace('"a.py"', '"other.txt"'),
            );
        }
      },
    ],
    ['the folder outside', ({ home }) => rmSync(join(home, '.local'), { recursive: true })],
    [
      'the kept links and the copies in the tree altered',
      ({ tree }) => {
        for (const name of strayNames(tree)) rmSync(join(tree, name));
        const folder = join(tree, '.counterproof/journal');
        for (const name of readdirSync(folder))
          if (name.endsWith('.original')) writeFileSync(join(folder, name), 'bit rot');
      },
    ],
  ];
  test.each(damages)('%s', async (_, damage) => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    await killedRun(bench, null);
    damage(bench);
    expect(await recovered(bench)).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  const beyondUse: [string, (text: string) => string][] = [
    ['torn', (text) => text.slice(0, 700)],
    ['altered', (text) => text.replace('"path": "a.py"', '"path": "other.txt"')],
  ];
  test.each(beyondUse)('both, one of them %s: says so, and touches nothing', async (_, spoil) => {
    const bench = makeBench();
    await killedRun(bench, null);
    rmSync(join(bench.home, '.local'), { recursive: true });
    const folder = join(bench.tree, '.counterproof/journal');
    const entry = readdirSync(folder).find((name) => name.endsWith('.json')) ?? '';
    writeFileSync(join(folder, entry), spoil(readFileSync(join(folder, entry), 'utf8')));
    const before = stateOf(bench.tree);
    const outcome = await recovered(bench);
    if (outcome.kind !== 'failed') throw new Error(outcome.kind);
    expect(outcome.path).toBe(join(folder, entry));
    expect(readFileSync(outcome.original, 'utf8')).toBe('def f():\n    return 1\n');
    expect(stateOf(bench.tree)).toEqual(before);
    expect(readdirSync(folder)).toContain(entry);
  });
});

describe("somebody's work", () => {
  test('that a slot set aside with nobody left to tell is told by the next start, once', async () => {
    const bench = makeBench();
    const keptAs = join(bench.tree, '.counterproof/kept/then/a.py');
    mkdirSync(dirname(keptAs), { recursive: true });
    writeFileSync(keptAs, 'mine\n');
    await leaveWord(bench.tree, [{ path: 'a.py', keptAs }]);
    expect(await recovered(bench)).toMatchObject({
      kind: 'kept',
      kept: [{ path: 'a.py', keptAs }],
    });
    expect((await recovered(bench)).kind).toBe('nothing');
    expect(existsSync(keptAs)).toBe(true);
  });

  test('on the mutant is kept aside, and the original goes back', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    await killedRun(bench, null);
    writeFileSync(join(bench.tree, 'a.py'), 'def f():\n    return 2  # and more\n');
    const outcome = await recovered(bench);
    if (outcome.kind !== 'kept') throw new Error(outcome.kind);
    expect(outcome.kept).toMatchObject([{ path: 'a.py' }]);
    expect(readFileSync(outcome.kept[0]?.keptAs ?? '', 'utf8')).toContain('# and more');
    expect(contentOf(bench.tree)).toEqual(before);
    expect(await recovered(bench)).toEqual({ kind: 'nothing', notes: [] });
    expect(existsSync(outcome.kept[0]?.keptAs ?? '')).toBe(true);
  });

  const early: [string, string][] = [
    ['before the entry has its name', 'journal name'],
    ['before the link', 'link a.py'],
    ['between link and mutant', 'write a.py'],
    ['between mutant and swap', 'swap a.py'],
  ];
  test.each(early)(
    'written in place after a run that was killed %s stays where it is',
    async (_, at) => {
      const bench = makeBench();
      await killedRun(bench, at, [edit(bench.tree, 'a.py', 'mutant\n')]);
      writeFileSync(join(bench.tree, 'a.py'), 'an hour of work\n');
      chmodSync(join(bench.tree, 'a.py'), 0o700);
      const before = stateOf(bench.tree);
      const outcome = await recovered(bench);
      expect(['restored', 'nothing']).toContain(outcome.kind);
      expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('an hour of work\n');
      expect(stateOf(bench.tree)['a.py']?.split(' ')[0]).toBe(before['a.py']?.split(' ')[0]);
      expect(strayNames(bench.tree)).toEqual([]);
      expect(journalFiles(bench)).toEqual([]);
    },
  );

  test('a mode that its owner gave since stays', async () => {
    const bench = makeBench();
    await killedRun(bench, 'write a.py', [edit(bench.tree, 'a.py', 'mutant\n')]);
    chmodSync(join(bench.tree, 'a.py'), 0o755);
    expect(await recovered(bench)).toMatchObject({ kind: 'restored' });
    expect(lstatSync(join(bench.tree, 'a.py')).mode & 0o777).toBe(0o755);
    expect(strayNames(bench.tree)).toEqual([]);
  });

  test('renamed over a file that was not mutated yet stays, too', async () => {
    const bench = makeBench();
    await killedRun(bench, 'swap a.py', [edit(bench.tree, 'a.py', 'mutant\n')]);
    writeFileSync(join(bench.tree, 'a~'), 'an hour of work\n');
    renameSync(join(bench.tree, 'a~'), join(bench.tree, 'a.py'));
    expect((await recovered(bench)).kind).not.toBe('kept');
    expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('an hour of work\n');
    expect(strayNames(bench.tree)).toEqual([]);
  });

  test('renamed over a file whose entry was named outside the tree alone stays', async () => {
    const bench = makeBench();
    let named = 0;
    await untilHalted(async (halt) => {
      const onStep = (name: string): Promise<never> | undefined =>
        name === 'journal name' && ++named === 2 ? halt() : undefined;
      const workspace = await open(bench, { onStep });
      must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    });
    writeFileSync(join(bench.tree, 'a~'), 'an hour of work\n');
    renameSync(join(bench.tree, 'a~'), join(bench.tree, 'a.py'));
    expect((await recovered(bench)).kind).not.toBe('kept');
    expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('an hour of work\n');
    expect(journalFiles(bench)).toEqual([]);
  });

  test('written after a restore whose entry outlived it outside the tree stays', async () => {
    const bench = makeBench();
    let removed = 0;
    await untilHalted(async (halt) => {
      const onStep = (name: string): Promise<never> | undefined =>
        name === 'journal remove' && ++removed === 2 ? halt() : undefined;
      const workspace = await open(bench, { onStep });
      must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
      await workspace.restore();
    });
    writeFileSync(join(bench.tree, 'a~'), 'an hour of work\n');
    renameSync(join(bench.tree, 'a~'), join(bench.tree, 'a.py'));
    expect((await recovered(bench)).kind).not.toBe('kept');
    expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('an hour of work\n');
    expect(journalFiles(bench)).toEqual([]);
  });

  test('in a new clone at the same path is not taken for a mutant', async () => {
    const bench = makeBench();
    await killedRun(bench, null);
    rmSync(bench.tree, { recursive: true });
    mkdirSync(join(bench.tree, 'pkg'), { recursive: true });
    writeFileSync(join(bench.tree, 'a.py'), 'a later commit\n');
    const before = stateOf(bench.tree);
    const outcome = await recovered(bench);
    expect(outcome.kind).toBe('restored');
    expect(stateOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });
});

test('git reset --hard after the kill: already restored', async () => {
  const bench = makeBench();
  const before = contentOf(bench.tree);
  await killedRun(bench, null);
  for (const [path, content] of [
    ['a.py', 'def f():\n    return 1\n'],
    ['pkg/b ü.py', 'B = 1\r\n'],
    ['pkg/gone.txt', 'data\n'],
  ] as const) {
    rmSync(join(bench.tree, path), { force: true });
    writeFileSync(join(bench.tree, path), content);
  }
  expect(await recovered(bench)).toMatchObject({ kind: 'restored' });
  expect(contentOf(bench.tree)).toEqual(before);
  expect(journalFiles(bench)).toEqual([]);
});

test('a tree that was moved after the kill recovers where it is', async () => {
  const bench = makeBench();
  const before = contentOf(bench.tree);
  await killedRun(bench, null);
  const moved = join(bench.tree, '../moved');
  renameSync(bench.tree, moved);
  expect(await recover(moved, { environment: bench.environment })).toMatchObject({
    kind: 'restored',
  });
  expect(contentOf(moved)).toEqual(before);
});

test('a tree that was copied after the kill recovers in both places', async () => {
  const bench = makeBench();
  const before = contentOf(bench.tree);
  await killedRun(bench, null);
  const copy = join(bench.tree, '../copy');
  cpSync(bench.tree, copy, { recursive: true });
  for (const tree of [copy, bench.tree]) {
    expect(await recover(tree, { environment: bench.environment })).toMatchObject({
      kind: 'restored',
    });
    expect(contentOf(tree)).toEqual(before);
  }
});

test('an entry that leads out of the tree, or into .git, is not believed', async () => {
  for (const path of ['../evil', '.git/hooks/pre-commit', '/tmp/evil']) {
    const bench = makeBench();
    await killedRun(bench, null, [edit(bench.tree, 'a.py', 'mutant\n')]);
    rmSync(join(bench.home, '.local'), { recursive: true });
    const folder = join(bench.tree, '.counterproof/journal');
    const name = readdirSync(folder).find((it) => it.endsWith('.json')) ?? '';
    const { entry } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    entry.files[0].path = path;
    const sum = sha256(Buffer.from(JSON.stringify(entry)));
    writeFileSync(join(folder, name), JSON.stringify({ sum, entry }));
    expect(await recovered(bench)).toMatchObject({ kind: 'failed' });
  }
});

async function sleeper(): Promise<{ owner: ProcessIdentity; ended: Promise<unknown[]> }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log(1)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { owner: identify(child.pid), ended };
}

describe('an owner that still lives', () => {
  test('is waited for, then ended, then its edits are put back', async () => {
    const bench = makeBench();
    const before = stateOf(bench.tree);
    const { owner, ended } = await sleeper();
    must(await (await open(bench, { owner })).apply('m', editsOf(bench.tree)));
    const waited: number[] = [];
    const outcome = await recover(bench.tree, {
      environment: bench.environment,
      waitMs: 50,
      onWait: (it) => waited.push(it.pid),
    });
    expect(outcome.kind).toBe('restored');
    expect(waited).toEqual([owner.pid]);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(lifeOf(owner)).toBe('dead');
    expect(stateOf(bench.tree)).toEqual(before);
  });

  test('is not ended where it restores in time, though the clock is set meanwhile', async () => {
    const clock = vi.spyOn(Date, 'now');
    onTestFinished(() => clock.mockRestore());
    const bench = makeBench();
    const { owner, ended } = await sleeper();
    const workspace = await open(bench, { owner });
    must(await workspace.apply('m', editsOf(bench.tree)));
    const restoring: Promise<unknown>[] = [];
    const outcome = await recover(bench.tree, {
      environment: bench.environment,
      waitMs: 60_000,
      onWait() {
        clock.mockReturnValue(Date.now() + 3_600_000);
        restoring.push(workspace.restore());
      },
    });
    await Promise.all(restoring);
    expect(outcome.kind).toBe('nothing');
    expect(lifeOf(owner)).toBe('alive');
    process.kill(owner.pid, 'SIGKILL');
    await ended;
  });

  test('is left alone where its number belongs to a later process', async () => {
    const bench = makeBench();
    const { owner, ended } = await sleeper();
    must(
      await (
        await open(bench, { owner: { ...owner, start: '7' } })
      ).apply('m', editsOf(bench.tree)),
    );
    const outcome = await recover(bench.tree, { environment: bench.environment, waitMs: 60_000 });
    expect(outcome.kind).toBe('restored');
    expect(lifeOf(owner)).toBe('alive');
    process.kill(owner.pid, 'SIGKILL');
    await ended;
  });
});

test('unfinished journal files of a killed run are swept', async () => {
  const bench = makeBench();
  const before = stateOf(bench.tree);
  await killedRun(bench, 'journal name');
  expect(journalFiles(bench).length).toBeGreaterThan(0);
  expect(await recovered(bench)).toMatchObject({ kind: 'nothing' });
  expect(journalFiles(bench)).toEqual([]);
  expect(stateOf(bench.tree)).toEqual(before);
});

test('a read-only file comes back read-only', async () => {
  const bench = makeBench();
  chmodSync(join(bench.tree, 'a.py'), 0o444);
  const before = stateOf(bench.tree);
  await killedRun(bench, null);
  expect(lstatSync(join(bench.tree, 'a.py')).mode & 0o777).toBe(0o444);
  await recovered(bench);
  expect(stateOf(bench.tree)).toEqual(before);
});
