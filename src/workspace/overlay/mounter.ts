/** Asks the slot's first process for fresh layers: it may mount, the worker may not. */
import { close, open, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { err, ok, type Result } from '../../result.js';
import { reasonOf } from '../durable.js';
import { LAYER_NAMES } from './layers.js';

/** One overlay over the tree: names relative to the slot's folder of layers. */
export interface LayerOrder {
  /** Topmost first. */
  readonly lowers: readonly string[];
  readonly upper: string;
  readonly work: string;
}

// By number: a handle that is no longer used by name is closed when memory is tidied up.
const opening = promisify(open);
const closing = promisify(close);
const writing = promisify<number, string, unknown>(write);

export interface Mounter {
  /** Takes the present overlay away and mounts another. The error is the system's own words. */
  readonly mount: (order: LayerOrder) => Promise<Result<void, string>>;
  /** Mounts these layers, topmost first, where they can be looked at alone. */
  readonly show: (lowers: LayerOrder['lowers']) => Promise<Result<void, string>>;
  readonly close: () => Promise<void>;
}

const NO_ANSWER = 'it did not answer';
/** A mount takes milliseconds; what takes this long will not come back. */
const LIMIT_MS = 30_000;

/** @returns the error in the words of `Mounter` where the other side is not there */
export async function openMounter(
  layers: string,
  limitMs = LIMIT_MS,
): Promise<Result<Mounter, string>> {
  const pipes = await openPipes(layers, limitMs);
  if (pipes === null) return err(NO_ANSWER);
  const { requests, answers } = pipes;
  const socket = new Socket({ fd: answers, readable: true, writable: false });
  const waiting = new Map<string, (answer: string) => void>();
  createInterface({ input: socket }).on('line', (line) => {
    const [number = '', ...words] = line.split(' ');
    waiting.get(number)?.(words.join(' ').trim());
    waiting.delete(number);
  });
  // An idle mounter must not keep a worker alive whose work is done.
  socket.unref();
  let count = 0;

  const ask = async (words: readonly string[]): Promise<Result<void, string>> => {
    const number = String(++count);
    const answer = new Promise<string>((resolve) => {
      const late = setTimeout(() => {
        waiting.delete(number);
        resolve(NO_ANSWER);
      }, limitMs);
      waiting.set(number, (said) => {
        clearTimeout(late);
        resolve(said);
      });
    });
    try {
      await writing(requests, `${[number, ...words].join(' ')}\n`);
    } catch (error) {
      // The shell is dead: no answer comes, and its limit is not to hold the process.
      waiting.get(number)?.(reasonOf(error));
      waiting.delete(number);
    }
    const said = await answer;
    return said === 'ok' ? ok(undefined) : err(said);
  };

  return ok({
    mount: ({ lowers, upper, work }) => ask([lowers.join(':'), upper, work]),
    show: (lowers) => ask([lowers.join(':')]),
    async close() {
      socket.destroy();
      await closing(requests).catch(() => undefined);
    },
  });
}

interface Pipes {
  readonly requests: number;
  readonly answers: number;
}

/** Each opening waits for the other side's; null: that did not come. */
async function openPipes(layers: string, limitMs: number): Promise<Pipes | null> {
  const paths = [LAYER_NAMES.requests, LAYER_NAMES.answers].map((name) => join(layers, name));
  const [toShell = '', fromShell = ''] = paths;
  const own: number[] = [];
  const late = setTimeout(() => {
    // Both sides at once, which waits for nobody and ends the waiting of the others.
    own.push(...paths.map((path) => openSync(path, 'r+')));
  }, limitMs);
  const opened = Promise.all([opening(toShell, 'w'), opening(fromShell, 'r')]);
  const [requests, answers] = await opened.finally(() => {
    clearTimeout(late);
  });
  if (own.length === 0) return { requests, answers };
  for (const each of [requests, answers, ...own]) await closing(each);
  return null;
}
