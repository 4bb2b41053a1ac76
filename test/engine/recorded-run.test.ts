import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordedRun, type Watcher } from '../../src/engine/recorded-run.js';
import type { RunRecord } from '../../src/record/schema.js';

/** A run without mutations, whose folder `display` may do something to before it is shown. */
async function run(display: (out: string) => ReturnType<Watcher['display']>) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof recorded ')));
  onTestFinished(() => {
    rmSync(top, { recursive: true, force: true });
  });
  const out = join(top, 'out');
  const said: string[] = [];
  const reported: { record: RunRecord; folder: string | null }[] = [];
  const result = await recordedRun(
    {
      tree: top,
      root: top,
      recordedIn: top,
      out,
      command: ['run'],
      version: '1',
      lanes: [],
      otherLanes: [],
      mutations: [],
      settings: {
        verify: 'moved',
        closing: true,
        baselineRuns: 1,
        tellMoves: false,
        failFast: false,
        budget: null,
      },
      isolation: 'in-place',
      jobs: 1,
      python: null,
      allow: [],
      interrupts: { onSignal: () => undefined, received: () => null },
      notVerified: [],
    },
    {
      display: () => display(out),
      say: (text) => said.push(text),
      putBack: () => Promise.resolve([]),
      report(record, folder) {
        said.push('report');
        reported.push({ record, folder });
        return Promise.resolve();
      },
    },
  );
  if (!result.ok) throw new Error(result.error);
  const [shown] = reported;
  if (shown === undefined) throw new Error('nothing was reported');
  return { out, said, shown, record: result.value };
}

const quiet = { emit: () => undefined, close: () => undefined };
const ownEvents = (out: string): readonly unknown[] =>
  readFileSync(join(out, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('a run whose record is kept has the exit code of what it proved', async () => {
  const { out, said, shown, record } = await run(() => quiet);
  expect(record.exitCode).toBe(5);
  expect(shown).toEqual({ record, folder: out });
  expect(JSON.parse(readFileSync(join(out, 'record.json'), 'utf8'))).toEqual(record);
  expect(ownEvents(out).at(-1)).toMatchObject({ type: 'run-finished', exitCode: 5 });
  expect(said).toEqual(['report']);
});

test('a record that cannot be written is a failure, said last, and nowhere pointed at', async () => {
  const { out, said, shown, record } = await run((folder) => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    return quiet;
  });
  expect(record.exitCode).toBe(70);
  expect(shown).toEqual({ record, folder: null });
  expect(record.notVerified.join('\n')).toContain('The record was not kept. Cannot write');
  expect(said).toEqual([
    'report',
    expect.stringMatching(/^counterproof: The record was not kept\. .*out\/record\.json/) as string,
  ]);
  expect(existsSync(join(out, 'record.json'))).toBe(false);
});

test('a display that fails costs nothing but itself, and the first error is said at the end', async () => {
  let shows = 0;
  const { out, said, record } = await run(() => ({
    emit() {
      shows += 1;
      throw new Error('no such column');
    },
    close() {
      throw new Error('not open');
    },
  }));
  expect(record.exitCode).toBe(5);
  expect(shows).toBe(1);
  expect(ownEvents(out)).toHaveLength(2);
  expect(said).toEqual(['report', 'counterproof: the progress display failed: no such column\n']);
});
