import { expect, test } from 'vitest';
import { parseDuration, parseSize } from '../../src/spec/units.js';

test.each([
  ['60s', 60_000],
  ['5m', 300_000],
  ['250ms', 250],
  ['1.5h', 5_400_000],
  ['2 s', 2000],
  ['90', 90_000],
  [0.5, 500],
  ['596h', 2_145_600_000],
  ['597h', null],
  ['0s', null],
  ['0.1ms', null],
  ['-1s', null],
  ['1e3', null],
  ['60S', null],
  ['5min', null],
  ['5m30s', null],
  ['', null],
  [' 5s', null],
  ['Infinity', null],
  [Number.NaN, null],
])('the duration %j is %j ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  ['16MiB', 16 * 1024 * 1024],
  ['2GB', 2_000_000_000],
  ['512kB', 512_000],
  ['1.5KiB', 1536],
  ['1 TiB', 2 ** 40],
  ['100B', 100],
  [4096, 4096],
  ['0MB', null],
  ['2gb', null],
  ['2G', null],
  ['2Gb', null],
  ['-1MB', null],
  ['9999999TiB', null],
  ['', null],
])('the size %j is %j bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});
