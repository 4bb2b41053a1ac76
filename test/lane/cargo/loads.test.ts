import { describe, expect, test } from 'vitest';
import { loadEvidence, proveBuild, type WrittenFile } from '../../../src/lane/cargo/loads.js';
import { aUnit } from './builders.js';

const WRITTEN: WrittenFile = {
  path: 'src/used.rs',
  file: '/w/src/used.rs',
  before: 'aa',
  after: 'aa',
};
const INPUTS = ['/w/src/lib.rs', '/w/src/used.rs'];
const OTHERS = ['/w/src/lib.rs'];

describe('what a build shows of a file that was written before it', () => {
  test.each([
    [
      'rebuilt, where every unit with it was compiled',
      [aUnit('lib', INPUTS, false), aUnit('lib test', INPUTS, false)],
      'rebuilt',
    ],
    [
      'nothing, where only other files of a rebuilt unit are its inputs',
      [aUnit('lib', OTHERS, false)],
      'no-input',
    ],
    ['nothing, where no unit is in the tree', [], 'no-input'],
    [
      'that it was overlooked, where cargo took one unit for fresh',
      [aUnit('lib', INPUTS, false), aUnit('lib test', INPUTS, true)],
      'fresh',
    ],
    [
      'rebuilt, where units without it are fresh',
      [aUnit('lib', INPUTS, false), aUnit('other', OTHERS, true)],
      'rebuilt',
    ],
  ] as const)('%s', (_, units, expected) => {
    expect(proveBuild(WRITTEN, units).kind).toBe(expected);
  });

  test('nothing, where somebody wrote into it meanwhile', () => {
    const units = [aUnit('lib', INPUTS, false)];
    expect(proveBuild({ ...WRITTEN, after: 'bb' }, units).kind).toBe('unsteady');
  });
});

test('the evidence names sum and units, and claims neither where there is no proof', () => {
  // A library may be compiled twice, for two kinds of dependents.
  const labels = ['jail (lib)', 'jail (lib test)', 'jail (lib)'];
  const units = labels.map((label) => aUnit(label, INPUTS, false));
  expect(loadEvidence(WRITTEN, proveBuild(WRITTEN, units), '')).toEqual({
    path: 'src/used.rs',
    proof: 'rebuilt',
    sha256: 'aa',
    elsewhere: null,
    by: 'jail (lib test), jail (lib)',
  });
  const fresh = [aUnit('jail (lib)', INPUTS, true)];
  expect(loadEvidence(WRITTEN, proveBuild(WRITTEN, fresh), '')).toMatchObject({
    proof: 'cached',
    sha256: null,
    by: null,
    why: 'cargo took jail (lib) for unchanged',
  });
  expect(loadEvidence(WRITTEN, proveBuild(WRITTEN, []), 'for a reason')).toMatchObject({
    proof: 'none',
    by: null,
    why: 'for a reason',
  });
});
