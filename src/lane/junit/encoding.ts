/** From a report's bytes to text: by its byte order mark, its XML declaration, or as UTF-8. */

/** Decodes the chunks of one file, in order. The first one decides. */
export type Decode = (chunk: Uint8Array, position: 'more' | 'last') => string;

/**
 * A byte that the encoding does not allow becomes U+FFFD: output of a test that ended up in a
 * report must not cost the others their outcome.
 */
export function decoderFor(): Decode {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  /** Held back until it is long enough to tell: a stream may begin with a single byte. */
  let start = new Uint8Array(0);
  return (chunk, position) => {
    const stream = position === 'more';
    if (decoder !== null) return decoder.decode(chunk, { stream });
    start = Buffer.concat([start, chunk]);
    if (stream && start.length < DECLARATION_BYTES) return '';
    decoder = new TextDecoder(encodingOf(start));
    return decoder.decode(start, { stream });
  };
}

/** An XML declaration stands at the very start; 200 bytes hold any that a runner writes. */
const DECLARATION_BYTES = 200;

function encodingOf(start: Uint8Array): string {
  const [a, b, c] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0x3c && b === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c) return 'utf-16be';
  const head = Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declared = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  return declared === undefined || !isKnown(declared) ? 'utf-8' : declared;
}

/** Declared as UTF-16 without a byte order mark, and readable as ASCII: it is something else. */
function isKnown(label: string): boolean {
  if (/^utf-?16/i.test(label)) return false;
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}
