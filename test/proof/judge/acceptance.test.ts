import { describe, expect, it } from 'vitest';
import { before, ALIVE, judgeTable, judged, still } from '../build.js';

const accept = (verdict: string, until: string | null = null) => ({
  accept: { verdict, because: 'known', until },
});

describe('acceptance', () => {
  const survivor = { mutated: still, liveness: ALIVE };
  judgeTable([
    ['the accepted verdict', 'survived', survivor, accept('survived')],
    ['another refuted verdict', 'stale-acceptance', survivor, accept('partial')],
    ['a proven verdict', 'stale-acceptance', { liveness: ALIVE }, accept('survived')],
    [
      'a verdict without evidence',
      'incomplete',
      { ...before, liveness: ALIVE },
      accept('survived'),
    ],
    [
      'a dead lane',
      'dead-lane',
      { mutated: still, liveness: { kind: 'dead', by: 'alive' } },
      accept('survived'),
    ],
    [
      'one that ran out, over another verdict',
      'pinned',
      { liveness: ALIVE },
      accept('survived', '2026-11-29'),
    ],
  ]);

  it.each([
    ['in an alive lane', survivor, null, true],
    ['on its last day', survivor, '2026-11-30', true],
    ['a day late', survivor, '2026-11-29', false],
    ['in a lane that did not show that it can fail', { mutated: still }, null, false],
  ])('takes effect %s: %#', (_title, more, until, takes) => {
    const { accepted, notes } = judged(more, accept('survived', until));
    expect(accepted !== null).toBe(takes);
    expect(notes.length).toBe(takes ? 0 : 1);
  });
});
