/** Follows the event file while the lane runs. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { parseEvent, type PytestEvent } from './events.js';

export interface EventStream {
  /**
   * Events that were written since the last call, in order. `some`: as many as can be read
   * without keeping limits and cancellation from their work; the next call has the others.
   */
  read(extent: 'some' | 'all'): readonly PytestEvent[];
  close(): void;
}

/** Serves every stream: it is read and decoded in one go. */
const BUFFER = Buffer.alloc(1 << 18);
/** A test that floods the file is not to hold the slot up. */
const SOME_BYTES = 1 << 23;

/**
 * Opens the event file, which must exist. The file stays open, so that it is read to its end
 * even where a test deletes it by name. A last line without its line break is held back: its
 * process was ended while it wrote.
 *
 * Synchronous, like all that a step does to its private folder: each asynchronous call costs
 * several times what it does, and a slot has nothing else to do meanwhile.
 */
export function followEvents(path: string, nonce: string): EventStream {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  let position = 0;
  let rest = '';
  return {
    read(extent) {
      const events: PytestEvent[] = [];
      if (fstatSync(file).size < position) {
        // Somebody emptied it. What follows is read from the start; the line numbers tell.
        position = 0;
        rest = '';
      }
      const end = extent === 'all' ? Number.POSITIVE_INFINITY : position + SOME_BYTES;
      while (position < end) {
        const bytesRead = readSync(file, BUFFER, 0, BUFFER.length, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        const lines = (rest + decoder.write(BUFFER.subarray(0, bytesRead))).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const event = parseEvent(line, nonce);
          if (event !== null) events.push(event);
        }
      }
      return events;
    },
    close: () => closeSync(file),
  };
}
