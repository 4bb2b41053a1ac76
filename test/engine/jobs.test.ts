import { describe, expect, it } from 'vitest';
import { besideGaps, slotCount, slotsOf, thisMachine } from '../../src/engine/jobs.js';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import type { LaneConfig } from '../../src/spec/model.js';

const GIB = 2 ** 30;

describe('how many slots a run has', () => {
  it.each([
    ['as many as cores', 'auto', 8, 64 * GIB, 8],
    ['fewer where memory is scarce', 'auto', 8, 3.5 * GIB, 3],
    ['one at least', 'auto', 8, 0.2 * GIB, 1],
    ['what is asked for', 5, 2, 1 * GIB, 5],
  ] as const)('%s', (_title, asked, cores, freeMemory, slots) => {
    expect(slotCount(asked, { cores, freeMemory })).toBe(slots);
  });

  it('finds both out of the machine', () => {
    const { cores, freeMemory } = thisMachine();
    expect(cores).toBeGreaterThan(0);
    expect(freeMemory).toBeGreaterThan(0);
  });
});

describe('how many slots a lane has', () => {
  const pytest = (slots: number | 'auto'): LaneConfig => ({ ...implicitLane(), slots });
  it.each([
    ['one where nobody says that there may be more', [pytest('auto')], 4, true, 1],
    ['those that are asked for', [pytest('auto')], 4, false, 4],
    ['as many as it allows', [pytest(2)], 4, true, 2],
    ['no more than the run has', [pytest(9)], 4, false, 4],
    ['as many as the lanes of its controls allow', [pytest('auto'), pytest(1)], 4, true, 1],
    ['what a lane allows, where nobody asks', [pytest(3)], 8, true, 3],
  ] as const)('%s', (_title, lanes, jobs, isAuto, slots) => {
    expect(slotsOf(lanes, { jobs, isAuto })).toEqual({ count: slots, why: null });
  });

  const builds = (slots: number | 'auto', name = 'unit'): LaneConfig => ({
    ...pytest(slots),
    name,
    build: 'make install',
  });
  const why = (name: string): string =>
    `one slot for lane ${name}: its build may write outside the tree (\`slots: N\` in the lane if it does not)`;
  it.each([
    ['one where it builds, whatever is asked for', [builds('auto')], 4, 1, why('unit')],
    ['what it says itself, where it builds', [builds(3)], 4, 3, null],
    ['one where that of a control builds', [pytest('auto'), builds('auto', 'it')], 4, 1, why('it')],
    ['one, of which there is nothing to say', [builds('auto')], 1, 1, null],
    ['one, which another lane asks for', [pytest(1), builds('auto')], 4, 1, null],
  ] as const)('%s', (_title, lanes, jobs, count, text) => {
    const found = slotsOf(lanes, { jobs, isAuto: false });
    expect(found).toEqual({ count, why: text });
  });
});

describe('what slots leave outside the tree for each other', () => {
  const lane = (slots: number | 'auto', name = 'unit'): LaneConfig => ({
    ...implicitLane(),
    name,
    slots,
  });
  it.each([
    ['is nothing where one worked', [lane('auto')], 1, null],
    ['is nothing where none did', [lane('auto')], 0, null],
    ['is vouched for by the lane that names its slots', [lane(2)], 2, null],
    ['is said where several worked because somebody asked for them', [lane('auto')], 2, 'unit'],
    ['is said of the lane of a control too', [lane(2), lane('auto', 'web')], 2, 'web'],
  ] as const)('%s', (_title, lanes, working, named) => {
    const gaps = besideGaps(lanes, working);
    expect(gaps).toEqual(named === null ? [] : [expect.stringContaining(`lane ${named} `)]);
  });
});
