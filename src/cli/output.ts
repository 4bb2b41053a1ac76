/** Where commands write: stdout carries results, stderr everything else. */
import { writeSync } from 'node:fs';

const STDOUT = 1;
const STDERR = 2;

/** Waits for a pipe that is full; gives up quietly on one that was closed (`| head`). */
function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        continue;
      }
      if (code === 'EPIPE' || code === 'EIO') return;
      throw error;
    }
  }
}

/**
 * stderr for a display. A terminal that hung up (EIO) and a closed pipe (EPIPE) are reported as
 * an event, which without a listener would end a run that has an edit in place.
 */
export function progressStream(): NodeJS.WriteStream {
  process.stderr.on('error', () => undefined);
  return process.stderr;
}

export const printResult = (text: string): void => {
  write(STDOUT, text);
};

export const printMessage = (text: string): void => {
  write(STDERR, text);
};
