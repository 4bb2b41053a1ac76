import { describe, expect, test } from 'vitest';
import { candidates, defaultRefs, isDefault } from '../../src/prove/default-branch.js';
import { gitProblem, noParentHere } from '../../src/prove/range-problem.js';
import { readRange } from '../../src/prove/range-written.js';

const ID = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['HEAD', { kind: 'commit', rev: 'HEAD', text: 'HEAD' }],
  ['v1.2^!', { kind: 'commit', rev: 'v1.2', text: 'v1.2' }],
  [ID, { kind: 'commit', rev: ID, text: '0123456789' }],
  ['main..fix', { kind: 'between', a: 'main', b: 'fix', text: 'main..fix' }],
  ['v1.2...v1.3', { kind: 'between', a: 'v1.2', b: 'v1.3', text: 'v1.2...v1.3' }],
  ['main..', { kind: 'between', a: 'main', b: 'HEAD', text: 'main..HEAD' }],
  ['..fix', { kind: 'between', a: 'HEAD', b: 'fix', text: 'HEAD..fix' }],
  ['HEAD^..HEAD', { kind: 'between', a: 'HEAD^', b: 'HEAD', text: 'HEAD^..HEAD' }],
])('%s is read as %j', (written, read) => {
  expect(readRange(written)).toEqual(read);
});

describe('the default branch', () => {
  const heads = (name: string): string => `refs/heads/${name}`;
  const remotes = (name: string): string => `refs/remotes/${name}`;

  test.each([
    ['wherever it is', [heads('main'), remotes('origin/main')], [], heads('fix'), [0, 1]],
    ['main before develop', [heads('develop'), heads('main')], [], null, [1]],
    [
      'not the one that is checked out',
      [heads('main'), remotes('origin/main')],
      [],
      heads('main'),
      [1],
    ],
    [
      'what the remote names',
      [heads('main'), remotes('origin/x/y')],
      [remotes('origin/x/y')],
      null,
      [1],
    ],
    ['not another that ends alike', [heads('my/main'), heads('master')], [], null, [1]],
    ['none', [heads('wip')], [], null, []],
  ] as const)('%s', (_, existing, declared, checkedOut, found) => {
    expect(defaultRefs(existing, declared, checkedOut)).toEqual(found.map((at) => existing[at]));
  });

  test('is looked for here and on both remotes', () => {
    expect(candidates([remotes('origin/stable')]).slice(0, 4)).toEqual([
      remotes('upstream/stable'),
      remotes('origin/stable'),
      heads('stable'),
      remotes('upstream/main'),
    ]);
  });

  test.each([
    ['refs/heads/master', true],
    ['refs/heads/fix', false],
    [null, false],
  ])('%s: %s', (ref, yes) => {
    expect(isDefault(ref)).toBe(yes);
  });
});

test.each([
  [
    'HEAD',
    'refs/pull/7/merge',
    'git fetch --depth=2 origin refs/pull/7/merge && counterproof prove HEAD',
  ],
  ['HEAD', 'refs/heads/main', `git fetch --depth=2 origin ${ID} && counterproof prove HEAD`],
  ['v1', 'refs/pull/7/merge', `git fetch --depth=2 origin ${ID} && counterproof prove v1`],
])('without its parent, %s in the checkout of %s: %s', (rev, ref, hint) => {
  expect(noParentHere({ text: rev, rev, commit: ID }, ref)).toMatchObject({ hint });
});

test.each([
  [{ kind: 'no-git' }, /git is not installed/, null],
  [
    { kind: 'no-repository', dir: '/x' },
    /\/x is in no git repository/,
    'counterproof try FILE:LINE',
  ],
  [{ kind: 'untrusted', dir: '/x', hint: 'say so' }, /belongs to another user: say so$/, null],
  [
    { kind: 'failed', message: 'fatal: x' },
    /^There is no history to read a fix from: git failed: fatal: x$/,
    null,
  ],
] as const)('%j is told in words', (problem, message, hint) => {
  expect(gitProblem(problem)).toMatchObject({ kind: 'unusable', hint });
  expect(gitProblem(problem).message).toMatch(message);
});
