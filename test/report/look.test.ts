import { describe, expect, test } from 'vitest';
import { type LookRequest, lookFor } from '../../src/report/look.js';

const terminal: LookRequest = {
  env: { TERM: 'xterm', LANG: 'en_GB.UTF-8' },
  platform: 'linux',
  isTTY: true,
  columns: 120,
  color: 'auto',
};

test('a UTF-8 terminal gets colour, Unicode and its own width', () => {
  expect(lookFor(terminal)).toEqual({ width: 120, colour: true, unicode: true });
});

describe('colour', () => {
  test.each<[string, Partial<LookRequest>, boolean]>([
    ['a pipe has none', { isTTY: false }, false],
    ['NO_COLOR switches it off', { env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR says nothing', { env: { NO_COLOR: '' } }, true],
    ['NO_COLOR wins over FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['FORCE_COLOR switches it on in a pipe', { isTTY: false, env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0 switches it off', { env: { FORCE_COLOR: '0' } }, false],
    ['a dumb terminal has none', { env: { TERM: 'dumb' } }, false],
    ['--color=always wins over NO_COLOR', { env: { NO_COLOR: '1' }, color: 'always' }, true],
    ['--color=never wins over a terminal', { color: 'never' }, false],
  ])('%s', (_, change, colour) => {
    expect(lookFor({ ...terminal, ...change }).colour).toBe(colour);
  });
});

describe('Unicode', () => {
  test.each<[string, Partial<LookRequest>, boolean]>([
    ['the C locale has none', { env: { LANG: 'C' } }, false],
    ['LC_ALL wins over LANG', { env: { LC_ALL: 'C', LANG: 'en_GB.UTF-8' } }, false],
    ['C.UTF-8 has it', { env: { LC_ALL: 'C.UTF-8' } }, true],
    ['no locale at all is read as UTF-8', { env: {} }, true],
    ['the Linux console has none', { env: { TERM: 'linux', LANG: 'en_GB.UTF-8' } }, false],
  ])('%s', (_, change, unicode) => {
    expect(lookFor({ ...terminal, ...change }).unicode).toBe(unicode);
  });
});

test('an unknown width is 80, and none is narrower than 20', () => {
  expect(lookFor({ ...terminal, columns: undefined }).width).toBe(80);
  expect(lookFor({ ...terminal, columns: 3 }).width).toBe(20);
});
