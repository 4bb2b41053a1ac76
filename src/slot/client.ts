import { StringDecoder } from 'node:string_decoder';
import type { LaneProgress } from '../lane/lane.js';
import { drain } from '../lane/process/drain.js';
import { launchSlot, type Launch } from './launch.js';
import type { CallName, FromSlot, SlotCalls, ToSlot } from './protocol.js';

/**
 * The slot's process ended while it owed an answer. In place its journal says what is left to
 * restore; an overlay went with it.
 */
export class SlotDied extends Error {
  override readonly name = 'SlotDied';
}

export interface SlotClient {
  readonly pid: number;
  call<C extends CallName>(
    name: C,
    params: SlotCalls[C]['params'],
    onProgress?: (progress: LaneProgress) => void,
  ): Promise<SlotCalls[C]['answer']>;
  /** Ends the running step and all to come; calls still answer, with the ending `cancelled`. */
  cancel(urgency: 'soon' | 'now'): void;
  /** Resolves when the process is gone, however. */
  readonly gone: Promise<void>;
  /** Kills the process at once; what it had in place is then left to recovery. */
  kill(): void;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: LaneProgress) => void) | undefined;
}

/** Starts the worker process of one slot. */
export function startSlot(launch: Launch, env: NodeJS.ProcessEnv): SlotClient {
  const child = launchSlot(launch, env);
  const waiting = new Map<number, Waiting>();
  let number = 0;
  let complaint = '';
  let causeOfDeath: string | null = null;

  const decoder = new StringDecoder('utf8');
  const push = (chunk: Buffer): void => {
    complaint = (complaint + decoder.write(chunk)).slice(-4000);
  };
  const stderr = drain(child.stderr === null ? [] : [{ stream: child.stderr, push }]);
  child.on('message', (message: FromSlot) => {
    const waiter = waiting.get(message.id);
    if (waiter === undefined) return;
    if (message.kind === 'progress') {
      for (const progress of message.progress) waiter.onProgress?.(progress);
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'answer') waiter.resolve(message.answer);
    else waiter.reject(new Error(`Internal error in a slot: ${message.stack}`));
  });

  const gone = new Promise<void>((resolve) => {
    const end = (why: string): void => {
      causeOfDeath ??= complaint === '' ? why : `${why}: ${complaint.trim()}`;
      for (const { reject } of waiting.values()) reject(new SlotDied(causeOfDeath));
      waiting.clear();
      resolve();
    };
    child.on('error', (error) => {
      end(`the slot's process could not be started: ${error.message}`);
    });
    /** Of a process whose end may be known before its last words are read. */
    const endWith = async (how: string): Promise<void> => {
      await stderr.finish();
      end(`the slot's process ended with ${how}`);
    };
    child.on('exit', (code, signal) => {
      void endWith(signal ?? `exit code ${String(code)}`);
    });
  });

  const rejectWhenGone = async (reject: (error: Error) => void): Promise<void> => {
    await gone;
    reject(new SlotDied(causeOfDeath ?? "the slot's process is gone"));
  };

  const send = (message: ToSlot): void => {
    if (child.connected) child.send(message, () => undefined);
  };

  return {
    pid: child.pid ?? -1,
    call<C extends CallName>(
      name: C,
      params: SlotCalls[C]['params'],
      onProgress?: (progress: LaneProgress) => void,
    ): Promise<SlotCalls[C]['answer']> {
      return new Promise((resolve, reject) => {
        // Its channel closes a moment before it is known how it ended, or (while processes of its
        // namespace still hold it) after.
        if (!child.connected || causeOfDeath !== null) {
          void rejectWhenGone(reject);
          return;
        }
        const id = ++number;
        waiting.set(id, {
          resolve: (answer) => {
            resolve(answer as SlotCalls[C]['answer']);
          },
          reject,
          onProgress,
        });
        send({ kind: 'call', id, call: name, params });
      });
    },
    cancel(urgency) {
      send({ kind: 'cancel', urgency });
    },
    gone,
    kill() {
      // Once it has ended, its number may be that of somebody else's group: what outlives it is
      // found by the mark that it carries.
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      // The whole group, since without a pid namespace a worker outlives the shell that mounted for it.
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    },
  };
}
