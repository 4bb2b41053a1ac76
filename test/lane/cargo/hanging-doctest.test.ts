import { describe, expect, test } from 'vitest';
import { findHanging, wordsWithout } from '../../../src/lane/cargo/hanging-doctest.js';
import type { DocRequest } from '../../../src/lane/cargo/doc-process.js';
import type { ProcessEnd, SpawnRequest } from '../../../src/lane/process.js';

const OUTPUT = { head: Buffer.alloc(0), tail: Buffer.alloc(0), dropped: 0 };

const ended = (kind: 'exited' | 'timeout', stdout: string): ProcessEnd => ({
  durationMs: 5,
  leftovers: [],
  ...(kind === 'exited' ? { kind, code: 0 } : { kind, limitMs: 1 }),
  stdout: { ...OUTPUT, head: Buffer.from(stdout) },
  stderr: OUTPUT,
});

const NAMES = [
  'src/lib.rs - add (line 3)',
  'src/lib.rs - spin (line 13)',
  'src/lib.rs - spin (line 20)',
];

const request = (words: readonly string[] = []): DocRequest => ({
  doc: { id: 'jail::doc', command: ['cargo', 'test', '--doc'], cwd: '/', workspace: '/', env: {} },
  options: { words, skip: [], threads: null, ignored: 'left', dropped: [] },
  limits: { stepMs: 9000, testMs: 1000, memoryBytes: 1, outputBytes: 1 },
  remainingMs: () => 0,
  scratch: '/',
  signal: new AbortController().signal,
  marker: null,
  onProgress: () => {},
  onProcess: () => {},
});

/** rustdoc in which these hang, and what it was asked. */
function rustdoc(...hanging: readonly string[]) {
  const asked: string[] = [];
  const runProcess = ({ command, limits }: SpawnRequest): Promise<ProcessEnd> => {
    const words = command.slice(command.indexOf('--') + 1);
    asked.push(`${words.join(' ')}: ${String(limits.timeMs)}`);
    if (words[0] === '--list')
      return Promise.resolve(
        ended(
          'exited',
          `${NAMES.map((name) => `${name}: test\n`).join('')}\n3 tests, 0 benchmarks\n`,
        ),
      );
    const filters = words.filter((word) => !word.startsWith('--'));
    const run = NAMES.filter((name) => filters.some((word) => name.includes(word)));
    const first = run.find((name) => hanging.includes(name));
    const before = first === undefined ? run : run.slice(0, run.indexOf(first));
    const said = `running ${String(run.length)} tests\n${before.map((name) => `test ${name} ... ok\n`).join('')}`;
    return Promise.resolve(
      first === undefined ? ended('exited', said) : ended('timeout', `${said}test ${first} ... `),
    );
  };
  return { asked, processes: { runProcess, createNonce: () => 'n' } };
}

const find = (
  { processes }: ReturnType<typeof rustdoc>,
  endedNames: readonly string[],
  {
    stdout = '',
    words = [],
  }: { readonly stdout?: string; readonly words?: readonly string[] } = {},
) => findHanging(request(words), processes, { stdout, ended: new Set(endedNames) });

describe('a doctest that hangs is the one', () => {
  test('that had not ended', async () => {
    const run = rustdoc(NAMES[2] ?? '');
    const found = await find(run, NAMES.slice(0, 2));
    expect(found).toEqual({ test: 'jail::doc src/lib.rs - spin #2', notes: [] });
    expect(run.asked).toEqual(['--list: 9000']);
  });

  test('that stands there where each is run for itself, twice', async () => {
    const run = rustdoc(NAMES[1] ?? '');
    const found = await find(run, []);
    expect(found).toEqual({ test: 'jail::doc src/lib.rs - spin', notes: [] });
    expect(run.asked).toEqual([
      '--list: 9000',
      '3) 13) 20) --test-threads=1: 3000',
      '13) --test-threads=1: 1000',
    ]);
  });

  test('that the first run names, and the lane has a filter', async () => {
    const run = rustdoc(NAMES[1] ?? '');
    const stdout = 'running 3 tests\ntest src/lib.rs - spin (line 13) - compile ... ';
    const found = await find(run, [], { stdout, words: ['spin'] });
    expect(found.test).toBe('jail::doc src/lib.rs - spin');
    expect(run.asked.slice(1)).toEqual(['spin --test-threads=1: 1000']);
  });

  test('and none where they all end', async () => {
    expect(await find(rustdoc(), NAMES.slice(0, 1))).toEqual({
      test: null,
      notes: [
        'one of these hung, or all of them were slow: jail::doc src/lib.rs - spin, jail::doc src/lib.rs - spin #2',
      ],
    });
  });
});

test('one is left out by a word that no other has', async () => {
  const { processes } = rustdoc();
  expect(await wordsWithout('src/lib.rs - add', request(), processes)).toEqual(['--skip=add']);
  expect(await wordsWithout('src/lib.rs - spin #2', request(), processes)).toEqual(['--skip=20)']);
  expect(await wordsWithout('src/lib.rs - gone', request(), processes)).toBeNull();
});
