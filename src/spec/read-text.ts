/** From a file on disk to text, or to the reason why it is none. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { err, ok, type Result } from '../result.js';
import type { Diagnostic } from './model.js';
import { diagnose, fileDiagnostic, makeSource, type Source } from './source.js';

/** A spec of a thousand mutations has about 400 kB; more than this is some other kind of file. */
export const MAX_BYTES = 8 * 1024 * 1024;

// What YAML and TOML forbid in a file: control characters, and carriage returns on their own.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\r(?!\n)/g;
const MAX_CONTROL_FAULTS = 5;

/**
 * Reads a file that a person wrote.
 * @param path absolute path
 * @param name the name that diagnostics show
 */
export function readSource(path: string, name: string): Result<Source, readonly Diagnostic[]> {
  let bytes: Buffer;
  try {
    const stat = statSync(path);
    if (stat.isDirectory())
      return err([fileDiagnostic(name, 'this is a folder, where a file is expected')]);
    if (!stat.isFile())
      return err([fileDiagnostic(name, 'this is no regular file', 'Name a file on disk.')]);
    if (stat.size > MAX_BYTES) return err([tooBig(name, stat.size)]);
    bytes = readFileSync(path);
  } catch (error) {
    return err([fileDiagnostic(name, `cannot be read: ${reasonOf(error)}`)]);
  }
  return decode(name, bytes);
}

/** Decodes the bytes of a file; strict UTF-8, a byte order mark is dropped. */
export function decode(name: string, bytes: Buffer): Result<Source, readonly Diagnostic[]> {
  if (bytes.length > MAX_BYTES) return err([tooBig(name, bytes.length)]);
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff')
    return err([fileDiagnostic(name, 'the file is UTF-16', 'Save it as UTF-8.')]);
  const source = makeSource(name, bytes.toString('utf8').replace(/^\ufeff/, ''));
  const bad = firstBadByte(bytes);
  if (bad !== null) {
    // The text before a bad byte decodes to the same characters, so its length is the offset.
    const offset = bytes
      .subarray(0, bad)
      .toString('utf8')
      .replace(/^\ufeff/, '').length;
    const shown = `0x${(bytes[bad] ?? 0).toString(16).padStart(2, '0')}`;
    const span = { start: offset, end: offset + 1 };
    return err([diagnose(source, span, `byte ${shown} is not UTF-8`, 'Save the file as UTF-8.')]);
  }
  const faults = [...source.text.matchAll(FORBIDDEN)]
    .slice(0, MAX_CONTROL_FAULTS)
    .map((match) => controlFault(source, match.index));
  return faults.length > 0 ? err(faults) : ok(source);
}

function controlFault(source: Source, offset: number): Diagnostic {
  const code = source.text.charCodeAt(offset);
  const span = { start: offset, end: offset + 1 };
  if (code === 0x0d)
    return diagnose(
      source,
      span,
      'a carriage return without a line feed',
      'Save the file with LF or CRLF line endings, or write "\\r" inside double quotes.',
    );
  const escape = `\\x${code.toString(16).padStart(2, '0')}`;
  return diagnose(
    source,
    span,
    `a control character (${escape}) stands in the file`,
    code > 0xff ? 'Remove it.' : `Remove it, or write "${escape}" inside double quotes.`,
  );
}

const tooBig = (name: string, size: number): Diagnostic =>
  fileDiagnostic(
    name,
    `the file has ${Math.ceil(size / 1024 / 1024)} MiB; at most ${MAX_BYTES / 1024 / 1024} MiB are read`,
    'Split it into several files.',
  );

/** Offset of the first byte that is no part of valid UTF-8; null: there is none. */
function firstBadByte(bytes: Buffer): number | null {
  if (isUtf8(bytes)) return null;
  // Decoding puts U+FFFD in the place of bad bytes, so the first difference lies in the first one.
  const again = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  const isContinuation = (): boolean => ((again[at] ?? 0) & 0xc0) === 0x80;
  while (at > 0 && isContinuation()) at -= 1;
  return at;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ELOOP') return 'its symbolic links go round in circles';
  return error instanceof Error ? error.message : String(error);
}
