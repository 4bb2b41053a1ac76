import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSpecs, type LoadedSpecs } from '../../src/spec/load.js';
import type { Diagnostic } from '../../src/spec/model.js';
import { folderWith, NO_LANES, TWO_LANES } from './support.js';

const mutation = (id: string, more = 'flips: any'): string =>
  `- { id: ${id}, file: a.py, delete: true, ${more} }\n`;
const spec = (...mutations: readonly string[]): string => `mutations:\n${mutations.join('')}`;

async function load(
  root: string,
  list: readonly string[] = [],
  options: { readonly cwd?: string; readonly tree?: string } = {},
): Promise<LoadedSpecs> {
  const loaded = await loadSpecs({
    root,
    config: NO_LANES,
    arguments: list,
    cwd: root,
    ...options,
  });
  if (!loaded.ok) throw new Error(loaded.error.map(line).join('\n'));
  return loaded.value;
}

async function faults(
  root: string,
  list: readonly string[] = [],
  config = NO_LANES,
): Promise<readonly Diagnostic[]> {
  const loaded = await loadSpecs({ root, config, arguments: list, cwd: root });
  return loaded.ok ? [] : loaded.error;
}

const line = ({ where, message, hint }: Diagnostic): string =>
  `${where.file}:${where.line}:${where.col} ${message}${hint === null ? '' : ` (${hint})`}`;

const ids = (specs: LoadedSpecs): readonly string[] => specs.mutations.map(({ id }) => id);

const PROJECT = {
  'mutations/b.yaml': spec(mutation('b1'), mutation('b2')),
  'mutations/a/z.yml': spec(mutation('z1')),
  'mutations/a.yaml': spec(mutation('a1'), mutation('alive', 'role: liveness')),
  'mutations/notes.txt': 'not a spec',
  'other/c.yaml': spec(mutation('c1')),
};

const probe = (content: string, lane: string): string =>
  `flips: any, lane: ${lane}, probes: [{ path: t.py, content: ${content} }]`;

describe('what is loaded', () => {
  test('everything under mutations/, in the order of the paths', async () => {
    const specs = await load(folderWith(PROJECT));
    expect(ids(specs)).toEqual(['z1', 'a1', 'alive', 'b1', 'b2']);
    expect(specs.files).toEqual([
      { path: 'mutations/a/z.yml', declared: 1 },
      { path: 'mutations/a.yaml', declared: 2 },
      { path: 'mutations/b.yaml', declared: 2 },
    ]);
    expect(specs.mutations[0]?.spec).toBe('mutations/a/z.yml');
  });

  test('nothing, where there are no specs', async () => {
    expect(await load(folderWith({ 'a.py': '' }))).toEqual({
      mutations: [],
      liveness: [],
      files: [],
      warnings: [],
    });
  });

  const table: readonly [list: readonly string[], ids: readonly string[]][] = [
    [['mutations/b.yaml'], ['b1', 'b2']],
    [['./mutations/../mutations/b.yaml'], ['b1', 'b2']],
    [['mutations/b.yaml::b2'], ['b2']],
    [
      ['mutations/b.yaml::b2', 'mutations/b.yaml::b1'],
      ['b1', 'b2'],
    ],
    [
      ['mutations/b.yaml::b2', 'mutations/b.yaml'],
      ['b1', 'b2'],
    ],
    [
      ['mutations/b.yaml::b2', 'mutations/a/z.yml'],
      ['z1', 'b2'],
    ],
    [['other'], ['c1']],
    [['mutations/a'], ['z1']],
    [['**/[bc].yaml'], ['b1', 'b2', 'c1']],
    [['mutations::b2'], ['b2']],
    [['::z1'], ['z1']],
  ];
  test.each(table)('%j', async (list, expected) => {
    expect(ids(await load(folderWith(PROJECT), list))).toEqual(expected);
  });

  test('a file once, whatever names lead to it, and no link is followed into a circle', async () => {
    const root = folderWith(PROJECT);
    symlinkSync('..', join(root, 'mutations/up'));
    symlinkSync('b.yaml', join(root, 'mutations/link.yaml'));
    expect(ids(await load(root))).toEqual(['z1', 'a1', 'alive', 'b1', 'b2']);
    expect(ids(await load(root, ['mutations/link.yaml', 'mutations/b.yaml']))).toEqual([
      'b1',
      'b2',
    ]);
  });

  test('relative to the working directory, named relative to the root', async () => {
    const root = folderWith(PROJECT);
    const specs = await load(root, ['z.yml'], { cwd: join(root, 'mutations/a') });
    expect(specs.mutations[0]).toMatchObject({ id: 'z1', spec: 'mutations/a/z.yml' });
  });

  test('a file with brackets in its name, named exactly', async () => {
    const root = folderWith({ 'mutations/a[1]::x.yaml': spec(mutation('one')) });
    expect(ids(await load(root, ['mutations/a[1]::x.yaml']))).toEqual(['one']);
  });

  test('files of the tree above the root, where the tree is larger', async () => {
    const top = folderWith({
      'part/mutations/a.yaml': spec(mutation('one').replace('a.py', '../a.py')),
    });
    const root = join(top, 'part');
    expect((await load(root, [], { tree: top })).mutations[0]?.edits).toMatchObject([
      { file: '../a.py' },
    ]);
    expect((await faults(root)).map(({ message }) => message)).toEqual([
      'the path leads out of the tree',
    ]);
  });

  test('the liveness mutations that a selection leaves out come beside it', async () => {
    const root = folderWith({
      ...PROJECT,
      'mutations/broken.yaml': 'mutations: 3',
      'mutations/twice.yaml': spec(
        mutation('b1', 'role: liveness'),
        mutation('alive2', 'role: liveness'),
      ),
    });
    const specs = await load(root, ['mutations/b.yaml::b1']);
    expect(ids(specs)).toEqual(['b1']);
    expect(specs.liveness.map(({ id }) => id)).toEqual(['alive', 'alive2']);
    expect(specs.warnings.map(line)).toEqual([
      'mutations/broken.yaml:1:12 expected a list, found `3`',
    ]);
    expect((await load(root, ['mutations/a.yaml'])).liveness.map(({ id }) => id)).toEqual([
      'b1',
      'alive2',
    ]);
    expect((await load(root, ['mutations/a.yaml::a1'])).liveness[0]?.id).toBe('alive');
  });

  test('the bytes of a probe come from its source', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0d, 0x0a]);
    const root = folderWith({
      'probe.bin': bytes,
      'mutations/a.yaml': spec(
        mutation('one', 'flips: any, probes: [{ path: t.py, source: probe.bin }]'),
      ),
    });
    expect((await load(root)).mutations[0]?.probes[0]?.content).toEqual(bytes);
  });
});

describe('what is refused', () => {
  test('all faults of all files, together and in order', async () => {
    const root = folderWith({
      'mutations/a.yaml': spec(mutation('one', 'flips: []'), mutation('two', 'exact: yes')),
      'mutations/b.yaml': 'mutations: [',
      'mutations/c.yaml': Buffer.from([0x61, 0xff]),
      'mutations/d.yaml': '',
    });
    expect((await faults(root)).map(({ where }) => `${where.file}:${where.line}`)).toEqual([
      'mutations/a.yaml:2',
      'mutations/a.yaml:3',
      'mutations/b.yaml:1',
      'mutations/c.yaml:1',
      'mutations/d.yaml:1',
    ]);
  });

  test('an id twice, in one file or in two, with the other place', async () => {
    const root = folderWith({
      'mutations/a.yaml': spec(mutation('one'), mutation('two'), mutation('one')),
      'mutations/b.yaml': spec(mutation('two')),
    });
    expect((await faults(root)).map(line)).toEqual([
      'mutations/a.yaml:4:9 the id `one` is taken (It is already at mutations/a.yaml:2:9. An id is unique among all specs.)',
      'mutations/b.yaml:2:9 the id `two` is taken (It is already at mutations/a.yaml:3:9. An id is unique among all specs.)',
    ]);
  });

  test('probes of one lane that put other content into one place', async () => {
    const root = folderWith({
      'mutations/a.yaml': spec(
        mutation('one', probe('x', 'unit')),
        mutation('two', probe('x', 'unit')),
      ),
      'mutations/b.yaml': spec(
        mutation('three', probe('y', 'slow')),
        mutation('four', probe('z', 'unit')),
      ),
    });
    const found = await faults(root, [], TWO_LANES);
    expect(found.map(({ where, message }) => `${where.file}:${where.line} ${message}`)).toEqual([
      'mutations/b.yaml:3 the probe t.py is already there with other content',
    ]);
  });

  const table: readonly [list: readonly string[], fault: string][] = [
    [
      ['mutations/b.yaml::b3'],
      'command line:1:1 no mutation `b3` is declared in mutations/b.yaml (Did you mean `b1` or `b2`?)',
    ],
    [
      ['other', 'mutations/b.yaml::zzz'],
      'command line:1:7 no mutation `zzz` is declared in mutations/b.yaml (Declared there: `b1`, `b2`.)',
    ],
    [
      ['mutations/b.yaml::c1', 'other'],
      'command line:1:1 no mutation `c1` is declared in mutations/b.yaml (It is declared at other/c.yaml:2:9.)',
    ],
    [
      ['mutation/b.yaml'],
      'command line:1:1 there is no such file (Did you mean `mutations/b.yaml`',
    ],
    [['nothing/**/*.yaml'], 'command line:1:1 no file matches this pattern'],
    [['empty'], 'command line:1:1 no spec (*.yaml, *.yml) is in this folder'],
    [['mutations/b.yaml::'], 'command line:1:1 no mutation `` is declared in mutations/b.yaml'],
  ];
  test.each(table)('%j', async (list, fault) => {
    const root = folderWith(PROJECT);
    mkdirSync(join(root, 'empty'));
    const found = (await faults(root, list)).map(line);
    expect(found.map((text) => text.slice(0, fault.length))).toEqual([fault]);
  });

  test('a folder named like a spec is no spec', async () => {
    const root = folderWith({ 'mutations/a.yaml/b.yaml': spec(mutation('one')) });
    expect(ids(await load(root))).toEqual(['one']);
  });

  test('a file that is too big is not read', async () => {
    const root = folderWith({});
    mkdirSync(join(root, 'mutations'));
    writeFileSync(join(root, 'mutations/a.yaml'), Buffer.alloc(9 * 1024 * 1024, '#'));
    expect((await faults(root)).map(line)).toEqual([
      'mutations/a.yaml:1:1 the file has 9 MiB; at most 8 MiB are read (Split it into several files.)',
    ]);
  });
});
