import { expect, test } from 'vitest';
import type { Change } from '../../src/prove/fix.js';
import { joinMoves } from '../../src/prove/moves.js';

type Unnumbered = Omit<Change, 'id'>;

/** A change of `path` that puts `fresh` where `old` stood. */
function change(path: string, old: string, fresh: string): Unnumbered {
  const [before, after] = [Buffer.from(old), Buffer.from(fresh)];
  const span = (text: string) => ({ from: 0, to: text.split('\n').length - 1 });
  const file = { path, oldPath: path, before, after, now: after };
  return {
    parts: [{ kind: 'lines', file, old: span(old), fresh: span(fresh), now: span(fresh) }],
    class: 'source',
    why: '',
    scope: null,
    obstacle: null,
  };
}

const BLOCK = 'if a:\n    b = 1\nreturn b\n';
const LONG = 'value = settings.lookup("timeout_of_requests")\n';
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

test.each([
  ['a block', BLOCK, '', '', BLOCK, true],
  ['a block that goes back', '', BLOCK, BLOCK, '', true],
  ['a block that is deeper now', BLOCK, '', '', indented(BLOCK), true],
  ['a block among blank lines', `\n${BLOCK}`, '', '', `${BLOCK}\n\n`, true],
  ['a long line', LONG, '', '', LONG, true],
  ['a short line', 'continue\n', '', '', 'continue\n', false],
  ['two short lines', 'import os\nimport re\n', '', '', 'import os\nimport re\n', false],
  ['a short line in others', '', 'continue\n', 'continue\n', 'break\n', false],
  ['a block that takes the place of others', BLOCK, '', 'x = 2\n', BLOCK, false],
  ['a part of a block', BLOCK, '', '', `${BLOCK}${LONG}`, false],
  ['a block with another shape', BLOCK, '', '', BLOCK.replace('    ', '  '), false],
  ['the same lines twice', '', BLOCK, '', BLOCK, false],
])('%s: %j, %j and %j, %j', (_, oldA, freshA, oldB, freshB, isMove) => {
  const [a, b] = [change('a.py', oldA, freshA), change('b.py', oldB, freshB)];
  expect(joinMoves([a, b])).toEqual(isMove ? [{ ...a, parts: [...a.parts, ...b.parts] }] : [a, b]);
  expect(joinMoves([a, { ...b, class: 'support' }])).toHaveLength(2);
});

test('each half is of one move', () => {
  const from = change('a.py', BLOCK, '');
  const [b, c] = [change('b.py', '', BLOCK), change('c.py', '', BLOCK)];
  expect(joinMoves([from, b, c]).map(({ parts }) => parts.length)).toEqual([2, 1]);
});
