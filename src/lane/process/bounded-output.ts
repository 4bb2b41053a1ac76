/** Keeps the head and the tail of a stream in bounded memory; counts what lies between. */

/** Head and tail of a stream; `dropped` bytes between them were counted and thrown away. */
export interface BoundedOutput {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly dropped: number;
}

export interface OutputCollector {
  readonly push: (chunk: Uint8Array) => void;
  readonly take: () => BoundedOutput;
}

/** A quiet lane costs this much; the ring doubles only as output comes. */
const FIRST_RING_BYTES = 16 * 1024;

/**
 * A ring and not a list of chunks: a program that writes byte by byte makes millions of
 * chunks whose objects cost far more than what they hold.
 *
 * @param limitBytes Kept in all: half as head, half as tail. Nothing is dropped below it.
 */
export function collectOutput(limitBytes: number): OutputCollector {
  const headLimit = Math.ceil(Math.max(0, limitBytes) / 2);
  const tailLimit = Math.floor(Math.max(0, limitBytes) / 2);
  const head = growing(headLimit);
  let ring = Buffer.alloc(0);
  let ringStart = 0;
  let ringLength = 0;
  let dropped = 0;

  const pushTail = (chunk: Uint8Array): void => {
    const kept = chunk.length > tailLimit ? chunk.subarray(chunk.length - tailLimit) : chunk;
    dropped += chunk.length - kept.length;
    const overflow = Math.max(0, ringLength + kept.length - tailLimit);
    dropped += overflow;
    const wanted = ringLength - overflow + kept.length;
    if (wanted > ring.length) {
      const larger = Buffer.alloc(Math.min(tailLimit, Math.max(wanted * 2, FIRST_RING_BYTES)));
      unroll(ring, ringStart, ringLength).copy(larger);
      ring = larger;
      ringStart = 0;
    }
    if (ring.length === 0) return;
    ringStart = (ringStart + overflow) % ring.length;
    ringLength -= overflow;
    const at = (ringStart + ringLength) % ring.length;
    const first = Math.min(kept.length, ring.length - at);
    ring.set(kept.subarray(0, first), at);
    ring.set(kept.subarray(first), 0);
    ringLength += kept.length;
  };

  return {
    push: (chunk) => {
      const taken = head.push(chunk);
      if (taken < chunk.length) pushTail(chunk.subarray(taken));
    },
    take: () => ({ head: head.take(), tail: unroll(ring, ringStart, ringLength), dropped }),
  };
}

/** Fills up to `limit` bytes and says how many of each chunk fitted. */
function growing(limit: number): {
  push: (chunk: Uint8Array) => number;
  take: () => Buffer;
} {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    push: (chunk) => {
      const fits = Math.min(chunk.length, limit - length);
      if (length + fits > buffer.length) {
        const larger = Buffer.alloc(
          Math.min(limit, Math.max((length + fits) * 2, FIRST_RING_BYTES)),
        );
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      buffer.set(chunk.subarray(0, fits), length);
      length += fits;
      return fits;
    },
    take: () => Buffer.from(buffer.subarray(0, length)),
  };
}

function unroll(ring: Buffer, start: number, length: number): Buffer {
  const first = ring.subarray(start, Math.min(ring.length, start + length));
  return Buffer.concat([first, ring.subarray(0, length - first.length)]);
}

/** The output as bytes for a log, with one line in the place of what was dropped. */
export function outputBytes(output: BoundedOutput): Buffer {
  if (output.dropped === 0) return Buffer.concat([output.head, output.tail]);
  const gap = `\n[… ${output.dropped} bytes of output are left out here …]\n`;
  return Buffer.concat([output.head, Buffer.from(gap), output.tail]);
}
