import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunEvent, openEventWriter } from '../../src/record/events.js';
import { pinnedProof } from '../report/records.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'events-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const place = { lane: 'unit', id: 'a\nb', step: 'mutated', slot: 0 } as const;
const started: RunEvent = { type: 'step-started', ...place, tests: 3 };
const tick: RunEvent = { type: 'step-progress', ...place, done: 1, total: 3, running: null };
const proven: RunEvent = { type: 'proof-finished', proof: pinnedProof };

const now = (): Date => new Date('2026-11-30T01:36:12Z');

test('each event is one line with its time, in the file before the next; ticks are left out', async () => {
  const path = join(folder, 'events.jsonl');
  const writer = openEventWriter(path, now);
  for (const event of [started, tick, proven]) writer.write(event);
  // Not closed: a killed run closes nothing.
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { at: '2026-11-30T01:36:12.000Z', ...started },
    { at: '2026-11-30T01:36:12.000Z', ...proven },
  ]);
  writer.close();
  writer.close();
  writer.write(started);
  expect(writer.problem()).toBeNull();
});

test('a file that cannot be written is a problem to report, not an exception', () => {
  const writer = openEventWriter(join(folder, 'absent', 'events.jsonl'), now);
  writer.write(started);
  expect(writer.problem()).toContain('ENOENT');
  writer.close();
});

test('a full disk is a problem to report, not an exception', () => {
  const writer = openEventWriter('/dev/full', now);
  writer.write(started);
  writer.write(started);
  expect(writer.problem()).toContain('ENOSPC');
  writer.close();
});
