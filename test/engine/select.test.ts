import { describe, expect, it } from 'vitest';
import { selectMutations, type SelectionOptions } from '../../src/engine/select.js';
import { mutation } from './builders.js';

const ALL = [
  mutation('alive', { role: 'liveness' }),
  mutation('rename.route', { tags: ['nightly', 'gpu'] }),
  mutation('rename', { tags: ['nightly'] }),
  mutation('other', {
    lane: 'web',
    controls: [{ lane: 'unit', tests: 'tests', where: { file: 'a', line: 1, col: 1 } }],
  }),
  mutation('web-alive', { lane: 'web', role: 'liveness' }),
];

const ids = (options: Partial<SelectionOptions>): readonly (readonly string[])[] => {
  const found = selectMutations(ALL, ALL, { only: [], tag: null, lane: null, ...options });
  if (!found.ok) throw new Error(found.error);
  const { declared, pulledIn } = found.value;
  return [declared.map(({ id }) => id), pulledIn.map(({ id }) => id)];
};

describe('a selection of mutations', () => {
  it.each<[string, Partial<SelectionOptions>, readonly string[], readonly string[]]>([
    ['everything', {}, ALL.map(({ id }) => id), []],
    ['an id is matched whole', { only: ['rename'] }, ['rename'], ['alive']],
    [
      'a star stands for any characters',
      { only: ['rename*'] },
      ['rename.route', 'rename'],
      ['alive'],
    ],
    ['a dot is a dot', { only: ['rename.rout?'] }, ['rename.route'], ['alive']],
    [
      'several globs add up',
      { only: ['other', 'rename'] },
      ['rename', 'other'],
      ['alive', 'web-alive'],
    ],
    ['tags are a boolean expression', { tag: 'nightly and not gpu' }, ['rename'], ['alive']],
    ['a lane', { lane: 'web' }, ['other', 'web-alive'], ['alive']],
    ['a glob that fits nothing', { only: ['nothing'] }, [], []],
  ])('%s', (_what, options, declared, pulledIn) => {
    expect(ids(options)).toEqual([declared, pulledIn]);
  });

  it('pulls in the liveness of a lane that only a control uses', () => {
    expect(ids({ only: ['other'] })).toEqual([['other'], ['alive', 'web-alive']]);
  });

  it('names the tags in use where an expression names an unknown one', () => {
    const found = selectMutations(ALL, ALL, { only: [], tag: 'nigthly', lane: null });
    expect(found).toEqual({
      ok: false,
      error: expect.stringContaining('tags in use: nightly, gpu'),
    });
  });
});
