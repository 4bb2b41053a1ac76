import { describe, expect, it } from 'vitest';
import { CONFIG } from '../support/calc.js';
import { createProject, prove, verdicts, type Files } from '../support/project.js';

const SHOP: Files = {
  ...CONFIG,
  'shop.py':
    'def price(n):\n    return n * 3\n\n\ndef tax(n):\n    rate = 7\n    return n * rate\n',
  'test_price.py': 'from shop import price\n\n\ndef test_price():\n    assert price(2) == 6\n',
  // Nothing in its text names the module.
  'test_far.py':
    'import importlib\n\n\ndef test_tax():\n    assert importlib.import_module("sh" + "op").tax(1) == 7\n',
  'test_a.py': 'def test_a():\n    pass\n',
  'test_b.py': 'def test_b():\n    pass\n',
};

describe('try asks the nearest tests first', () => {
  it('runs no others where those notice, and the whole lane where they do not', async () => {
    const project = createProject(SHOP);
    const before = project.snapshot();

    const near = await prove(project, ['try', 'shop.py:2']);
    expect(verdicts(near)).toEqual({ 'shop.py:2': 'pinned' });
    expect(near.record.lanes).toMatchObject([
      {
        name: 'unit, nearest tests',
        selected: 1,
        notes: ['nearest tests first: 1 of 4 test files'],
      },
    ]);
    expect(near.record.notVerified[0]).toBe(
      '3 of 4 test files, since the nearest noticed (--full)',
    );
    expect(near.record.notVerified.join()).not.toContain('other lanes');

    const wide = await prove(project, ['try', 'shop.py:6', '--save', 'mutations/tax.yaml']);
    expect(wide.record).toMatchObject({
      complete: true,
      selection: { declared: ['shop.py:6'] },
      summary: { declared: 1, pinned: 1, refuted: 0 },
      lanes: [
        {
          name: 'unit',
          selected: 4,
          notes: ['the whole lane: nothing moved in the nearest 1 of 4 test files'],
        },
      ],
      proofs: [{ verdict: 'pinned', flips: { expected: [{ test: 'test_far.py::test_tax' }] } }],
      exitCode: 0,
    });
    // Told as it came, once, and the answer of the nearest tests is none.
    expect(wide.stderr.match(/test_tax {2}failed/g)).toHaveLength(1);
    expect(wide.stderr).toContain('now all of lane unit');
    expect(wide.stderr).not.toContain('survived');
    expect(wide.stderr).not.toMatch(/^reach/m);
    expect(project.read('mutations/tax.yaml').toString()).toContain('lane: "unit"');
    expect(project.snapshot()).toEqual(
      new Map([
        ...before,
        ...[...project.snapshot()].filter(([path]) => path.startsWith('mutations')),
      ]),
    );
  });
});
