import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSlot } from '../../src/engine/end-slot.js';
import { SlotDied, type SlotClient } from '../../src/slot/client.js';
import type { RestoreOutcome } from '../../src/workspace/workspace.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RESTORED: RestoreOutcome = { kind: 'restored', files: [] };

/** Answers as it is told to; a call without an answer waits for the end of the process. */
function slot(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const waiting: ((error: Error) => void)[] = [];
  let end: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  const client = {
    gone,
    kill() {
      asked.push('killed');
      for (const reject of waiting) reject(new SlotDied('killed'));
      end();
    },
    call(name: string) {
      asked.push(name);
      if (!(name in answers)) return new Promise((_, reject) => waiting.push(reject));
      if (answers[name] instanceof Error) return Promise.reject(answers[name]);
      if (name === 'close') end();
      return Promise.resolve(answers[name]);
    },
  } as unknown as SlotClient;
  return { client, asked };
}

const ALL = { notes: ['a note'], takeBack: RESTORED, rebuild: [], close: null };

test('the tree is first, then what was built, then the rest', async () => {
  const { client, asked } = slot(ALL);
  expect(await endSlot(client)).toEqual({
    outcome: RESTORED,
    notes: ['a note'],
    unbuilt: [],
    fault: null,
  });
  expect(asked).toEqual(['notes', 'takeBack', 'rebuild', 'close']);
});

test('a build may take as long as its lane lets it', async () => {
  const { rebuild: _, ...others } = ALL;
  const { client, asked } = slot(others);
  const ending = endSlot(client);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(asked).toEqual(['notes', 'takeBack', 'rebuild']);
  client.kill();
  expect(await ending).toMatchObject({ outcome: RESTORED, unbuilt: null, fault: null });
});

test.each([
  ['restore', 'takeBack', { outcome: null, unbuilt: null }],
  ['leave', 'close', { outcome: RESTORED, unbuilt: [] }],
])('what does not %s is killed after 30 s', async (_name, call, expected) => {
  const { [call as 'close']: _without, ...others } = ALL;
  const { client, asked } = slot(others);
  const ending = endSlot(client);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(asked.at(-1)).toBe(call);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ending).toMatchObject({ ...expected, fault: null });
});

test('nothing is built where a file is not back', async () => {
  const failed: RestoreOutcome = { kind: 'failed', path: 'a', why: 'full', original: '/o' };
  const { client, asked } = slot({ ...ALL, takeBack: failed });
  expect(await endSlot(client)).toMatchObject({ outcome: failed, unbuilt: null });
  expect(asked).not.toContain('rebuild');
});

test('a bug of ours is told when the process is gone', async () => {
  const bug = new Error('Internal error in a slot');
  const { client, asked } = slot({ ...ALL, close: bug });
  expect(await endSlot(client)).toMatchObject({ outcome: RESTORED, fault: bug });
  expect(asked.at(-1)).toBe('killed');
});
