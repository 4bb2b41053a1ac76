import { describe, expect, it } from 'vitest';
import { selectMutations, type SelectionOptions } from '../../src/engine/select.js';
import { mutation } from './builders.js';

const where = { file: 'mutations/all.yaml', line: 1, col: 1 };
const MUTATIONS = [
  mutation('stop-token', { tags: ['nightly', 'slow'] }),
  mutation('stop-text', { tags: ['nightly'] }),
  mutation('route', { lane: 'web', controls: [{ lane: 'smoke', tests: 'smoke', where }] }),
  ...['step1', 'step2', 'step*', 'case[12]', 'case[1]', 'case1'].map((id) => mutation(id)),
  mutation('alive', { role: 'liveness' }),
  mutation('alive-smoke', { role: 'liveness', lane: 'smoke' }),
];

function select(options: Partial<SelectionOptions>) {
  const all = { only: [], tag: null, lane: null, ...options };
  const selected = selectMutations(MUTATIONS, MUTATIONS, all);
  if (!selected.ok) return selected.error;
  const { declared, pulledIn } = selected.value;
  return [declared.map(({ id }) => id).join(' '), pulledIn.map(({ id }) => id).join(' ')];
}

describe('a selection', () => {
  it.each([
    [{ only: ['stop-*'] }, ['stop-token stop-text', 'alive']],
    [{ only: ['stop-t?xt', 'route'] }, ['stop-text route', 'alive alive-smoke']],
    [{ only: ['alive'] }, ['alive', '']],
    [{ only: ['step[12]'] }, ['step1 step2', 'alive']],
    [{ only: ['step[1-9]'] }, ['step1 step2', 'alive']],
    [{ only: ['step[!1]'] }, ['step2 step*', 'alive']],
    [{ only: ['step*'] }, ['step*', 'alive']],
    [{ only: ['case[12]'] }, ['case[12]', 'alive']],
    [{ only: ['case[[]*'] }, ['case[12] case[1]', 'alive']],
    [{ only: [String.raw`case\[1\]`] }, ['case[1]', 'alive']],
    [{ only: ['case[12]*'] }, ['case1', 'alive']],
    [{ only: [String.raw`step\*`] }, ['step*', 'alive']],
    [{ only: ['case['] }, ['', '']],
    [{ only: ['case[]', 'case[2-1]', 'step[!]'] }, ['', '']],
    [{ lane: 'web' }, ['route', 'alive-smoke']],
    [{ tag: 'nightly' }, ['stop-token stop-text', 'alive']],
    [{ tag: 'nightly and not slow' }, ['stop-text', 'alive']],
    [{ tag: 'nightly\n&& !slow' }, ['stop-text', 'alive']],
    [{ tag: 'night* and (slow or nightly)' }, ['stop-token stop-text', 'alive']],
    [{ tag: 'slow', lane: 'web' }, ['', '']],
  ])('of %j keeps the liveness of every lane in use', (options, expected) => {
    expect(select(options)).toEqual(expected);
  });

  it.each([
    ['nightyl', /no mutation has the tag nightyl.*nightly.*tags in use: nightly, slow/],
    ['weekly*', /no mutation has the tag weekly\*/],
    ['nightly and', /unexpected end/],
    ['(nightly', /closing "\)"/],
    ['nightly & slow', /doubled/],
    ['nightly ||| slow', /doubled/],
    ['', /unexpected end/],
  ])('by the tag expression %j is refused with a reason of ours', (tag, why) => {
    const answer = select({ tag });
    expect(answer).toMatch(why);
    expect(answer).not.toMatch(/vitest/i);
  });
});
