/** Reads what is still in a pipe after its writer ended, without waiting for whoever else holds it. */
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

export interface Drain {
  /** Waits until the streams end or fall silent, then destroys them. */
  readonly finish: () => Promise<void>;
}

const SILENT_MS = 100;
const LONGEST_MS = 2_000;

/** Starts to read at once; `push` gets every chunk until `finish` has returned. */
export function drain(
  streams: readonly { readonly stream: Readable; readonly push: (chunk: Buffer) => void }[],
): Drain {
  const open = new Set<Readable>();
  let lastChunk = performance.now();
  const ended = new AbortController();
  for (const { stream, push } of streams) {
    open.add(stream);
    stream.on('data', (chunk: Buffer) => {
      lastChunk = performance.now();
      push(chunk);
    });
    const close = (): void => {
      open.delete(stream);
      if (open.size === 0) ended.abort();
    };
    stream.once('end', close).once('close', close).on('error', close);
  }

  return {
    finish: async () => {
      const started = performance.now();
      lastChunk = started;
      while (open.size > 0 && performance.now() - started < LONGEST_MS) {
        await delay(10, undefined, { signal: ended.signal }).catch(() => {});
        // A busy loop may run late timers before it reads: let it read once before we judge.
        await nextTurn();
        if (performance.now() - lastChunk > SILENT_MS) break;
      }
      for (const { stream } of streams) stream.destroy();
    },
  };
}
