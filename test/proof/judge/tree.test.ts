import { describe } from 'vitest';
import { before, MUTANT, ORIGINAL, SOURCE, judgeTable } from '../build.js';

describe('the tree', () => {
  judgeTable([
    [
      'a restore that failed',
      'not-restored',
      {
        restore: { kind: 'failed', path: SOURCE, why: 'EIO', original: '/kept/routes.py' },
      },
    ],
    [
      'a sum that is not the baseline’s',
      'not-restored',
      {
        files: [{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT, restored: MUTANT }],
      },
    ],
    ['a restore that nobody confirmed', 'not-restored', { restore: null }],
    [
      'an anchor that fits nowhere',
      'not-applied',
      {
        ...before,
        notApplied: { kind: 'no-match', path: SOURCE, what: 'the patch', nearest: null },
      },
    ],
    [
      'an edit that changed no byte',
      'not-applied',
      {
        files: [{ path: SOURCE, baseline: ORIGINAL, mutated: ORIGINAL, restored: ORIGINAL }],
      },
    ],
    ['a mutated run without any written file', 'not-applied', { files: [] }],
    ['a file written by the lane', 'tree-touched', { touched: [{ path: SOURCE, by: 'lane' }] }],
    [
      'a baseline that writes a tracked file',
      'tree-touched',
      {
        ...before,
        touched: [{ path: 'uv.lock', by: 'lane' }],
      },
    ],
    [
      'somebody’s bytes in the mutated file',
      'tree-touched',
      {
        restore: { kind: 'kept', kept: [{ path: SOURCE, keptAs: '/kept/x' }] },
      },
    ],
  ]);
});
