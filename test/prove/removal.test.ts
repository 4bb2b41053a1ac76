import { describe, expect, test } from 'vitest';
import type { Part } from '../../src/mutation/file-change.js';
import type { Finding } from '../../src/prove/finding.js';
import type { Change } from '../../src/prove/fix.js';
import { missedBy } from '../../src/prove/removal.js';
import type { Holding, Take } from '../../src/prove/take-model.js';

const file = { path: 'a.py', oldPath: 'a.py', before: null, after: null, now: null };
const nothing = { from: 3, to: 3 };
const gone: Part = { kind: 'lines', file, old: { from: 3, to: 5 }, fresh: nothing, now: nothing };
const changed: Part = { ...gone, fresh: { from: 3, to: 4 } };
const removal = (...parts: readonly Part[]): Change => ({
  id: '3',
  parts,
  class: 'source',
  why: 'code',
  scope: null,
  obstacle: null,
});

const take = (...changes: readonly string[]): Take => ({ changes, lane: 'full', enders: [] });
const failure = (message: string) => ({ test: 't', to: 'failed' as const, at: null, message });
const held = (message = 'it', ...needed: readonly string[]): Finding => ({
  kind: 'held',
  flips: [failure(message)],
  absent: [],
  absence: needed.length === 0 ? null : { names: ['f'], with: needed, usedByTests: false },
});
const joined = (names: readonly string[], ...others: readonly string[]): Holding => ({
  kind: 'held-joined',
  with: others,
  by: [failure('it')],
  take: take('1', ...others),
  why: 'name',
  names,
});

/** What the removal is held with; empty: it is not. */
function heldWith(
  holding: Holding,
  {
    parts = [gone],
    found = {},
    needs = {},
  }: {
    readonly parts?: readonly Part[];
    /** By the ids that are taken back; everything else moves nothing. */
    readonly found?: Readonly<Record<string, Finding>>;
    readonly needs?: Readonly<Record<string, readonly string[]>>;
  } = {},
): readonly string[] {
  const measure = (ids: Iterable<string>) => {
    const changes = [...ids].toSorted();
    const finding = found[changes.join('+')] ?? { kind: 'unmoved' as const, reason: '' };
    return { take: take(...changes), finding };
  };
  const owners = missedBy(removal(...parts), new Map([['1', holding]]), {
    measure,
    lane: 'full',
    needs: new Map(
      Object.entries(needs).map(([id, ids]) => [id, ids.map((each) => ({ id: each, name: 'f' }))]),
    ),
    all: ['1', '2', '3', '4'],
    whole: measure(['1', '2', '3', '4']),
  });
  return owners.flatMap((owner) => (owner.kind === 'held-joined' ? owner.with : [owner.kind]));
}

describe('a change that only takes lines away is held with what', () => {
  test('goes with it alone, whatever tests notice of that by itself', () => {
    expect(heldWith(joined(['f'], '3'))).toEqual(['1']);
    expect(heldWith(joined(['f'], '3'), { found: { 1: held() } })).toEqual(['1']);
  });

  test('cannot go without it, and all that goes with that', () => {
    expect(heldWith(joined(['f'], '2', '3'))).toEqual(['1', '2']);
    const incomplete = { '1+2': held('it', '3') };
    expect(heldWith(joined(['f'], '2', '3'), { found: incomplete })).toEqual(['1', '2']);
  });

  test('is noticed without it by a name that another misses', () => {
    const found = { '1+2': held('None'), '1+2+3': held('it') };
    const needs = { 1: ['3'] };
    expect(heldWith(joined(['f'], '2', '3'), { found, needs })).toEqual(['1', '2']);
  });

  test('is a file', () => {
    const deleted: Part = { kind: 'deleted', file, isThere: true };
    expect(heldWith(joined(['f'], '3'), { parts: [deleted] })).toEqual(['1']);
  });
});

describe('it is not where', () => {
  test('the others go without it', () => {
    expect(heldWith(joined(['f'], '2', '3'), { found: { '1+2': held() } })).toEqual([]);
  });

  test('it adds lines too', () => {
    expect(heldWith(joined(['f'], '3'), { parts: [gone, changed] })).toEqual([]);
    const created: Part = { kind: 'created', file, isThere: true };
    expect(heldWith(joined(['f'], '3'), { parts: [created] })).toEqual([]);
  });

  test('it goes with none of them, by no name, or nothing holds them', () => {
    expect(heldWith(joined(['f'], '2', '4'))).toEqual([]);
    expect(heldWith(joined([], '3'))).toEqual([]);
    expect(heldWith({ kind: 'unheld-joined', with: ['3'], take: take('1'), names: ['f'] })).toEqual(
      [],
    );
  });
});
