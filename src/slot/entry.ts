/** The worker process of a slot: answers calls one at a time, and restores before it goes. */
import { writeSync } from 'node:fs';
import { createLane } from '../lane/create.js';
import type { LaneProgress } from '../lane/lane.js';
import { killAllGroups } from '../lane/process.js';
import { err, type Result } from '../result.js';
import { openInPlace } from '../workspace/in-place.js';
import { OverlayFailed } from '../workspace/overlay/layer-stack.js';
import { openOverlay } from '../workspace/overlay/overlay.js';
import { forgetUnbuilt } from '../workspace/unbuilt.js';
import { leaveWord } from '../workspace/untold.js';
import type { Workspace } from '../workspace/workspace.js';
import { leaveSlot } from './leave.js';
import type { CallMessage, FromSlot, SlotCalls, SlotSetup, ToSlot } from './protocol.js';
import { createWorker } from './worker.js';

let tree = '';
let runId = '';
const lanes = new Set<string>();

async function openWorkspace(setup: SlotSetup): Promise<Result<Workspace, string>> {
  const { place } = setup;
  ({ tree, runId } = setup);
  if (place.kind === 'overlay') return openOverlay({ ...place, tree });
  const opened = await openInPlace({ tree, runId });
  return opened.ok ? opened : err([opened.error.why, opened.error.hint ?? ''].join('; '));
}

const worker = createWorker({
  openWorkspace,
  createLane,
  killAll: killAllGroups,
});

let last: Promise<void> = Promise.resolve();
let leaving = false;
let isClosed = false;

function send(message: FromSlot): void {
  // The coordinator may be gone; then nobody is left to tell, and `leave` is on its way.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

/** At once: the process is about to end, and its coordinator may have. */
function say(text: string): void {
  try {
    writeSync(process.stderr.fd, text);
  } catch {
    // Nobody reads it any more.
  }
}

async function answer(message: CallMessage): Promise<void> {
  let pending: LaneProgress[] = [];
  const tell = (): void => {
    if (pending.length > 0) send({ kind: 'progress', id: message.id, progress: pending });
    pending = [];
  };
  try {
    const handler = worker.handlers[message.call] as (
      params: unknown,
      progress: (progress: LaneProgress) => void,
    ) => Promise<unknown>;
    const result = await handler(message.params, (progress) => {
      if (pending.length === 0) setImmediate(tell);
      pending.push(progress);
    });
    tell();
    if (message.call === 'lane' && (result as SlotCalls['lane']['answer']).ok)
      lanes.add((message.params as SlotCalls['lane']['params']).lane.name);
    send({ kind: 'answer', id: message.id, answer: result });
  } catch (error) {
    // The tree is untouched, and a fresh slot may do better (a disk that was full).
    if (error instanceof OverlayFailed) {
      leaving = true;
      killAllGroups();
      say(error.message);
      process.exit(1);
    }
    send({
      kind: 'fault',
      id: message.id,
      stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
  if (message.call !== 'close') return;
  isClosed = true;
  // The coordinator may have gone meanwhile.
  if (process.connected) process.disconnect();
}

/** Ends what runs, waits for it, puts the tree back. Nothing may keep this from happening. */
async function restoreAndExit(): Promise<void> {
  worker.cancel('soon');
  const code = await leaveSlot(worker, last, say, {
    isClosed,
    kept: (kept) => leaveWord(tree, kept),
    built: (unbuilt) => {
      for (const { lane } of unbuilt) lanes.delete(lane);
      return forgetUnbuilt(tree, { runId, lanes });
    },
  });
  killAllGroups();
  process.exit(code);
}

function leave(): void {
  if (leaving) return;
  leaving = true;
  void restoreAndExit();
}

process.on('message', (message: ToSlot) => {
  if (message.kind === 'cancel') worker.cancel(message.urgency);
  // Compiling reads nothing of the tree and writes nothing: it need not wait for a running step.
  else if (message.call === 'compile') void answer(message);
  // What still waits when the slot is about to leave is answered by its end.
  else last = last.then(() => (leaving ? undefined : answer(message)));
});
process.on('disconnect', leave);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, leave);
