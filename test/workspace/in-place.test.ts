import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../../src/workspace/checksum.js';
import { openInPlace } from '../../src/workspace/in-place.js';
import {
  contentOf,
  deadOwner,
  edit,
  editsOf,
  journalFiles,
  makeBench,
  must,
  mustFail,
  open,
  stateOf,
  strayNames,
} from './helpers.js';

// Every step is a handful of fsyncs, which take what the disk needs.
vi.setConfig({ testTimeout: 300_000 });

const sum = (text: string): string => sha256(Buffer.from(text));

describe('apply', () => {
  test('lands every kind of edit and reports sums from disk', async () => {
    const bench = makeBench();
    const workspace = await open(bench);
    const applied = must(await workspace.apply('m', editsOf(bench.tree)));
    expect(applied).toEqual([
      {
        path: 'a.py',
        baseline: sum('def f():\n    return 1\n'),
        mutated: sum('def f():\n    return 2\n'),
      },
      { path: 'pkg/b ü.py', baseline: sum('B = 1\r\n'), mutated: sum('B = 2\r\n') },
      { path: 'new/deep/c.py', baseline: null, mutated: sum('C = 1\n') },
      { path: 'new/deep/d.py', baseline: null, mutated: sum('D = 1\n') },
      { path: 'pkg/gone.txt', baseline: sum('data\n'), mutated: null },
    ]);
    expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('def f():\n    return 2\n');
    expect(existsSync(join(bench.tree, 'pkg/gone.txt'))).toBe(false);
  });

  test('gives the files of a crate the time at which they came back, later ones excepted', async () => {
    const bench = makeBench({
      'Cargo.toml': '[package]',
      'src/lib.rs': 'a',
      'src/late.rs': 'a',
      'src/gone.rs': 'a',
    });
    const timeOf = (path: string): number => lstatSync(join(bench.tree, path)).mtimeMs;
    const date = (path: string, seconds: number): void => {
      utimesSync(join(bench.tree, path), seconds, seconds);
    };
    date('src/lib.rs', 1_000_000_000);
    date('src/gone.rs', 1_000_000_000);
    date('src/late.rs', 4_000_000_000);
    const workspace = await open(bench);
    must(
      await workspace.apply('m', [
        edit(bench.tree, 'src/lib.rs', 'b'),
        edit(bench.tree, 'src/late.rs', 'b'),
        edit(bench.tree, 'src/gone.rs', null),
        edit(bench.tree, 'src/new.rs', 'b'),
      ]),
    );
    const mutant = timeOf('src/lib.rs');
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(timeOf('src/lib.rs')).toBeGreaterThan(mutant);
    expect(timeOf('src/gone.rs')).toBeGreaterThan(mutant);
    expect(timeOf('src/late.rs')).toBe(4_000_000_000_000);
    expect(contentOf(bench.tree)['src/lib.rs']).toBe('100644 a');
    expect(timeOf('Cargo.toml')).toBeLessThan(mutant);
  });

  test('is undone to bytes, mode, inode, times and names', async () => {
    const bench = makeBench();
    chmodSync(join(bench.tree, 'a.py'), 0o750);
    utimesSync(join(bench.tree, 'a.py'), 1_000_000_000.25, 1_000_000_000.25);
    const before = stateOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.apply('m', editsOf(bench.tree)));
    expect(lstatSync(join(bench.tree, 'a.py')).mode & 0o7777).toBe(0o750);
    expect(await workspace.restore()).toEqual({
      kind: 'restored',
      files: [
        { path: 'a.py', sha256: sum('def f():\n    return 1\n') },
        { path: 'pkg/b ü.py', sha256: sum('B = 1\r\n') },
        { path: 'new/deep/c.py', sha256: null },
        { path: 'new/deep/d.py', sha256: null },
        { path: 'pkg/gone.txt', sha256: sum('data\n') },
      ],
    });
    expect(stateOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('keeps the original in the journal and outside the tree before anything is written', async () => {
    const bench = makeBench();
    let journalled: string[] = [];
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name === 'link a.py') journalled = journalFiles(bench);
      },
    });
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'x\n')]));
    expect(journalled.filter((name) => name.endsWith('.json'))).toHaveLength(2);
    expect(journalled.filter((name) => name.endsWith('.original'))).toHaveLength(2);
    expect(readFileSync(join(bench.tree, '.counterproof/.gitignore'), 'utf8')).toBe('*\n');
  });

  test('a write is believed only when it was read back', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name === 'read a.py') writeFileSync(join(bench.tree, 'a.py'), 'half of wh');
      },
    });
    const problem = mustFail(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    expect(problem.why).toContain('did not have the written bytes');
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('gives every write of a path a newer time than all before', async () => {
    const bench = makeBench();
    const path = join(bench.tree, 'a.py');
    const future = 4_000_000_000;
    utimesSync(path, future, future);
    const workspace = await open(bench);
    const times = [lstatSync(path, { bigint: true }).mtimeNs];
    for (const content of ['1\n', '2\n', '3\n', '4\n']) {
      must(await workspace.apply('m', [edit(bench.tree, 'a.py', content)]));
      times.push(lstatSync(path, { bigint: true }).mtimeNs);
      expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    }
    expect(times.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(times);
    expect(new Set(times).size).toBe(times.length);
    expect(lstatSync(path, { bigint: true }).mtimeNs).toBe(times[0]);
  });

  test('edits a symlinked file at its real path and leaves the link alone', async () => {
    const bench = makeBench();
    symlinkSync('a.py', join(bench.tree, 'alias.py'));
    const before = stateOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'alias.py', 'x\n')]));
    expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('x\n');
    expect(lstatSync(join(bench.tree, 'alias.py')).isSymbolicLink()).toBe(true);
    await workspace.restore();
    expect(stateOf(bench.tree)).toEqual(before);
  });

  test('handles odd names', async () => {
    const names = ['-rf', 'a b', 'new\nline.py', 'ünï.py', 'ü'.repeat(127), 'x'.repeat(255)];
    const bench = makeBench(Object.fromEntries(names.map((name) => [name, 'old'])));
    const before = stateOf(bench.tree);
    const workspace = await open(bench);
    must(
      await workspace.apply(
        'm',
        names.map((name) => edit(bench.tree, name, 'new')),
      ),
    );
    for (const name of names) expect(readFileSync(join(bench.tree, name), 'utf8')).toBe('new');
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(stateOf(bench.tree)).toEqual(before);
  });

  test('notes a file with other names, which keep the original bytes, and keeps it linked', async () => {
    const bench = makeBench();
    linkSync(join(bench.tree, 'a.py'), join(bench.tree, 'twin.py'));
    const before = stateOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'x\n')]));
    expect(readFileSync(join(bench.tree, 'twin.py'), 'utf8')).toContain('return 1');
    expect(workspace.notes().join('\n')).toContain('a.py has 2 names');
    await workspace.restore();
    expect(stateOf(bench.tree)).toEqual(before);
  });

  test('mutates an empty file, and empties a file', async () => {
    const bench = makeBench({ 'empty.py': '', 'full.py': 'x' });
    const before = stateOf(bench.tree);
    const workspace = await open(bench);
    must(
      await workspace.apply('m', [
        edit(bench.tree, 'empty.py', 'y'),
        edit(bench.tree, 'full.py', ''),
      ]),
    );
    expect(readFileSync(join(bench.tree, 'full.py'), 'utf8')).toBe('');
    await workspace.restore();
    expect(stateOf(bench.tree)).toEqual(before);
  });
});

describe('apply refuses, and touches nothing,', () => {
  const cases: [
    string,
    (tree: string) => Parameters<Awaited<ReturnType<typeof open>>['apply']>[1],
    string,
  ][] = [
    [
      'bytes that are not the expected ones',
      () => [{ path: 'a.py', before: Buffer.from('x'), after: Buffer.from('y') }],
      'its bytes on disk',
    ],
    [
      'a missing file',
      () => [{ path: 'no.py', before: Buffer.from('x'), after: Buffer.from('y') }],
      'no such file',
    ],
    [
      'an edit without a change',
      (tree) => [edit(tree, 'a.py', 'def f():\n    return 1\n')],
      'changes no byte',
    ],
    ['no edit at all', () => [], 'no edit'],
    [
      'creating over a file',
      () => [{ path: 'a.py', before: null, after: Buffer.from('y') }],
      'it exists',
    ],
    [
      'a path out of the tree',
      () => [{ path: '../x.py', before: null, after: Buffer.from('y') }],
      'leads out',
    ],
    [
      'an absolute path',
      (tree) => [{ path: join(tree, 'x'), before: null, after: Buffer.from('y') }],
      'absolute',
    ],
    [
      "git's own files",
      () => [{ path: '.git/hooks/x', before: null, after: Buffer.from('y') }],
      "git's own",
    ],
    [
      'our own folder',
      () => [{ path: '.counterproof/x', before: null, after: Buffer.from('y') }],
      'own folder',
    ],
    [
      'a name that is no UTF-8',
      () => [{ path: 'x\uFFFD', before: null, after: Buffer.from('y') }],
      'UTF-8',
    ],
    [
      'a folder',
      () => [{ path: 'pkg', before: Buffer.from('x'), after: Buffer.from('y') }],
      'not a regular file',
    ],
    [
      'a file below a file',
      () => [{ path: 'a.py/x', before: null, after: Buffer.from('y') }],
      'not a folder',
    ],
    [
      'the same file twice',
      (tree) => [edit(tree, 'a.py', '1'), edit(tree, 'alias.py', '2')],
      'mutated already',
    ],
    ['a link that leads outside', (tree) => [edit(tree, 'outside', '2')], 'outside the tree'],
    [
      'a folder that leads outside',
      () => [{ path: 'away/x', before: null, after: Buffer.from('y') }],
      'outside the tree',
    ],
    ['a link into git', (tree) => [edit(tree, 'sly', '2')], "git's own"],
    [
      'the second of two edits',
      (tree) => [
        edit(tree, 'a.py', '1'),
        { path: 'other.txt', before: Buffer.from('x'), after: Buffer.from('y') },
      ],
      'its bytes on disk',
    ],
  ];
  test.each(cases)('%s', async (_, edits, why) => {
    const bench = makeBench();
    const { tree } = bench;
    mkdirSync(join(tree, '.git'));
    writeFileSync(join(tree, '.git/config'), 'x');
    writeFileSync(join(tree, '..', 'secret'), 'x');
    symlinkSync('a.py', join(tree, 'alias.py'));
    symlinkSync('../secret', join(tree, 'outside'));
    symlinkSync('..', join(tree, 'away'));
    symlinkSync('.git/config', join(tree, 'sly'));
    const before = stateOf(tree);
    const workspace = await open(bench);
    expect(mustFail(await workspace.apply('m', edits(tree))).why).toContain(why);
    expect(stateOf(tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('a second set of edits while one is in place', async () => {
    const bench = makeBench();
    const workspace = await open(bench);
    must(await workspace.apply('first', [edit(bench.tree, 'a.py', 'x')]));
    const problem = mustFail(await workspace.apply('second', [edit(bench.tree, 'other.txt', 'x')]));
    expect(problem.why).toContain('first');
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
  });

  test('an own folder that is a link to elsewhere', async () => {
    const bench = makeBench();
    symlinkSync('..', join(bench.tree, '.counterproof'));
    const { tree, environment } = bench;
    const problem = mustFail(await openInPlace({ tree, runId: 'r', environment }));
    expect(problem.why).toContain('symlink');
  });
});

describe('a fault at any step of apply', () => {
  test.each(['ENOSPC'])('%s leaves the tree as it was', async (code) => {
    const bench = makeBench();
    const before = stateOf(bench.tree);
    let count = 0;
    let failAt = Number.POSITIVE_INFINITY;
    let once = false;
    const onStep = (): void => {
      if (++count === failAt && !once) {
        once = true;
        throw Object.assign(new Error(`${code}: simulated`), { code });
      }
    };
    const workspace = await open(bench, { onStep });
    must(await workspace.apply('m', editsOf(bench.tree)));
    const steps = count;
    expect(steps).toBeGreaterThan(30);
    await workspace.restore();
    let refused = 0;
    for (let step = 1; step <= steps; step++) {
      count = 0;
      failAt = step;
      once = false;
      const result = await workspace.apply('m', editsOf(bench.tree));
      failAt = Number.POSITIVE_INFINITY;
      if (result.ok) expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
      else {
        refused++;
        expect(result.error.why).toContain('simulated');
        expect(result.error.undone).toBeUndefined();
      }
      expect(stateOf(bench.tree), `step ${step}`).toEqual(before);
      expect(journalFiles(bench)).toEqual([]);
    }
    // Only the copy outside the tree may fail without consequence: there is a second place for it.
    expect(refused).toBeGreaterThan(steps / 2);
  });

  test('without hard links the original is kept as a copy, and that is said', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const workspace = await open(bench, {
      onStep: (name) => {
        if (/^(link|hold|place) /.test(name)) {
          throw Object.assign(new Error('EPERM: simulated'), { code: 'EPERM' });
        }
      },
    });
    must(await workspace.apply('m', editsOf(bench.tree)));
    expect(workspace.notes().join('\n')).toContain('cannot have a second name');
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
    expect(strayNames(bench.tree)).toEqual([]);
  });

  test('somebody who saves at the last moment keeps their bytes', async () => {
    const bench = makeBench();
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name === 'time a.py') writeFileSync(join(bench.tree, 'a.py'), 'typed just now\n');
      },
    });
    const problem = mustFail(await workspace.apply('m', [edit(bench.tree, 'a.py', 'x')]));
    expect(problem.why).toContain('somebody changed it');
    expect(readFileSync(join(bench.tree, 'a.py'), 'utf8')).toBe('typed just now\n');
    expect(strayNames(bench.tree)).toEqual([]);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('a file that somebody makes at the last moment is not overwritten by a created one', async () => {
    const bench = makeBench();
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name === 'place new.py') writeFileSync(join(bench.tree, 'new.py'), 'mine\n');
      },
    });
    mustFail(await workspace.apply('m', [edit(bench.tree, 'new.py', 'x')]));
    expect(readFileSync(join(bench.tree, 'new.py'), 'utf8')).toBe('mine\n');
    expect(strayNames(bench.tree)).toEqual([]);
  });
});

async function mutated(): Promise<{
  bench: ReturnType<typeof makeBench>;
  path: string;
  workspace: Awaited<ReturnType<typeof open>>;
  before: ReturnType<typeof contentOf>;
}> {
  const bench = makeBench();
  const before = contentOf(bench.tree);
  const workspace = await open(bench);
  must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
  return { bench, path: join(bench.tree, 'a.py'), workspace, before };
}

describe('restore looks first:', () => {
  const work: [string, (path: string) => void, string | null][] = [
    ['bytes written in place', (path) => writeFileSync(path, 'work\n'), 'work\n'],
    [
      'a file renamed over it',
      (path) => {
        writeFileSync(`${path}~`, 'work\n');
        renameSync(`${path}~`, path);
      },
      'work\n',
    ],
    ['a file emptied', (path) => writeFileSync(path, ''), ''],
    [
      'a folder in its place',
      (path) => {
        rmSync(path);
        mkdirSync(path);
        writeFileSync(join(path, 'f'), 'work\n');
      },
      null,
    ],
    [
      'a symlink in its place',
      (path) => {
        rmSync(path);
        symlinkSync('other.txt', path);
      },
      null,
    ],
    [
      'a dangling symlink in its place',
      (path) => {
        rmSync(path);
        symlinkSync('nowhere', path);
      },
      null,
    ],
    [
      'a deletion',
      (path) => rmSync(path),
      'a.py had been deleted while a mutation stood in it; the original was put back.\n',
    ],
  ];
  test.each(work)('%s: kept under a name, and the original goes back', async (_, act, bytes) => {
    const { bench, path, workspace, before } = await mutated();
    act(path);
    const outcome = await workspace.restore();
    if (outcome.kind !== 'kept') throw new Error(JSON.stringify(outcome));
    expect(outcome.kept).toMatchObject([{ path: 'a.py' }]);
    const keptAs = outcome.kept[0]?.keptAs ?? '';
    expect(lstatSync(keptAs, { throwIfNoEntry: false })).toBeDefined();
    if (bytes !== null) expect(readFileSync(keptAs, 'utf8')).toBe(bytes);
    expect(contentOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('original bytes (git reset) are already restored', async () => {
    const { bench, path, workspace, before } = await mutated();
    rmSync(path);
    writeFileSync(path, 'def f():\n    return 1\n');
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('original bytes with another mode get their mode back', async () => {
    const bench = makeBench();
    const path = join(bench.tree, 'a.py');
    chmodSync(path, 0o600);
    const before = contentOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    rmSync(path);
    writeFileSync(path, 'def f():\n    return 1\n');
    chmodSync(path, 0o644);
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('a mode that the mutant was given goes with it, and that is said', async () => {
    const { bench, path, workspace, before } = await mutated();
    chmodSync(path, 0o755);
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
    expect(workspace.notes()).toEqual([
      'a.py was given mode 755 while a mutation stood in it, and has 644 again',
    ]);
  });

  test('an older descriptor that wrote into the kept original: both are kept, the bytes are right', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const descriptor = openSync(join(bench.tree, 'a.py'), 'r+');
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    writeSync(descriptor, 'ZZZ');
    fsyncSync(descriptor);
    closeSync(descriptor);
    const outcome = await workspace.restore();
    if (outcome.kind !== 'kept') throw new Error(JSON.stringify(outcome));
    expect(readFileSync(outcome.kept[0]?.keptAs ?? '', 'utf8')).toBe('ZZZ f():\n    return 1\n');
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('the mutant that somebody writes to while it is taken out is kept', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name === 'bring back a.py') writeFileSync(join(bench.tree, 'a.py'), 'typed\n');
      },
    });
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    const outcome = await workspace.restore();
    if (outcome.kind !== 'kept') throw new Error(JSON.stringify(outcome));
    expect(readFileSync(outcome.kept[0]?.keptAs ?? '', 'utf8')).toBe('typed\n');
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('git clean -xfd during the run takes neither the original nor the restore', async () => {
    const { bench, workspace, before } = await mutated();
    rmSync(join(bench.tree, '.counterproof'), { recursive: true });
    for (const name of strayNames(bench.tree)) rmSync(join(bench.tree, name));
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('the folder was deleted, or a link stands in its place', async () => {
    for (const link of [false, true]) {
      const bench = makeBench();
      const workspace = await open(bench);
      const before = contentOf(bench.tree);
      must(await workspace.apply('m', [edit(bench.tree, 'pkg/gone.txt', 'mutant\n')]));
      renameSync(join(bench.tree, 'pkg'), join(bench.tree, '../away'));
      if (link) symlinkSync('../away', join(bench.tree, 'pkg'));
      const outcome = await workspace.restore();
      expect(outcome.kind).toBe('kept');
      expect(contentOf(bench.tree)['pkg/gone.txt']).toBe(before['pkg/gone.txt']);
      expect(lstatSync(join(bench.tree, 'pkg')).isDirectory()).toBe(true);
    }
  });

  test('a changed mode of the mutant does not stay', async () => {
    const { bench, path, workspace, before } = await mutated();
    chmodSync(path, 0o600);
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('what was put in the place of a deleted file is kept', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', null)]));
    writeFileSync(join(bench.tree, 'a.py'), 'work\n');
    expect(await workspace.restore()).toMatchObject({ kind: 'kept', kept: [{ path: 'a.py' }] });
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('a created file that was written to is kept, and goes', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'new/x.py', 'x')]));
    writeFileSync(join(bench.tree, 'new/x.py'), 'work\n');
    expect(await workspace.restore()).toMatchObject({ kind: 'kept', kept: [{ path: 'new/x.py' }] });
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('a folder that was made for a created file stays where others put files, and that is said', async () => {
    const bench = makeBench();
    const workspace = await open(bench);
    must(await workspace.apply('m', [edit(bench.tree, 'new/deep/x.py', 'x')]));
    writeFileSync(join(bench.tree, 'new/mine'), 'work\n');
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(existsSync(join(bench.tree, 'new/deep'))).toBe(false);
    expect(readFileSync(join(bench.tree, 'new/mine'), 'utf8')).toBe('work\n');
    expect(workspace.notes().join('\n')).toContain('new/ stays');
  });

  test('a restore is believed only when it was read back', async () => {
    const bench = makeBench();
    const original = readFileSync(join(bench.tree, 'a.py'), 'utf8');
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name === 'verify a.py') writeFileSync(join(bench.tree, 'a.py'), 'half of wh');
      },
    });
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    const outcome = await workspace.restore();
    if (outcome.kind !== 'failed') throw new Error(JSON.stringify(outcome));
    expect(outcome).toMatchObject({ path: 'a.py' });
    expect(outcome.why).toContain('did not have its original bytes');
    expect(readFileSync(outcome.original, 'utf8')).toBe(original);
  });

  test('nothing applied, or restored twice, is harmless', async () => {
    const { workspace } = await mutated();
    await workspace.restore();
    expect(await workspace.restore()).toEqual({ kind: 'restored', files: [] });
    expect(await workspace.unplace()).toEqual({ kind: 'restored', files: [] });
  });

  test('a full disk at any step of the restore is survived by trying again', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    let count = 0;
    let failAt = 0;
    const workspace = await open(bench, {
      onStep: () => {
        if (++count === failAt) throw Object.assign(new Error('EIO: simulated'), { code: 'EIO' });
      },
    });
    for (failAt = 1; ; failAt++) {
      const step = failAt;
      failAt = 0;
      must(await workspace.apply('m', editsOf(bench.tree)));
      failAt = step;
      count = 0;
      const outcome = await workspace.restore();
      if (count < failAt) break;
      if (outcome.kind === 'failed') {
        expect(
          mustFail(await workspace.apply('next', [edit(bench.tree, 'other.txt', 'x')])).why,
        ).toContain('still in place');
        expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
      }
      expect(contentOf(bench.tree), `step ${failAt}`).toEqual(before);
      expect(journalFiles(bench)).toEqual([]);
    }
    expect(failAt).toBeGreaterThan(20);
  });

  test('without room for a new file the original still comes back from its copy', async () => {
    const bench = makeBench();
    const before = contentOf(bench.tree);
    const workspace = await open(bench, {
      onStep: (name) => {
        if (name.startsWith('write back')) {
          throw Object.assign(new Error('ENOSPC: simulated'), { code: 'ENOSPC' });
        }
      },
    });
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'mutant\n')]));
    for (const name of strayNames(bench.tree)) rmSync(join(bench.tree, name));
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(contentOf(bench.tree)).toEqual(before);
  });

  test('a file that does not come back is named, with the place of its original', async () => {
    const bench = makeBench();
    let broken = true;
    const workspace = await open(bench, {
      onStep: (name) => {
        if (broken && name === 'bring back a.py') {
          throw Object.assign(new Error('EIO: i/o error, rename'), { code: 'EIO' });
        }
      },
    });
    must(
      await workspace.apply('m', [
        edit(bench.tree, 'a.py', 'mutant\n'),
        edit(bench.tree, 'other.txt', 'x'),
      ]),
    );
    const outcome = await workspace.restore();
    if (outcome.kind !== 'failed') throw new Error(outcome.kind);
    expect(outcome).toMatchObject({ path: 'a.py', why: 'i/o error (EIO)' });
    expect(readFileSync(outcome.original, 'utf8')).toBe('def f():\n    return 1\n');
    expect(readFileSync(join(bench.tree, 'other.txt'), 'utf8')).toBe('untouched\n');
    // What the user writes since into the file that is back is theirs.
    writeFileSync(join(bench.tree, 'other.txt'), 'new work\n');
    broken = false;
    expect(await workspace.restore()).toMatchObject({
      kind: 'restored',
      files: [{ path: 'a.py' }],
    });
    expect(readFileSync(join(bench.tree, 'other.txt'), 'utf8')).toBe('new work\n');
  });
});

describe('probe files', () => {
  test('stand beside a set of edits and go, with their folders', async () => {
    const bench = makeBench();
    const before = stateOf(bench.tree);
    const workspace = await open(bench);
    must(await workspace.place([{ path: 'probes/test_p.py', content: Buffer.from('p') }]));
    must(
      await workspace.apply('m', [
        edit(bench.tree, 'probes/more.py', 'x'),
        edit(bench.tree, 'a.py', 'x'),
      ]),
    );
    must(await workspace.place([{ path: 'test_q.py', content: Buffer.from('q') }]));
    expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
    expect(readFileSync(join(bench.tree, 'probes/test_p.py'), 'utf8')).toBe('p');
    expect(await workspace.unplace()).toMatchObject({ kind: 'restored' });
    expect(stateOf(bench.tree)).toEqual(before);
    expect(journalFiles(bench)).toEqual([]);
  });

  test('overwrite nothing', async () => {
    const bench = makeBench();
    const workspace = await open(bench);
    const problem = mustFail(await workspace.place([{ path: 'a.py', content: Buffer.from('p') }]));
    expect(problem).toMatchObject({ path: 'a.py', why: 'it exists; nothing is overwritten' });
    must(await workspace.apply('m', [edit(bench.tree, 'a.py', null)]));
    mustFail(await workspace.place([{ path: 'a.py', content: Buffer.from('p') }]));
  });

  test('are no place for an edit', async () => {
    const bench = makeBench();
    const workspace = await open(bench);
    must(await workspace.place([{ path: 'p.py', content: Buffer.from('p') }]));
    expect(mustFail(await workspace.apply('m', [edit(bench.tree, 'p.py', 'x')])).why).toContain(
      'already',
    );
  });
});

test('sums follow what stands there', async () => {
  const bench = makeBench();
  const workspace = await open(bench);
  must(
    await workspace.apply('m', [
      edit(bench.tree, 'a.py', 'x'),
      edit(bench.tree, 'pkg/gone.txt', null),
    ]),
  );
  const paths = ['a.py', 'pkg/gone.txt', 'pkg'];
  expect([...(await workspace.sums(paths)).values()]).toEqual([sum('x'), null, null]);
  await workspace.restore();
  expect([...(await workspace.sums(paths)).values()]).toEqual([
    sum('def f():\n    return 1\n'),
    sum('data\n'),
    null,
  ]);
});

test('a restore that is asked for during an apply waits for it', async () => {
  const bench = makeBench();
  const before = stateOf(bench.tree);
  const workspace = await open(bench);
  const applying = workspace.apply('m', editsOf(bench.tree));
  expect(await workspace.restore()).toMatchObject({
    kind: 'restored',
    files: [{}, {}, {}, {}, {}],
  });
  must(await applying);
  expect(stateOf(bench.tree)).toEqual(before);
});

test('a tree with edits of an earlier run is refused until it is recovered', async () => {
  const bench = makeBench();
  must(await (await open(bench)).apply('m', editsOf(bench.tree)));
  const { tree, environment } = bench;
  const problem = mustFail(
    await openInPlace({ tree, runId: 'r', environment, owner: deadOwner() }),
  );
  expect(problem.hint).toContain('recover');
});

test('where HOME cannot be used the second copy goes elsewhere, and that is said', async () => {
  const bench = makeBench();
  const environment = { HOME: join(bench.tree, 'a.py') };
  vi.stubEnv('TMPDIR', bench.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = await open({ ...bench, environment });
  must(await workspace.apply('m', [edit(bench.tree, 'a.py', 'x')]));
  expect(workspace.notes().join('\n')).toContain('no copy of the originals in');
  rmSync(join(bench.tree, '.counterproof'), { recursive: true });
  for (const name of strayNames(bench.tree)) rmSync(join(bench.tree, name));
  expect(await workspace.restore()).toMatchObject({ kind: 'restored' });
  expect(statSync(join(bench.tree, 'a.py')).size).toBe(22);
});
