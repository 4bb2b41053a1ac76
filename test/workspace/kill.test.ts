/** A real process, killed for good between every two steps; then recovery, in this one. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recover } from '../../src/workspace/recover.js';
import { build, fillBench, fixture, journalFiles, stateOf } from './helpers.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const run = promisify(execFile);
let top = '';
let built = '';

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof prüfung ')));
  built = build(top);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

test('killed between any two steps, the tree comes back to bytes, mode, inode and times', async () => {
  const kinds = new Set<string>();
  // Two trees side by side: odd and even steps.
  await Promise.all([1, 2].map((first) => killEverySecondStep(first, kinds)));
  expect(kinds).toEqual(new Set(['restored', 'nothing']));
});

async function killEverySecondStep(first: number, kinds: Set<string>): Promise<void> {
  const bench = fillBench(join(top, `bank ${first}`));
  const { tree, environment } = bench;
  const before = stateOf(tree);
  const start = async (step: number): Promise<string | null> => {
    try {
      const { stdout } = await run(
        process.execPath,
        [fixture('run.mjs'), built, tree, String(step)],
        { env: { ...process.env, ...environment, XDG_STATE_HOME: '' } },
      );
      return stdout;
    } catch (error) {
      if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return null;
      throw error;
    }
  };
  const steps = Number(await start(0));
  expect(steps).toBeGreaterThan(50);
  expect(stateOf(tree)).toEqual(before);

  for (let step = first; step <= steps; step += 2) {
    expect(await start(step), `step ${step}`).toBeNull();
    const outcome = await recover(tree, { environment });
    kinds.add(outcome.kind);
    expect(['restored', 'nothing'], JSON.stringify(outcome)).toContain(outcome.kind);
    expect(stateOf(tree), `killed at step ${step}`).toEqual(before);
    expect(journalFiles(bench), `killed at step ${step}`).toEqual([]);
    expect(await recover(tree, { environment })).toMatchObject({ kind: 'nothing' });
  }
}
