import { describe, expect, it } from 'vitest';
import { createProject, lanes, prove, spec, verdicts } from '../support/project.js';

/** Of four areas, a sum in place of the product gets one right. */
const SHAPE = {
  'counterproof.yaml': lanes(),
  'shape.py': `def area(w, h):
    return w * h


def price(n):
    return n * 2


def unused():
    return 1
`,
  'test_shape.py': `import pytest
import shape


@pytest.mark.parametrize("w, h, wanted", [(1, 1, 1), (2, 2, 4), (2, 3, 6), (0, 5, 0)])
def test_area(w, h, wanted):
    assert shape.area(w, h) == wanted


def test_price():
    if shape.price(1) != 2:
        pytest.skip("no price")


def test_unused():
    assert shape.unused()
`,
};

const sum = { file: 'shape.py', replace: { find: 'w * h', with: 'w + h' } };
const skipped = { file: 'shape.py', replace: { find: 'n * 2', with: 'n * 3' } };
const unnoticed = { file: 'shape.py', replace: { find: 'return 1', with: 'return 2' } };
const AREA = 'test_shape.py::test_area';

describe('expected flips', () => {
  it('are counted in a group as it says: whole, exactly, or at least', async () => {
    const project = createProject({
      ...SHAPE,
      'mutations/groups.yaml': spec([
        { id: 'whole', ...sum, flips: [AREA] },
        { id: 'count-right', ...sum, flips: { test: AREA, count: 3 } },
        { id: 'count-over', ...sum, flips: { test: AREA, count: 2 } },
        { id: 'count-short', ...sum, flips: { test: AREA, count: 4 } },
        { id: 'min-met', ...sum, flips: { test: AREA, min: 2 } },
        { id: 'min-short', ...sum, flips: { test: AREA, min: 4 } },
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      whole: 'partial',
      'count-right': 'pinned',
      'count-over': 'moved-otherwise',
      'count-short': 'partial',
      'min-met': 'pinned',
      'min-short': 'partial',
    });
    expect(run.exitCode).toBe(1);
    const { flips } = run.proof('whole');
    expect(flips.declared).toBe(4);
    expect(flips.expected.map(({ test }) => test)).toEqual([
      `${AREA}[1-1-1]`,
      `${AREA}[2-3-6]`,
      `${AREA}[0-5-0]`,
    ]);
    expect(flips.missing).toEqual([`${AREA}[2-2-4]`]);
    expect(run.proof('count-over').reason).toContain('3');
    expect(project.snapshot()).toEqual(before);
  });

  it('may be any, which asks for a test that turns red, or none, which forbids every move', async () => {
    const project = createProject({
      ...SHAPE,
      'mutations/any.yaml': spec([
        { id: 'any-red', ...sum, flips: 'any' },
        { id: 'any-skip', ...skipped, flips: 'any' },
        { id: 'any-still', ...unnoticed, flips: 'any' },
        { id: 'none-still', ...unnoticed, flips: 'none' },
        { id: 'none-skip', ...skipped, flips: 'none' },
        { id: 'none-red', ...sum, flips: 'none' },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'any-red': 'pinned',
      'any-skip': 'moved-otherwise',
      'any-still': 'survived',
      'none-still': 'pinned',
      'none-skip': 'control-moved',
      'none-red': 'control-moved',
    });
    expect(run.exitCode).toBe(1);
    expect(run.proof('none-skip').flips.also).toMatchObject([
      { test: 'test_shape.py::test_price', from: 'passed', to: 'skipped', restored: 'passed' },
    ]);
  });

  it('may be held to the message of the failure', async () => {
    const test = `${AREA}[2-3-6]`;
    const project = createProject({
      ...SHAPE,
      'mutations/message.yaml': spec([
        { id: 'this-message', ...sum, flips: { test, message: '/assert 5 == \\d/' } },
        { id: 'other-message', ...sum, flips: { test, message: '/timed out/' } },
      ]),
    });

    const run = await prove(project);

    expect(verdicts(run)).toEqual({
      'this-message': 'pinned',
      'other-message': 'moved-otherwise',
    });
    expect(run.proof('this-message').flips.expected).toMatchObject([
      { test, at: 'test_shape.py:7', message: expect.stringContaining('assert 5 == 6') as string },
    ]);
    expect(JSON.stringify(run.proof('other-message').facts)).toContain('timed out');
  });
});
