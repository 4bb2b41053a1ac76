import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, SOURCES, sourceFiles, type Import } from './support/imports.js';

const IMPORTS = sourceFiles().flatMap((file) => importsOf(file));

const roomOf = (file: string): string => file.split('/')[0] ?? '';
const isOwn = ({ to }: Import): boolean => to.endsWith('.ts') || to.endsWith('.py');
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

/** Which rooms a room may import; `OPEN` are open to all. In angle brackets: types alone. */
const MAY: Readonly<Record<string, string>> = {
  cli: 'adhoc engine slot workspace lane mutation proof prove spec record report git',
  adhoc: 'engine workspace lane mutation proof prove spec record git',
  engine: 'slot workspace lane mutation proof spec record git',
  slot: 'workspace lane mutation proof spec git',
  workspace: 'mutation',
  lane: 'proof spec git <mutation>',
  mutation: 'git spec',
  report: 'record proof',
  prove: 'mutation proof spec git <record>',
  record: 'proof',
  proof: '<mutation> <spec> <record>',
  spec: 'proof <mutation>',
  git: '',
};

const OPEN: ReadonlySet<string> = new Set([
  'result.ts',
  'lists.ts',
  'home-folder.ts',
  'package-folder.ts',
]);

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [source, target] = [roomOf(from), roomOf(to)];
  if (source === target || OPEN.has(target)) return true;
  const may = (MAY[source] ?? '').split(' ');
  return may.includes(target) || (typeOnly && may.includes(`<${target}>`));
}

describe('the rooms of src/', () => {
  test('every room is listed, and none is empty', () => {
    const rooms = new Set(
      sourceFiles()
        .filter((f) => f.includes('/'))
        .map((f) => roomOf(f)),
    );
    expect([...rooms].toSorted()).toEqual(Object.keys(MAY).toSorted());
  });

  test('every import of our own files leads to a file', () => {
    const lost = IMPORTS.filter((one) => isOwn(one) && !existsSync(path.join(SOURCES, one.to)));
    expect(lost.map(shown)).toEqual([]);
    expect(IMPORTS.filter(isOwn).length).toBeGreaterThan(100);
  });

  test('imports go down only', () => {
    const wrong = IMPORTS.filter(isOwn).filter((one) => !isAllowed(one));
    expect(wrong.map(shown)).toEqual([]);
  });

  test('proof, spec and record load nothing that touches a tree', () => {
    const shell = new Set(['cli', 'engine', 'slot', 'workspace', 'lane', 'mutation', 'git']);
    const wrong = IMPORTS.filter(
      ({ from, to, typeOnly }) =>
        ['proof', 'spec', 'record'].includes(roomOf(from)) && !typeOnly && shell.has(roomOf(to)),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  test('no file imports itself by way of others', () => {
    expect(cycles(IMPORTS.filter((one) => isOwn(one) && !one.typeOnly))).toEqual([]);
  });
});

describe('what only one place may do', () => {
  const KEPT: readonly (readonly [rule: string, what: RegExp, where: RegExp])[] = [
    ['the engine alone knows the test runner', /^@vitest\//, /^engine\//],
    [
      // The editor takes over the terminal, so it is no lane's process.
      'lanes, slots, git and the editor alone are started',
      /^(node:)?child_process$|^execa$/,
      /^lane\/process(\.ts|\/)|^slot\/launch\.ts|^git\/|^cli\/editor\.ts/,
    ],
    ['nothing starts threads', /^(node:)?(cluster|worker_threads)$/, /^$/],
    ['cli alone reads the command line', /^yargs$/, /^cli\//],
    ['report alone lays out tables', /^cli-table3$/, /^report\//],
    ['workspace alone locks', /^proper-lockfile$/, /^workspace\//],
  ];

  test.each(KEPT)('%s', (_rule, what, where) => {
    const users = IMPORTS.filter(({ to, typeOnly }) => what.test(to) && !typeOnly);
    expect(users.filter(({ from }) => !where.test(from)).map(shown)).toEqual([]);
  });
});

describe('the reading of imports', () => {
  test.each([
    ["import { a } from './b.js';", false],
    ["import { type A, b } from './b.js';", false],
    ["import d, { type A } from './b.js';", false],
    ["import './b.js';", false],
    ["export { a } from './b.js';", false],
    ["export * from './b.js';", false],
    ["const a = await import('./b.js');", false],
    ["import type { A } from './b.js';", true],
    ["import { type A, type B } from './b.js';", true],
    ["export type { A } from './b.js';", true],
    ["export { type A } from './b.js';", true],
  ])('%s', (text, typeOnly) => {
    expect(importsOf('room/a.ts', text)).toEqual([
      { from: 'room/a.ts', to: 'room/b.ts', typeOnly },
    ]);
  });

  test('a cycle is found and named', () => {
    const edge = (from: string, to: string): Import => ({ from, to, typeOnly: false });
    expect(cycles([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd')])).toEqual([
      'b -> c -> b',
    ]);
  });
});

/** Each cycle once, as the path that closes it. */
function cycles(edges: readonly Import[]): readonly string[] {
  const next = new Map<string, Import[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at >= 0) {
      found.push([...trail.slice(at), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}
