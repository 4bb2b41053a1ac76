import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adHocMutation } from '../../src/adhoc/mutation.js';
import { planTry, type TryOrder } from '../../src/adhoc/trying.js';
import { implicitLane } from '../../src/spec/implicit-lanes.js';
import { createRepository, type Repository } from '../git/repository.js';
import { lane, record } from '../report/records.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
  for (const name of ['b', 'c', 'd', 'e']) await repository.put(`test_${name}.py`, 'x = 1\n');
  await repository.put('test_a.py', 'import shop\n');
  repository.commit();
});
afterEach(() => repository.remove());

function order(
  asked: { readonly flips?: readonly string[]; readonly exact?: boolean },
  more: Partial<TryOrder> = {},
): TryOrder {
  const { flips = null, exact = false } = asked;
  const spec = adHocMutation({ id: 'm', lane: 'pytest', edits: [], flips, exact });
  return {
    tree: repository.dir,
    root: repository.dir,
    lane: implicitLane(),
    planned: { spec, pulledIn: false, notApplied: null },
    sources: ['shop.py'],
    tests: [],
    extent: 'nearest first',
    notes: [],
    gaps: [],
    ...more,
  };
}

describe('the test files that are asked first', () => {
  test.each<readonly [string, Parameters<typeof order>, readonly string[] | null]>([
    ['those that import what is edited', [{}], ['test_a.py']],
    [
      'those of the tests that must notice, too',
      [{ flips: ['test_c.py::test_x'] }],
      ['test_c.py', 'test_a.py'],
    ],
    ['all, where a test that must notice is named by no file', [{ flips: ['tests'] }], null],
    ['those of changed tests, too', [{}, { tests: ['test_b.py'] }], ['test_b.py', 'test_a.py']],
    ['all, where any move refutes', [{ exact: true }], null],
    ['all, where the whole lane is asked for', [{}, { extent: 'whole lane' }], null],
  ])('are %s', async (_, args, files) => {
    const { lanes, mutations } = await planTry(order(...args));
    const [first] = lanes;
    expect(mutations).toHaveLength(1);
    expect(mutations[0]?.spec.lane).toBe(first?.name);
    expect(first).toMatchObject(
      files === null
        ? { name: 'pytest', paths: [] }
        : { name: 'pytest, nearest tests', paths: files },
    );
    expect(lanes.at(-1)).toEqual(implicitLane());
  });
});

test.each(['nearest first', 'whole lane'] as const)(
  'the record says what else there is to know, whatever was asked: %s',
  async (extent) => {
    const { rounds } = await planTry(order({}, { extent, notes: ['a note'], gaps: ['a gap'] }));
    const run = record([], { lanes: [lane({ name: 'pytest' })], notVerified: ['more'] });
    const { lanes, notVerified } = rounds.conclude(run, []);
    expect(lanes[0]?.notes[0]).toBe('a note');
    expect([notVerified[0], notVerified.at(-1)]).toEqual(['a gap', 'more']);
  },
);
