import { expect, onTestFinished, test, vi } from 'vitest';
import type { OwnStop } from '../../../src/lane/pytest/ending.js';
import type { PytestEvent } from '../../../src/lane/pytest/events.js';
import { watchRun } from '../../../src/lane/pytest/watch.js';

const START = { event: 'start', id: 'test_a.py::test_a' } as PytestEvent;

/** @param onLook called with the number of each look, from 1; gives what the look finds */
async function watched(
  onLook: (look: number) => readonly PytestEvent[],
  { looks, now }: { readonly looks: number; readonly now?: () => number },
): Promise<readonly OwnStop[]> {
  const stops: OwnStop[] = [];
  let look = 0;
  await new Promise<void>((resolve) => {
    const watch = watchRun({
      read(extent) {
        if (extent === 'all') return [];
        look += 1;
        if (look === looks) void watch.finish().then(resolve);
        return onLook(look);
      },
      kind: 'pytest',
      testMs: 60_000,
      onProgress: () => undefined,
      onStop: (why) => stops.push(why),
      ...(now === undefined ? {} : { now }),
    });
  });
  return stops;
}

test('a test that runs longer than its limit is stopped', async () => {
  let time = 0;
  const stops = await watched(
    (look) => {
      time = look === 1 ? 1000 : 61_000 + look;
      return look === 1 ? [START] : [];
    },
    { looks: 2, now: () => time },
  );
  expect(stops).toEqual([{ kind: 'test-limit', test: 'test_a.py::test_a', limitMs: 60_000 }]);
});

test('a clock that is set while a test runs ends nothing', async () => {
  const today = Date.now();
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => {
    clock.mockRestore();
  });
  const stops = await watched(
    (look) => {
      clock.mockReturnValue(today + look * 3_600_000);
      return look === 1 ? [START] : [];
    },
    { looks: 3 },
  );
  expect(stops).toEqual([]);
});
