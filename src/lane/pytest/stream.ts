/** Follows the event file while the lane runs. */
import { open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { parseEvent, type PytestEvent } from './events.js';

export interface EventStream {
  /** Every event that was written since the last call, in order. */
  read(): Promise<readonly PytestEvent[]>;
  close(): Promise<void>;
}

const CHUNK = 1 << 18;

/**
 * Opens the event file, which must exist. The file stays open, so that it is read to its end
 * even where a test deletes it by name. A last line without its line break is held back: its
 * process was ended while it wrote.
 */
export async function followEvents(path: string, nonce: string): Promise<EventStream> {
  const file = await open(path, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(CHUNK);
  let position = 0;
  let rest = '';
  return {
    async read() {
      const events: PytestEvent[] = [];
      if ((await file.stat()).size < position) {
        // Somebody emptied it. What follows is read from the start; the line numbers tell.
        position = 0;
        rest = '';
      }
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK, position);
        if (bytesRead === 0) return events;
        position += bytesRead;
        const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const event = parseEvent(line, nonce);
          if (event !== null) events.push(event);
        }
      }
    },
    close: () => file.close(),
  };
}
