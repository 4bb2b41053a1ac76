import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/prove/finding.js';
import type { Change } from '../../src/prove/fix.js';
import { search, type Search } from '../../src/prove/search.js';
import { takeKey, type Take } from '../../src/prove/take-model.js';

function change(id: string, path = 'src/a.py'): Change {
  const file = { path, oldPath: path, before: null, after: null, now: null };
  return {
    id,
    parts: [{ kind: 'created', file, isThere: true }],
    class: 'source',
    why: 'code',
    scope: null,
    obstacle: null,
  };
}

/** One that does nothing but take lines away. */
const drop = (id: string): Change => {
  const empty = { from: 3, to: 3 };
  const file = { path: 'src/a.py', oldPath: 'src/a.py', before: null, after: null, now: null };
  return {
    ...change(id),
    parts: [{ kind: 'lines', file, old: { from: 3, to: 5 }, fresh: empty, now: empty }],
  };
};

const failure = (name: string) => ({ test: name, to: 'failed' as const, at: null, message: null });
const held = (...tests: readonly string[]): Finding => ({
  kind: 'held',
  flips: (tests.length === 0 ? ['t'] : tests).map(failure),
  absent: [],
  absence: null,
});
/** Tests notice, and others fail by a name that these changes use. */
const partly = (by: string, name: string, ...ids: readonly string[]): Finding => ({
  kind: 'held',
  flips: [failure(by)],
  absent: [failure(`${by} by name`)],
  absence: { names: [name], with: ids, usedByTests: false },
});
const unmoved: Finding = { kind: 'unmoved', reason: 'none moved' };
const missed = (names: readonly string[], ...ids: readonly string[]): Finding => ({
  kind: 'inseparable',
  absence: { names, with: ids, usedByTests: ids.length === 0 },
  absent: [],
  reason: 'gone',
});
const broken: Finding = { kind: 'no-evidence', verdict: 'broken', reason: 'does not compile' };
const notLoaded: Finding = { kind: 'no-evidence', verdict: 'not-loaded', reason: 'not seen' };

type Oracle = (ids: string, take: Take) => Finding;

interface Driven extends Search {
  /** `near 1+2`, in the order of the rounds. */
  readonly asked: readonly (readonly string[])[];
}

/** Measures what is asked for until nothing more is. */
function drive(
  ids: readonly string[],
  oracle: Oracle,
  more: {
    readonly hasNear?: boolean;
    readonly wholeOnly?: boolean;
    readonly support?: boolean;
    readonly files?: Readonly<Record<string, string>>;
    readonly sources?: Readonly<Record<string, Change>>;
    /** What would miss `name` without these. */
    readonly needs?: Readonly<Record<string, readonly string[]>>;
  } = {},
): Driven {
  const source = ids.map((id) => more.sources?.[id] ?? change(id, more.files?.[id]));
  const known = new Map<string, Finding>();
  const asked: string[][] = [];
  for (;;) {
    const found = search({
      source,
      support: more.support === true ? [change('s1')] : [],
      hasNear: more.hasNear ?? false,
      needs: new Map(
        Object.entries(more.needs ?? {}).map(([id, others]) => [
          id,
          others.map((other) => ({ id: other, name: 'name' })),
        ]),
      ),
      wholeOnly: more.wholeOnly ?? false,
      find: (take) => known.get(takeKey(take)) ?? null,
    });
    if (found.wanted.length === 0) return { ...found, asked };
    const shown = (take: Take): string =>
      `${take.lane} ${take.changes.join('+')}${take.enders.length > 0 ? ` without ${take.enders.join()}` : ''}`;
    asked.push(found.wanted.map(shown));
    for (const take of found.wanted) known.set(takeKey(take), oracle(take.changes.join('+'), take));
    if (asked.length > 30) throw new Error(`it does not end: ${JSON.stringify(asked)}`);
  }
}

/** `1 held by t`, `2 unheld`, … */
function told({ state }: Search): readonly string[] {
  return [...state.changes].map(([id, holding]) => {
    switch (holding.kind) {
      case 'held':
        return `${id} held by ${holding.by.map((flip) => flip.test).join()}`;
      case 'held-joined':
        return `${id} held with ${holding.with.join('+')} (${holding.why}${holding.names.length > 0 ? ` ${holding.names.join()}` : ''})`;
      case 'unheld-joined':
        return `${id} unheld with ${holding.with.join('+')}`;
      case 'no-evidence':
        return `${id} no evidence: ${holding.reason}`;
      default:
        return `${id} ${holding.kind}`;
    }
  });
}

const of =
  (table: Readonly<Record<string, Finding>>, otherwise: Finding = unmoved): Oracle =>
  (ids) =>
    table[ids] ?? otherwise;

describe('which changes are taken back', () => {
  test('nothing at all where there is no source', () => {
    expect(drive([], of({}))).toMatchObject({ asked: [], state: { whole: null } });
  });

  test('the whole alone where it is one change', () => {
    const run = drive(['1'], of({ 1: held('a') }));
    expect(run.asked).toEqual([['full 1']]);
    expect(told(run)).toEqual(['1 held by a']);
  });

  test('the whole first; an unheld whole skips the parts', () => {
    const run = drive(['1', '2'], of({}));
    expect(run.asked).toEqual([['full 1+2']]);
    expect(told(run)).toEqual(['1 unheld', '2 unheld']);
  });

  test('then each part, in one round on one baseline', () => {
    const run = drive(['1', '2', '3'], of({ '1+2+3': held('a', 'b'), 1: held('a'), 2: held('b') }));
    expect(run.asked).toEqual([['full 1+2+3'], ['full 1', 'full 2', 'full 3']]);
    expect(told(run)).toEqual(['1 held by a', '2 held by b', '3 unheld']);
  });

  test('each file that has several changes, where there are several files', () => {
    const files = { 1: 'src/a.py', 2: 'src/a.py', 3: 'src/b.py' };
    const run = drive(['1', '2', '3'], () => held(), { files });
    expect(run.asked).toEqual([['full 1+2+3'], ['full 1', 'full 2', 'full 3', 'full 1+2']]);
    expect([...run.state.files.keys()]).toEqual(['src/a.py']);
  });

  test('support on its own, whatever the whole says', () => {
    const run = drive(['1'], of({ 1: held('a') }), { support: true });
    expect(run.asked).toEqual([['full 1'], ['full s1']]);
    expect(run.state.support?.changes).toEqual(['s1']);
  });

  test('the whole alone, where nothing else is asked for', () => {
    const run = drive(['1', '2'], () => held('a'), { wholeOnly: true });
    expect(run.asked).toEqual([['full 1+2']]);
    expect(told(run)).toEqual([]);
  });

  test('the parts also where the whole cannot be measured, but not where the lane cannot', () => {
    const run = drive(['1', '2'], of({ '1+2': missed(['f']), 1: missed(['f']), 2: held('a') }));
    expect(told(run)).toEqual([
      '1 no evidence: the tests use `f` by name, so without it they fail whatever it does',
      '2 held by a',
    ]);
    const red: Finding = { kind: 'no-evidence', verdict: 'incomplete', reason: 'No report.' };
    expect(drive(['1', '2'], () => red).asked).toEqual([['full 1+2']]);
    // Its sentence becomes a part of ours.
    expect(told(drive(['1'], () => red))).toEqual(['1 no evidence: No report']);
  });
});

describe('the nearest tests come first', () => {
  test('and alone where they notice every part', () => {
    const run = drive(['1', '2'], () => held('a'), { hasNear: true });
    expect(run.asked).toEqual([['near 1+2'], ['near 1', 'near 2']]);
  });

  test('the whole lane where they notice nothing, or do not load the file', () => {
    for (const first of [unmoved, notLoaded]) {
      const run = drive(['1'], (_, { lane }) => (lane === 'near' ? first : held('far')), {
        hasNear: true,
      });
      expect(run.asked).toEqual([['near 1'], ['full 1']]);
      expect(told(run)).toEqual(['1 held by far']);
    }
  });

  test('the whole lane for the part that they do not miss, before it is called unheld', () => {
    const oracle: Oracle = (ids, { lane }) => {
      if (ids === '1+2+3' || ids === '1') return held('a');
      return ids === '2' && lane === 'full' ? held('far') : unmoved;
    };
    const run = drive(['1', '2', '3'], oracle, { hasNear: true });
    expect(run.asked).toEqual([
      ['near 1+2+3'],
      ['near 1', 'near 2', 'near 3'],
      ['near 2+3'],
      ['full 2', 'full 3'],
    ]);
    expect(told(run)).toEqual(['1 held by a', '2 held by far', '3 unheld']);
  });
});

describe('what cannot stand alone', () => {
  test('goes with its users, as far as it takes', () => {
    const run = drive(
      ['1', '2', '3', '4'],
      of({
        '1+2+3+4': held('a'),
        1: missed(['f'], '2'),
        '1+2': missed(['g'], '3'),
        '1+3': missed(['f'], '2'),
        '1+2+3': held('b'),
        2: held('b'),
        3: held('c'),
        4: held('d'),
      }),
    );
    expect(told(run)[3]).toBe('4 held by d');
    expect(told(run)[0]).toBe('1 held with 2+3 (name f,g)');
  });

  test('is not called unheld: nothing notices it together with what it goes with', () => {
    const run = drive(
      ['1', '2', '3'],
      of({ '1+2+3': held('a'), 3: held('a'), 1: missed(['f'], '2'), '1+2': unmoved, 2: unmoved }),
    );
    expect(told(run)).toEqual(['1 unheld with 2', '3 held by a', '2 unheld']);
  });

  test('goes with its neighbours where it does not compile', () => {
    const run = drive(
      ['1', '2', '3'],
      of({ '1+2+3': held('a'), 1: broken, 2: broken, '1+2': held('b'), 3: held('c') }),
    );
    expect(told(run)).toEqual(['1 held with 2 (name)', '2 held with 1 (name)', '3 held by c']);
  });

  test('goes past a neighbour that can go alone, to one that cannot', () => {
    const run = drive(
      ['1', '2', '3'],
      of({
        '1+2+3': held('a'),
        1: broken,
        2: held('own'),
        3: broken,
        '1+2': broken,
        '2+3': broken,
        '1+3': unmoved,
      }),
    );
    expect(told(run)).toEqual(['1 unheld with 3', '2 held by own', '3 unheld with 1']);
    expect(run.asked.flat()).not.toContain('full 1+2');
  });

  test('goes with no more than it needs', () => {
    const run = drive(
      ['1', '2', '3', '4'],
      of({
        1: broken,
        '1+2': broken,
        '1+2+3': held('a'),
        '1+3': held('b'),
        2: held('own'),
        3: held('b'),
        4: held('d'),
        '1+2+3+4': held('a'),
      }),
    );
    expect(told(run)).toEqual([
      '1 held with 3 (name)',
      '2 held by own',
      '3 held by b',
      '4 held by d',
    ]);
  });

  test('is not held by what tests notice of another that goes alone', () => {
    const table = {
      '1+2+3': held('a'),
      1: missed(['f'], '2', '3'),
      '1+2': missed(['f'], '3'),
      '1+3': unmoved,
      3: unmoved,
    };
    const run = drive(['1', '2', '3'], of({ ...table, 2: held('a') }));
    expect(told(run)).toEqual(['1 unheld with 3', '2 held by a', '3 unheld']);
    // Where nothing notices that one alone, all of them are needed.
    expect(told(drive(['1', '2', '3'], of(table)))).toContain('1 held with 2+3 (name f)');
  });

  test('leaves what was measured by itself its own answer, whatever is joined with it', () => {
    const table = of({ '1+2+3': held('a'), 1: broken, '1+2': held('a'), 3: held('a') });
    expect(told(drive(['1', '2', '3'], table))).toContain('2 unheld');
    const removal = { 2: drop('2') };
    expect(told(drive(['1', '2', '3'], table, { sources: removal }))).toContain('2 unheld');
  });

  test('goes on while tests fail by a name, though others notice already', () => {
    const table = {
      '1+2+3+4': held('a'),
      1: held('own'),
      2: missed(['f'], '3'),
      '2+3': partly('half', 'g', '4'),
      '2+3+4': held('b'),
      '2+4': missed(['f'], '3'),
      3: held('own'),
      4: held('own'),
    };
    expect(told(drive(['1', '2', '3', '4'], of(table)))).toContain('2 held with 3+4 (name f,g)');
    const quiet = { ...table, '2+3+4': unmoved };
    expect(told(drive(['1', '2', '3', '4'], of(quiet)))).toContain('2 unheld with 3+4');
  });

  test('stays with what tests notice, where more of it cannot be measured', () => {
    const table = of({
      '1+2+3+4': held('a'),
      1: held('own'),
      2: missed(['f'], '3'),
      '2+3': partly('half', 'g', '4'),
      '2+3+4': notLoaded,
      3: held('own'),
      4: held('own'),
    });
    expect(told(drive(['1', '2', '3', '4'], table))).toContain('2 held with 3 (name f,g)');
  });

  test('tries again to leave out what another needed that is left out by now', () => {
    const table = of({
      '1+2+3+4': held('a'),
      1: missed(['f'], '2', '3', '4'),
      '1+3+4': missed(['g'], '2'),
      '1+2+4': held('b'),
      '1+2': missed(['f'], '4'),
      '1+4': held('b'),
      2: held('own'),
      3: held('own'),
      4: held('own'),
    });
    expect(told(drive(['1', '2', '3', '4'], table))).toContain('1 held with 4 (name f)');
  });

  test('has no evidence where the tests themselves use its name', () => {
    const run = drive(['1', '2'], of({ '1+2': held('a'), 1: missed(['f']), 2: held('b') }));
    expect(told(run)[0]).toMatch(/^1 no evidence: the tests use `f` by name/);
  });
});

describe('what another change would miss by its name, whatever the failure says', () => {
  const needs = { 1: ['2'] };
  const saying = (message: string, ...tests: readonly string[]): Finding => ({
    kind: 'held',
    flips: tests.map((name) => ({ ...failure(name), message })),
    absent: [],
    absence: null,
  });
  const rest = { '1+2+3': held('c'), 3: held('c') };

  test('is held by nothing where nobody notices both gone', () => {
    const run = drive(['1', '2', '3'], of({ ...rest, 1: held('a') }), { needs });
    expect(told(run)).toEqual(['1 unheld with 2', '3 held by c', '2 unheld']);
  });

  test('is held with the other where tests fail in another way then', () => {
    const table = { ...rest, 1: saying('None == 2', 'a'), '1+2': saying('1 == 2', 'a') };
    const run = drive(['1', '2', '3'], of({ ...table, 2: held('a') }), { needs });
    expect(told(run)).toEqual(['1 held with 2 (name name)', '2 held by a', '3 held by c']);
  });

  test('is held alone by tests that fail in the same way then, but for where an object lies', () => {
    const table = {
      ...rest,
      1: saying('<A at 0x7f01> is None', 'a', 'b'),
      '1+2': saying('<A at 0x7fe2> is None', 'a'),
    };
    const run = drive(['1', '2', '3'], of(table), { needs });
    expect(told(run)).toEqual(['1 held by a', '3 held by c', '2 unheld']);
  });

  test('is unheld where nothing notices even the name that is gone', () => {
    const run = drive(['1', '2', '3'], of({ ...rest, 2: held('a') }), { needs });
    expect(told(run)).toContain('1 unheld');
    expect(run.asked.flat()).not.toContain('full 1+2');
  });

  test('goes with all that need each other in turn', () => {
    const all = of({ '1+2+3+4': held('c'), 1: held('a'), '1+2+3': held('b'), 4: held('c') });
    const run = drive(['1', '2', '3', '4'], all, { needs: { 1: ['2'], 2: ['3'] } });
    expect(told(run)).toContain('1 held with 2+3 (name name)');
  });

  test('is not left with fewer for what fails for a name of another that stays', () => {
    const table = {
      '1+2+3+4': held('c'),
      1: missed(['f'], '2'),
      '1+2': saying('None == 2', 'a'),
      '1+2+3': saying('1 == 2', 'a'),
      4: held('c'),
    };
    const run = drive(['1', '2', '3', '4'], of(table), { needs: { 1: ['2', '3'] } });
    expect(told(run)).toContain('1 held with 2+3 (name f,name)');
    // Left out where the failure is the same without it: then it comes from no name.
    const same = of({ ...table, '1+2': saying('1 == 2', 'a') });
    const fewer = drive(['1', '2', '3', '4'], same, { needs: { 1: ['2', '3'] } });
    expect(told(fewer)).toContain('1 held with 2 (name f,name)');
  });

  test('where other tests fail by the name as well', () => {
    const table = { ...rest, 1: partly('a', 'f', '2'), '1+2': unmoved };
    expect(told(drive(['1', '2', '3'], of(table)))).toContain('1 unheld with 2');
    const alike = { ...table, '1+2': held('a') };
    expect(told(drive(['1', '2', '3'], of(alike)))).toContain('1 held by a');
    // Nobody but tests uses it: there is nothing that could go with it.
    const byTests = { ...rest, 1: partly('a', 'f') };
    expect(told(drive(['1', '2', '3'], of(byTests)))).toContain('1 held by a');
  });

  test('has no evidence where both cannot be measured', () => {
    const table = of({ ...rest, 1: held('a'), '1+2': notLoaded });
    expect(told(drive(['1', '2', '3'], table, { needs }))).toContain('1 no evidence: not seen');
  });

  test('in the whole lane too', () => {
    const oracle: Oracle = (ids, { lane }) => {
      if (ids === '1+2+3' || ids === '3') return held('c');
      return ids === '1' && lane === 'full' ? held('far') : unmoved;
    };
    const run = drive(['1', '2', '3'], oracle, { needs, hasNear: true });
    expect(told(run)).toContain('1 unheld with 2');
    expect(run.asked.flat()).toContain('full 1+2');
    const noticed: Oracle = (ids, take) =>
      ids === '1+2' && take.lane === 'full' ? saying('1 == 2', 'far') : oracle(ids, take);
    const joined = drive(['1', '2', '3'], noticed, { needs, hasNear: true });
    expect(told(joined)).toContain('1 held with 2 (name name)');
    const alike: Oracle = (ids, take) =>
      ids === '1+2' && take.lane === 'full' ? held('far') : oracle(ids, take);
    const alone = drive(['1', '2', '3'], alike, { needs, hasNear: true });
    expect(told(alone)).toContain('1 held by far');
  });

  test('but not what tests themselves use by its name', () => {
    const table = of({ ...rest, 1: missed(['f']), '1+2': held('a') });
    expect(told(drive(['1', '2', '3'], table, { needs }))[0]).toMatch(/^1 no evidence/);
  });

  test('and where any one of several is enough', () => {
    const table = { '1+2+3+4': held('c'), 3: held('c'), 4: held('c'), '1+2': held('a') };
    const quiet = drive(['1', '2', '3', '4'], of(table), { needs: { 1: ['3'] } });
    expect(told(quiet).toSorted().slice(0, 2)).toEqual(['1 unheld', '2 unheld']);
    const noticed = of({ ...table, '1+2+3': held('a') });
    const run = drive(['1', '2', '3', '4'], noticed, { needs: { 1: ['3'] } });
    expect(told(run)).toContain('1 held with 2 (redundant)');
  });
});

describe('what was only taken away', () => {
  test('goes with those whose old lines need it, though nothing notices it alone', () => {
    const table = of({ '1+2+3': held('a'), 3: held('c'), 2: missed(['x'], '1'), '1+2': held('b') });
    expect(told(drive(['1', '2', '3'], table, { sources: { 1: drop('1') } })).toSorted()).toEqual([
      '1 held with 2 (name x)',
      '2 held with 1 (name x)',
      '3 held by c',
    ]);
    // A change that also adds is missed by nothing, whoever needs it.
    expect(told(drive(['1', '2', '3'], table))).toContain('1 unheld');
  });

  test('is held by nothing where the others go without it', () => {
    const table = of({
      '1+2+3+4': held('a'),
      1: missed(['f'], '2', '3', '4'),
      '1+3+4': missed(['g'], '2'),
      '1+2+4': held('b'),
      '1+2': missed(['f'], '4'),
      '1+4': held('b'),
      3: held('own'),
      4: held('own'),
    });
    const all = drive(['1', '2', '3', '4'], table, { sources: { 2: drop('2') } });
    expect(told(all)).toContain('2 unheld');
  });

  test('is held by nothing where it is one of too many to be left out in turn', () => {
    const ids = Array.from({ length: 11 }, (_, index) => String(index + 1));
    const needed = new Set(ids.slice(0, 10));
    const oracle: Oracle = (taken) => {
      const set = taken.split('+');
      if (set.length === 1) return set[0] === '11' ? unmoved : missed(['f'], ...ids);
      return [...needed].every((id) => set.includes(id)) ? held('a') : missed(['f'], ...ids);
    };
    expect(told(drive(ids, oracle, { sources: { 11: drop('11') } }))).toContain('11 unheld');
  });
});

describe('what is redundant', () => {
  const any =
    (...sets: readonly (readonly string[])[]): Oracle =>
    (ids) =>
      sets.some((set) => set.every((id) => ids.split('+').includes(id))) ? held('a') : unmoved;

  test('three of which any one is enough are held together', () => {
    const run = drive(['1', '2', '3'], any(['1', '2', '3']));
    expect(told(run)).toEqual([
      '1 held with 2+3 (redundant)',
      '2 held with 1+3 (redundant)',
      '3 held with 1+2 (redundant)',
    ]);
  });

  test('a pair beside one that nothing holds, and one that is held', () => {
    const run = drive(['1', '2', '3', '4'], any(['1', '3'], ['4']));
    expect(told(run).toSorted()).toEqual([
      '1 held with 3 (redundant)',
      '2 unheld',
      '3 held with 1 (redundant)',
      '4 held by a',
    ]);
  });

  test('two pairs, apart and with a part in common', () => {
    expect(told(drive(['1', '2', '3', '4'], any(['1', '2'], ['3', '4']))).toSorted()).toEqual([
      '1 held with 2 (redundant)',
      '2 held with 1 (redundant)',
      '3 held with 4 (redundant)',
      '4 held with 3 (redundant)',
    ]);
    const shared = told(drive(['1', '2', '3'], any(['1', '2'], ['2', '3'])));
    expect(shared.every((line) => line.includes('held with'))).toBe(true);
  });
});

test('a test that hangs is named, and the others are graded without it', () => {
  const oracle: Oracle = (ids, { enders }) => {
    if (ids !== '1') return held('a');
    return enders.length === 0
      ? { kind: 'ended', test: 'slow', how: 'timeout' }
      : held('slow', 'a');
  };
  const run = drive(['1', '2'], oracle);
  expect(run.asked).toEqual([['full 1+2'], ['full 1', 'full 2'], ['full 1 without slow']]);
  expect(told(run)).toEqual(['1 held by slow,a', '2 held by a']);
});

describe('changes that tests notice one by one, and not together', () => {
  const pair = { '1+2+3': held('c'), 1: held('a'), 2: held('a'), 3: held('c') };

  test('are held by nothing', () => {
    const run = drive(['1', '2', '3'], of(pair));
    expect(run.asked.at(-1)).toEqual(['full 1+2']);
    expect(told(run)).toEqual(['1 unheld with 2', '2 unheld with 1', '3 held by c']);
  });

  test('are held where together they are noticed too', () => {
    const run = drive(['1', '2', '3'], of({ ...pair, '1+2': held('a') }));
    expect(told(run)).toEqual(['1 held by a', '2 held by a', '3 held by c']);
  });

  test('are not asked for together where a test fails without the whole fix too', () => {
    const run = drive(['1', '2', '3'], of({ ...pair, '1+2+3': held('a', 'c') }));
    expect(run.asked.flat()).not.toContain('full 1+2');
    expect(told(run)).toEqual(['1 held by a', '2 held by a', '3 held by c']);
  });

  test('are found in a file that nothing misses, whatever the whole says', () => {
    const files = { 1: 'src/a.py', 2: 'src/a.py', 3: 'src/b.txt' };
    const table = { ...pair, '1+2+3': notLoaded, 3: notLoaded, 2: held('b') };
    const run = drive(['1', '2', '3'], of(table), { files });
    expect(told(run).slice(0, 2)).toEqual(['1 unheld with 2', '2 unheld with 1']);
  });

  test('are found in a group of which one more shares their test', () => {
    const table = { '1+2+3': held('c'), 1: held('a'), 2: held('a'), 3: held('a') };
    const run = drive(['1', '2', '3'], of({ ...table, '1+3': held('a'), '2+3': held('a') }));
    expect(told(run)).toEqual(['1 unheld with 2', '2 unheld with 1', '3 held by a']);
  });
});
