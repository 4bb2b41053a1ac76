import { describe, expect, it, test } from 'vitest';
import type { StepEvidence } from '../../src/proof/evidence.js';
import { comparedBuilds } from '../../src/proof/left-out.js';
import { emptyStep } from '../../src/proof/step.js';

const FILE = 'src/lib.rs';

const built = (image: string | null, more: Partial<StepEvidence> = {}): StepEvidence => ({
  ...emptyStep('reach', [], { kind: 'complete' }, 0),
  loads: [{ path: FILE, proof: 'rebuilt', sha256: 'ab', elsewhere: null, by: 'jail (lib)' }],
  image,
  ...more,
});

const cause = { file: FILE, line: 1, message: 'E0425: not found' };
const broken = (stage: 'build' | 'configure'): StepEvidence =>
  built(null, { ending: { kind: 'broken', causes: [{ ...cause, stage }] } });

describe('of a build before an edit, after it, and before it once more', () => {
  test.each<[string, readonly StepEvidence[], ReturnType<typeof comparedBuilds>]>([
    ['the first asks for the second', [built('a')], null],
    ['the same programs', [built('a'), built('a')], 'equal'],
    ['others ask for the third', [built('a'), built('b')], null],
    ['others by the edit', [built('a'), built('b'), built('a')], 'differ'],
    ['others each time', [built('a'), built('b'), built('c')], 'unknown'],
    ['programs that nobody reads', [built(null), built(null)], 'unknown'],
    ['the rest needs the edit', [broken('build'), built('a')], 'differ'],
    ['which is asked', [broken('build')], null],
    ['the project is refused', [broken('configure'), built('a')], 'unknown'],
    ['the edit alone does not build', [built('a'), broken('build')], 'unknown'],
    ['not built anew', [built('a'), built('a', { loads: [] })], 'unknown'],
    ['no program', [built('a'), built('a', { ending: { kind: 'cancelled' } })], 'unknown'],
  ])('%s', (_, runs, expected) => {
    expect(comparedBuilds(runs, FILE)).toBe(expected);
  });

  it('nothing is known before any', () => {
    expect(comparedBuilds([], FILE)).toBeNull();
  });
});
