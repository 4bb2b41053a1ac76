import { describe, expect, test } from 'vitest';
import { writeAndRead } from '../../src/spec/read-back.js';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { NO_LANES } from './support.js';

const context = { bounds: { root: '/project/part', tree: '/project' }, config: NO_LANES };
const SPEC =
  'version: 1\nmutations:\n  - id: old\n    file: a.py\n    delete: true\n    flips: any\n';

function faults(fields: Partial<MutationInput>, existing: string | null = null): readonly string[] {
  const mutation: MutationInput = { id: 'm', file: 'a.py', delete: true, flips: 'any', ...fields };
  const written = writeAndRead({ file: 'mutations/a.yaml', existing, mutation }, context);
  return written.ok ? [] : written.error.map(({ message }) => message);
}

describe('what is written is read as run reads it', () => {
  test('and taken', () => {
    expect(faults({})).toEqual([]);
    expect(faults({}, SPEC)).toEqual([]);
    expect(faults({}, '# nothing yet\n')).toEqual([]);
    expect(faults({}, `\ufeff${SPEC}`)).toEqual([]);
  });

  test.each([
    ['a\tb.py', 'the path has a control character in it'],
    ['a\\b.py', 'the path has a backslash in it'],
    ['~/b.py', '`~` is not expanded'],
    ['../../b.py', 'the path leads out of the tree'],
    ['../.counterproof/b.py', 'files in .counterproof are never touched'],
  ])('or refused: %j', (file, why) => {
    expect(faults({ file }, SPEC)).toEqual([`a spec cannot hold \`m\`: ${why}`]);
  });

  test('or refused for its fields', () => {
    expect(faults({ id: 'a\nb' })).toEqual([
      expect.stringContaining('a spec cannot hold `a\nb`: id: '),
    ]);
  });

  test('faults that were there stay the own ones of the file', () => {
    expect(faults({}, SPEC.replace('a.py', '/a.py'))).toEqual([]);
  });
});
