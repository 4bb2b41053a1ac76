import { describe, expect, it } from 'vitest';
import { viewStep } from '../../src/proof/moves.js';
import { groupsOf } from '../../src/proof/around.js';
import { hides } from '../../src/proof/step.js';
import { A, B, C, D, E, GREEN, result, results, step, uncollected } from './build.js';

describe('a step', () => {
  it('keeps only what differs from the baseline', () => {
    const { results: kept, counts } = step('mutated', { [A]: 'failed' });
    expect(kept.map(({ id }) => id)).toEqual([A]);
    expect(counts).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it('keeps a red test whose message changed, as a flip may be expected by its message', () => {
    const baseline = { ...GREEN, [A]: { outcome: 'failed', message: 'old' } } as const;
    const changed = step('mutated', { [A]: { outcome: 'failed', message: 'new' } }, { baseline });
    expect(changed.results.map(({ message }) => message)).toEqual(['new']);
    const before = { ...step('baseline'), results: results(baseline) };
    expect(viewStep(before, changed).moves).toEqual([]);
  });

  it('calls a test missing only where its file was collected and the run was complete', () => {
    const gone = step('mutated', {}, { lacks: [A] });
    expect(gone.results).toEqual([result(A, { outcome: 'missing', durationMs: 0 })]);
    expect(gone.notRun).toEqual([]);
    const ending = { kind: 'crashed', how: 'exit 0', test: B } as const;
    expect(step('mutated', {}, { lacks: [A], ending })).toMatchObject({ results: [], notRun: [A] });
    const collectionErrors = [uncollected('tests/test_other.py')];
    const partly = step('mutated', {}, { lacks: [A, D, E], collectionErrors });
    expect(partly.notRun).toEqual([D, E]);
    expect(partly.results.map(({ id }) => id)).toEqual([A]);
  });

  it('knows nothing of a test that was left out on purpose', () => {
    const view = viewStep(step('baseline'), step('mutated', {}, { without: [A] }));
    expect(view.resultOf(A)).toBeNull();
    expect(view.resultOf(B)?.outcome).toBe('passed');
  });

  it('answers for the ids it ran, where it did not run the lane', () => {
    const view = viewStep(step('baseline'), step('restored', { [A]: 'failed' }, { scope: [B] }));
    expect(view.moves).toEqual([]);
    const wider = { ...step('restored', { [A]: 'failed' }), scope: [B] };
    expect(viewStep(step('baseline'), wider).moves).toEqual([]);
    expect(view.resultOf(A)).toBeNull();
    expect(view.resultOf(C)).toBeNull();
    expect(view.resultOf(B)?.outcome).toBe('passed');
  });

  it.each([
    ['a skip', { [A]: 'skipped' }, A, 'passed', 'skipped'],
    ['a disappearance', { [A]: 'missing' }, A, 'passed', 'missing'],
    ['an xpass', { [A]: 'xpassed' }, A, 'passed', 'xpassed'],
    ['an appearance', { 'tests/new.py::test': 'passed' }, 'tests/new.py::test', null, 'passed'],
    ['an error', { [E]: 'error' }, E, 'skipped', 'error'],
  ] as const)('moves by %s', (_title, changes, test, from, to) => {
    const { moves } = viewStep(step('baseline'), step('mutated', changes));
    expect(moves).toMatchObject([{ test, from, to }]);
  });
});

describe('a file that cannot be collected', () => {
  it.each([
    ['tests/test_a.py', 'tests/test_a.py::test_x', true],
    ['tests/test_a.py', 'tests/test_ab.py::test_x', false],
    ['tests/sub', 'tests/sub/test_a.py::test_x', true],
    ['tests/conftest.py', 'tests/sub/test_a.py::test_x', true],
    ['tests/sub/__init__.py', 'tests/test_a.py::test_x', false],
    ['conftest.py', 'tests/test_a.py::test_x', true],
    [null, 'tests/test_a.py::test_x', true],
  ])('%s hides %s: %s', (file, id, hidden) => {
    expect(hides({ stage: 'collect', file, line: null, message: '' }, id)).toBe(hidden);
  });
});

describe('groups of an id', () => {
  it.each([
    ['tests/a.py::test_x', ['tests/a.py']],
    ['tests/a.py::TestA::test_x[1]', ['tests/a.py::TestA', 'tests/a.py']],
    ['tests/a.py::test_x[TestA::y]', ['tests/a.py']],
    ['tests/a.py::TestA::TestB::test_x', ['tests/a.py::TestA::TestB', 'tests/a.py']],
    ['odd', []],
  ])('%s', (id, groups) => {
    expect(groupsOf(id, 'path')).toEqual(groups);
  });

  it.each([
    ['jail stops', ['jail']],
    ['jail stop::tests::row_2', ['jail stop::tests', 'jail']],
    ['jail::stop_behavior row_2', ['jail::stop_behavior']],
    ['jail::bin/tool cli::tests::reads', ['jail::bin/tool cli::tests', 'jail::bin/tool']],
    ['jail::doc src/lib.rs - Decoder::step #2', ['jail::doc src/lib.rs', 'jail::doc']],
    ['jail::plain', []],
  ])('%s, of an executable', (id, groups) => {
    expect(groupsOf(id, 'binary')).toEqual(groups);
  });
});
