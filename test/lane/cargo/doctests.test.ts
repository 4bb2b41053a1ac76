import { describe, expect, test } from 'vitest';
import { gradeDocTests } from '../../../src/lane/cargo/doctests.js';
import type { ProcessEnd } from '../../../src/lane/process.js';

const OUTPUT = { head: Buffer.alloc(0), tail: Buffer.alloc(0), dropped: 0 };

const ended = (
  how:
    | { kind: 'exited'; code: number }
    | { kind: 'signalled'; signal: NodeJS.Signals }
    | { kind: 'timeout'; limitMs: number },
  stdout: string,
  stderr = '',
): ProcessEnd => ({
  durationMs: 5,
  leftovers: [],
  ...how,
  stdout: { ...OUTPUT, head: Buffer.from(stdout) },
  stderr: { ...OUTPUT, head: Buffer.from(stderr) },
});

const grade = (end: ProcessEnd) =>
  gradeDocTests(
    {
      doc: {
        id: 'jail::doc',
        command: ['cargo', 'test', '--doc'],
        cwd: '/',
        workspace: '/',
        env: {},
      },
      options: { words: [], skip: [], threads: null, ignored: 'left', dropped: [] },
      limits: { stepMs: 9000, testMs: 1000, memoryBytes: 1, outputBytes: 1 },
      remainingMs: () => 10,
      scratch: '/',
      signal: new AbortController().signal,
      marker: 'the mark',
      onProgress: () => {},
      onProcess: () => {},
    },
    { runProcess: () => Promise.resolve(end), createNonce: () => 'n' },
  );

const failing = (section: string): string =>
  `running 2 tests
test src/lib.rs - add (line 2) ... FAILED
test src/lib.rs - sub (line 9) ... ok

failures:

---- src/lib.rs - add (line 2) stdout ----
${section}

failures:
    src/lib.rs - add (line 2)

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
`;

describe('a doctest that fails', () => {
  test.each([
    [
      'by a panic',
      "Test executable failed (exit status: 101).\n\nstderr:\n\nthread 'main' (1) panicked at src/lib.rs:5:1:\ntold to\n",
      { message: 'told to', at: { file: 'src/lib.rs', line: 5 }, broken: null },
    ],
    [
      'in a file of rustdoc that is gone',
      "Test executable failed (exit status: 101).\n\nstderr:\n\nthread 'main' (1) panicked at /tmp/x/doctest_bundle_2024.rs:22:132:\ntold to\n",
      { message: 'told to', at: { file: 'src/lib.rs', line: 2 }, broken: null },
    ],
    [
      'by a signal',
      'Test executable failed (signal: 6 (SIGABRT)).',
      {
        message: 'Test executable failed (signal: 6 (SIGABRT)).',
        at: { file: 'src/lib.rs', line: 2 },
        broken: null,
      },
    ],
    [
      'because it compiles',
      "Test compiled successfully, but it's marked `compile_fail`.",
      {
        message: "Test compiled successfully, but it's marked `compile_fail`.",
        at: { file: 'src/lib.rs', line: 2 },
        broken: null,
      },
    ],
    [
      'because it does not compile: no evidence',
      "error[E0308]: mismatched types\n  --> src/lib.rs:12:13\n\nerror: aborting\n\nCouldn't compile the test.",
      {
        message: 'error[E0308]: mismatched types',
        at: { file: 'src/lib.rs', line: 2 },
        broken: 'error[E0308]: mismatched types',
      },
    ],
  ])('%s', async (_what, section, expected) => {
    const graded = await grade(ended({ kind: 'exited', code: 101 }, failing(section)));
    expect(graded.ending).toBeNull();
    expect([...graded.results.keys()]).toEqual(['src/lib.rs - add', 'src/lib.rs - sub']);
    expect(graded.results.get('src/lib.rs - add')).toEqual({
      outcome: 'failed',
      durationMs: 0,
      ...expected,
    });
  });

  test('over the reach mutation has reached it', async () => {
    const graded = await grade(ended({ kind: 'exited', code: 101 }, failing('stderr:\nthe mark')));
    expect(graded.reached).toEqual(['src/lib.rs - add']);
  });
});

describe('doctests that do not end', () => {
  test.each([
    [
      'a library that does not build',
      ended(
        { kind: 'exited', code: 101 },
        '',
        'error[E0308]: mismatched types\n  --> src/lib.rs:3:5\nerror: could not compile `jail`\n',
      ),
      {
        kind: 'broken',
        causes: [
          {
            stage: 'build',
            file: 'src/lib.rs',
            line: 3,
            message: 'error[E0308]: mismatched types',
          },
        ],
      },
    ],
    [
      'a limit',
      ended({ kind: 'timeout', limitMs: 10 }, 'running 1 test\n'),
      { kind: 'timeout', limit: 'step', limitMs: 9000, test: null },
    ],
    [
      'a crash of rustdoc',
      ended({ kind: 'signalled', signal: 'SIGSEGV' }, 'running 1 test\n'),
      { kind: 'crashed', how: 'SIGSEGV in the doctests of jail::doc', test: null },
    ],
    [
      'an end without all verdicts',
      ended({ kind: 'exited', code: 0 }, 'running 1 test\n'),
      { kind: 'incomplete', why: 'jail::doc ended (exit 0): 0 of 1 doctests ended', without: [] },
    ],
  ])('%s', async (_what, end, ending) => {
    expect((await grade(end)).ending).toEqual(ending);
  });
});
