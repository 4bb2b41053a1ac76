import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { attempt, type AttemptRequest } from '../../../src/lane/cargo/attempt.js';
import type { ProcessEnd, SpawnRequest } from '../../../src/lane/process.js';

const output = { head: Buffer.alloc(0), tail: Buffer.alloc(0), dropped: 0 };
const stopped: ProcessEnd = {
  kind: 'stopped',
  why: 'unwatched',
  durationMs: 1,
  stdout: output,
  stderr: output,
  leftovers: [],
};

let fails = (): void => undefined;
let failed: Promise<void>;
beforeEach(() => {
  failed = new Promise((resolve) => {
    fails = resolve;
  });
});

it.each([
  ['before it started', (start: () => void) => void failed.then(() => setImmediate(start))],
  ['when it runs', (start: () => void) => start()],
])('that cannot be watched any more is ended: %s', async (_name, begin) => {
  const folder = mkdtempSync(join(tmpdir(), 'cp-attempt-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const reasons: string[] = [];
  const runProcess = ({ onStart }: SpawnRequest): Promise<ProcessEnd> =>
    new Promise((resolve) => {
      const stop = (why: string): void => {
        reasons.push(why);
        // Node reports a rejection that nobody handles after the tasks at hand.
        setImmediate(() => resolve(stopped));
      };
      begin(() => onStart?.({ pid: 1, stop }));
    });
  const request: AttemptRequest = {
    launch: { executable: '/bin/x', wrapper: [], cwd: folder, env: {} },
    names: new Set(['a']),
    runs: ['a'],
    words: [],
    threads: 1,
    logfile: join(folder, 'log'),
    scratch: folder,
    limits: { timeMs: 1000, testMs: 1000, memoryBytes: 1, outputBytes: 1 },
    signal: new AbortController().signal,
    onStarted: () => {
      fails();
      throw new Error('nobody listens any more');
    },
    onFinished: () => undefined,
  };

  const running = attempt(request, { runProcess, createNonce: () => 'n' });

  await expect(running).rejects.toThrow('nobody listens any more');
  expect(reasons).toEqual(['unwatched']);
  expect(unhandled).toEqual([]);
});
