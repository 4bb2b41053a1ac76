import { expect, test } from 'vitest';
import { reachText } from '../../src/report/prove-reach.js';
import { PROVE_RECORDS } from './prove-records.js';

const textOf = (by: readonly string[], red: readonly string[]): string | null => {
  const [record] = Object.values(PROVE_RECORDS);
  const [first] = record?.proofs ?? [];
  const [lane] = record?.lanes ?? [];
  if (record?.prove === undefined || first === undefined || lane === undefined)
    throw new Error('no record of prove');
  const preExisting = red.map((id) => ({ test: id, outcome: 'failed' as const, message: null }));
  const lanes = [{ ...lane, name: first.lane, preExisting }];
  const reach = { state: 'reached' as const, by: [...by], noticed: [], why: null };
  const view = { record: { ...record, lanes }, prove: record.prove };
  return reachText(view, { ...first, reach }, 'it');
};

test.each([
  [['a'], [], '1 test gets there, and does not notice'],
  [['a', 'b'], ['c'], '2 tests get there, and none of them notices'],
  [['a', 'b'], ['b'], '1 test gets there, and does not notice; 1 more is red before'],
  [
    ['a', 'b', 'c', 'd'],
    ['b', 'd'],
    '2 tests get there, and none of them notices; 2 more are red before',
  ],
  [['a'], ['a'], '1 test gets there, and is red before'],
  [['a', 'b'], ['a', 'b'], '2 tests get there, and are red before'],
])('%j get there, %j are red before: %s', (by, red, said) => {
  expect(textOf(by, red)).toBe(said);
});
