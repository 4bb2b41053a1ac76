import { describe, expect, test } from 'vitest';
import { makeSource } from '../../src/spec/source.js';
import { readSpecFile } from '../../src/spec/spec-file.js';
import { brief, configFrom, faultsIn, mutationsIn, NO_LANES, specWith } from './support.js';

const editWith = (fields: string): string => specWith(`${fields}\nflips: any`);

test.each([
  ['revert: 1e34567', { kind: 'revert', range: '1e34567', paths: [], hunks: [] }],
  ['apply: "1234567..refs/tags/v1.0"', { kind: 'apply', range: '1234567..refs/tags/v1.0' }],
  ['revert: 1234567\npaths: src/a.py', { paths: ['src/a.py'] }],
  [
    'revert: 1234567\npaths: ["./src//", "../lib/*.py", "!tests/", .]',
    { paths: ['src', '../lib/*.py', '!tests', '.'] },
  ],
  ['revert: 1234567\nhunks: 2', { hunks: [{ kind: 'number', number: 2 }] }],
  [
    'revert: 1234567\nhunks: [1, "./src/a b.py:12"]',
    {
      hunks: [
        { kind: 'number', number: 1 },
        { kind: 'line', path: 'src/a b.py', line: 12 },
      ],
    },
  ],
])('%s', (fields, edit) => {
  expect(mutationsIn(editWith(fields))[0]?.edits).toMatchObject([edit]);
  const inList = `edits:\n- ${fields.replaceAll('\n', '\n  ')}`;
  expect(mutationsIn(editWith(inList))[0]?.edits).toMatchObject([edit]);
});

test.each([
  ['revert: HEAD', '4:11 `HEAD` means another commit tomorrow'],
  ['apply: main', '4:10 `main` could be a branch, which moves'],
  ['revert: 1234567..main', '4:11 `main` could be a branch, which moves'],
  ['revert: 1234567...7654321', '4:11 a range has two dots'],
  ['revert: 1234567..', '4:11 an end of the range is missing, which would mean `HEAD`'],
  ['revert: 123456', '4:11 `123456` is too short for a commit id'],
  ['revert: 1234567\napply: 1234567', '5:3 `revert` and `apply` are two edits'],
  ['revert: 1234567\ndelete: true', '4:3 `delete` and `revert` are two edits'],
  [
    'revert: 1234567\nfile: a.py',
    '5:3 `file` stands beside `revert`, which names its files itself',
  ],
  [
    'apply: 1234567\nwithin: def a',
    '5:3 `within` stands beside `apply`, which knows its places itself',
  ],
  ['file: a.py\nfrom: 1234567\npaths: [a.py]', '6:3 `paths` says nothing beside `from`'],
  ['file: a.py\ndelete: true\nhunks: [1]', '6:3 `hunks` says nothing beside `delete`'],
  ['hunks: [1]\nedits: [{ revert: 1234567 }]', '4:3 `hunks` stands beside `edits`'],
  ['revert: 1234567\npaths: []', '5:10 the list is empty'],
  ['revert: 1234567\npaths: [src, "/etc"]', '5:16 the path is absolute'],
  ['revert: 1234567\npaths: ["../../x"]', '5:11 the path leads out of the tree'],
  ['revert: 1234567\npaths: ["!"]', '5:11 the path is empty'],
  ['revert: 1234567\nhunks: [0]', '5:11 expected at least 1'],
  ['revert: 1234567\nhunks: [src/a.py]', '5:11 `src/a.py` names no hunk'],
  ['revert: 1234567\nhunks: ["src/a.py:0"]', '5:11 `src/a.py:0` names no hunk'],
])('%s is refused', (fields, fault) => {
  const faults = faultsIn(editWith(fields));
  expect(brief(faults)).toEqual([fault]);
});

describe('a revision that moves', () => {
  const ids: Readonly<Record<string, string>> = { HEAD: '4f2a91c07be1', main: '8c11d0e2a5b3' };
  const hintFor = (fields: string): string | null | undefined =>
    readSpecFile(makeSource('mutations/a.yaml', editWith(fields)), {
      bounds: { root: '/project', tree: '/project' },
      config: NO_LANES,
      idOf: (rev) => ids[rev] ?? null,
    }).faults[0]?.hint;

  test.each([
    ['revert: HEAD', 'Write `4f2a91c07be1`, which is what it means now.'],
    ['revert: main..HEAD', 'Write `8c11d0e2a5b3..4f2a91c07be1`, which is what it means now.'],
    ['file: a.py\nfrom: main', 'Write `8c11d0e2a5b3`, which is what it means now.'],
    ['revert: gone', expect.stringMatching(/^Write a commit id \(git rev-parse/)],
  ])('%s is told with the id to write', (fields, hint) => {
    expect(hintFor(fields)).toEqual(hint);
  });
});

test('where detection made up the lanes, the paths say which one is meant', () => {
  const lanes = configFrom('lanes: { unit: { runner: pytest }, other: { runner: cargo } }');
  const implicit = { ...lanes, lanes: lanes.lanes.map((lane) => ({ ...lane, where: null })) };
  const lane = (fields: string): string | undefined =>
    mutationsIn(editWith(fields), implicit)[0]?.lane;
  expect(lane('revert: 1234567\npaths: [src/a.rs, "!tests/b.py"]')).toBe('other');
  expect(brief(faultsIn(editWith('revert: 1234567'), implicit))).toEqual([
    '3:7 `one` names no lane, and there are several',
  ]);
});
