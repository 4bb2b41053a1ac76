import { describe, expect, test } from 'vitest';
import { decode, MAX_BYTES, readSource } from '../../src/spec/read-text.js';
import { brief, folderWith } from './support.js';

function faultsOf(bytes: Buffer): readonly string[] {
  const source = decode('a.yaml', bytes);
  return source.ok ? [] : brief(source.error);
}

function faultsAt(path: string): readonly string[] {
  const source = readSource(path, 'name');
  return source.ok ? [] : brief(source.error);
}

describe('bytes become text', () => {
  test('without a byte order mark, with all line endings kept', () => {
    const source = decode('a.yaml', Buffer.from('\ufeffa: é\r\nb: \u0085\ufffd\n'));
    expect(source.ok && source.value.text).toBe('a: é\r\nb: \u0085\ufffd\n');
  });

  test.each([
    ['latin-1', Buffer.from('a: b\nc: é', 'latin1'), '2:4 byte 0xe9 is not UTF-8'],
    [
      'a bad byte behind a mark and wide letters',
      Buffer.concat([Buffer.from('\ufeffé日👍\n\u{fffd}'), Buffer.from([0x80])]),
      '2:2 byte 0x80 is not UTF-8',
    ],
    [
      'a letter that is cut off',
      Buffer.concat([Buffer.from('ab'), Buffer.from([0xe2, 0x82])]),
      '1:3 byte 0xe2 is not UTF-8',
    ],
    [
      'a lead byte like that of the replacement',
      Buffer.from([0x61, 0xef, 0xbf, 0x61]),
      '1:2 byte 0xef is not UTF-8',
    ],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), '1:1 byte 0xed is not UTF-8'],
    ['UTF-16', Buffer.from('\ufeffa: b', 'utf16le'), '1:1 the file is UTF-16'],
    ['a NUL', Buffer.from('a: b\0'), '1:5 a control character (\\x00) stands in the file'],
    [
      'an escape',
      Buffer.from('a:\n  \u001b[31m'),
      '2:3 a control character (\\x1b) stands in the file',
    ],
    [
      'a lone carriage return',
      Buffer.from('a: b\rc: d'),
      '1:5 a carriage return without a line feed',
    ],
    [
      'too many',
      Buffer.alloc(MAX_BYTES + 1, 0x23),
      '1:1 the file has 9 MiB; at most 8 MiB are read',
    ],
  ])('%s is refused', (_, bytes, fault) => {
    expect(faultsOf(bytes)).toEqual([fault]);
  });

  test('of a binary file some faults are told, not a thousand', () => {
    expect(faultsOf(Buffer.alloc(1000))).toHaveLength(5);
  });
});

test('a folder, and a file that is not there', () => {
  const root = folderWith({ 'a/b': '' });
  expect(faultsAt(`${root}/a`)).toEqual(['1:1 this is a folder, where a file is expected']);
  expect(faultsAt(`${root}/c`)).toEqual(['1:1 cannot be read: there is no such file']);
});
