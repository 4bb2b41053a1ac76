import { expect, test } from 'vitest';
import type { LaneRunner } from '../../src/lane/lane.js';
import { ok } from '../../src/result.js';
import { createWorker } from '../../src/slot/worker.js';
import type { LaneConfig } from '../../src/spec/model.js';
import type { Workspace } from '../../src/workspace/workspace.js';

test('a cancel that comes between two steps keeps the next one from starting', async () => {
  const started: string[] = [];
  const runner = {
    describe: () => Promise.resolve(ok({})),
    prepare: () => Promise.resolve(ok(undefined)),
    written: () => Promise.resolve([]),
    run: () => {
      started.push('run');
      return Promise.reject(new Error('it was started'));
    },
  } as unknown as LaneRunner;
  const worker = createWorker({
    openWorkspace: () =>
      Promise.resolve(
        ok({
          fresh: () => Promise.resolve(false),
          freeze: () => Promise.resolve([]),
        } as unknown as Workspace),
      ),
    createLane: () => runner,
    killAll: () => undefined,
  });
  const nothing = (): void => undefined;
  const lane = { name: 'unit' } as LaneConfig;
  const place = { kind: 'in-place' } as const;
  const setup = {
    tree: '/t',
    root: '/t',
    runId: 'r',
    logs: '/t/logs',
    slot: 0,
    generation: 0,
    place,
  };
  await worker.handlers.open(setup, nothing);
  await worker.handlers.lane({ lane, python: null }, nothing);

  worker.cancel('soon');

  const answer = await worker.handlers.run(
    {
      lane: 'unit',
      step: 'mutated',
      label: 'm',
      scope: 'lane',
      without: [],
      targets: [],
      probes: [],
      limits: { stepMs: 1, testMs: 1, memoryBytes: 1, outputBytes: 1 },
    },
    nothing,
  );
  expect(answer.evidence.ending).toEqual({ kind: 'cancelled' });
  expect(started).toEqual([]);
});
