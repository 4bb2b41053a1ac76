/** How the text of a spec is written in the bytes of a file. */
import { isUtf8 } from 'node:buffer';

/** `ascii` texts are the same bytes in both, so that they need no decision. */
export type Encoding = 'utf8' | 'latin1';

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const fitsLatin1 = (text: string): boolean => /^[\0-\xff]*$/.test(text);

/**
 * The encodings in which a text may stand in this file, in order of trust. A file that is
 * valid UTF-8 is never read in any other way; in one that is not, a non-ASCII text may stand
 * in UTF-8 (a mixed file) or in latin-1.
 */
export function encodingsFor(file: Buffer, text: string): readonly Encoding[] {
  if (isAscii(text) || isUtf8(file) || !fitsLatin1(text)) return ['utf8'];
  return ['utf8', 'latin1'];
}

/**
 * The bytes of a text that a mutation adds to a file, given the encoding in which the text
 * beside it was found. null: the file is not UTF-8, and latin-1 cannot hold the text.
 */
export function encodeFor(file: Buffer, text: string, found: Encoding | null): Buffer | null {
  if (isAscii(text) || isUtf8(file) || found === 'utf8') return Buffer.from(text, 'utf8');
  return fitsLatin1(text) ? Buffer.from(text, 'latin1') : null;
}

/** The encoding that an anchor proves: an ASCII one proves nothing. */
export const provenBy = (text: string, encoding: Encoding): Encoding | null =>
  isAscii(text) ? null : encoding;
