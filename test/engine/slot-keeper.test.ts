import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSlot, type SlotKeeper } from '../../src/engine/slot-keeper.js';
import { err, ok } from '../../src/result.js';
import { SlotDied, type SlotClient } from '../../src/slot/client.js';
import { laneNamed } from './builders.js';

type Answers = Readonly<Record<string, unknown>>;

const WELL: Answers = {
  open: ok(null),
  lane: ok({ command: ['x'], from: 'test', versions: {}, tool: 'x', seeds: {} }),
  place: ok(null),
  unplace: { kind: 'restored', files: [] },
};

/** A process that answers as it is told to; what is an error it throws. */
function processOf(answers: Answers, asked: string[]): SlotClient {
  let end: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isGone = false;
  return {
    pid: -1,
    gone,
    cancel: () => undefined,
    kill() {
      asked.push('killed');
      isGone = true;
      end();
    },
    call(name: string) {
      asked.push(name);
      if (isGone) return Promise.reject(new SlotDied('gone'));
      const answer = answers[name] ?? null;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as SlotClient;
}

/** Of processes that answer so, one after another; what was asked of each. */
async function slotOf(...processes: readonly Answers[]) {
  const tree = mkdtempSync(join(tmpdir(), 'counterproof keeper '));
  onTestFinished(() => {
    rmSync(tree, { recursive: true, force: true });
  });
  const asked: string[][] = [];
  const clients: SlotClient[] = [];
  const opening = openSlot(
    {
      tree,
      root: tree,
      runId: 'r',
      logs: tree,
      python: null,
      number: 0,
      placement: { kind: 'in-place' },
    },
    {
      start() {
        const own: string[] = [];
        const client = processOf(processes[asked.length] ?? WELL, own);
        asked.push(own);
        clients.push(client);
        return client;
      },
    },
  );
  const slot = async (): Promise<SlotKeeper> => {
    const opened = await opening;
    if (!opened.ok) throw new Error(opened.error);
    return opened.value;
  };
  return { asked, clients, slot };
}

const FILES = { files: [{ path: 'p.py', content: Buffer.from('') }] };

test('a process in which a bug of ours shows as it opens is ended before the bug is told', async () => {
  const { asked, slot } = await slotOf({ open: new Error('bug') });
  await expect(slot()).rejects.toThrow('bug');
  expect(asked).toEqual([['open', 'killed']]);
});

test.each([
  ['were placed', ok(null), ['open', 'lane', 'place']],
  ['were refused', err({ path: 'p.py', why: 'it exists' }), ['open', 'lane']],
])('a successor places the probe files that %s', async (_how, place, expected) => {
  const { asked, clients, slot } = await slotOf({ ...WELL, place });
  const keeper = await slot();
  await keeper.openLane(laneNamed('unit'));
  await keeper.call('place', FILES);
  clients[0]?.kill();
  expect(await keeper.revive()).toMatchObject({ problem: null });
  expect(asked[1]).toEqual(expected);
});

test('a bug of ours as the slot ends is told beside what became of the tree', async () => {
  const bug = new Error('bug');
  const { slot } = await slotOf({ ...WELL, notes: [], takeBack: bug });
  const keeper = await slot();
  expect(await keeper.close()).toEqual({
    outcome: expect.objectContaining({ kind: 'nothing' }) as unknown,
    notes: [],
    fault: bug,
  });
});
