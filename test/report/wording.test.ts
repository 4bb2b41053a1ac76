import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/schema.js';
import {
  countsText,
  overallText,
  shellText,
  summaryText,
  toolText,
} from '../../src/report/wording.js';
import { lane, nothing, record } from './records.js';

const none: RunRecord['summary'] = {
  declared: 0,
  graded: 0,
  pinned: 0,
  refuted: 0,
  noEvidence: 0,
  accepted: 0,
  notRestored: 0,
};

test.each<[string, Partial<RunRecord['summary']>, string]>([
  ['one pinned', { declared: 1, graded: 1, pinned: 1 }, 'The tests hold this mutation.'],
  ['all pinned', { declared: 3, graded: 3, pinned: 3 }, 'The tests hold all 3 mutations.'],
  [
    'a known gap',
    { declared: 3, graded: 3, pinned: 2, accepted: 1 },
    'The tests hold 2 of 3 mutations; 1 known gap is accepted.',
  ],
  ['one refuted', { declared: 1, graded: 1, refuted: 1 }, 'The tests do not hold this mutation.'],
  [
    'refuted beside no evidence',
    { declared: 4, graded: 3, pinned: 2, refuted: 1, noEvidence: 1 },
    'The tests do not hold 1 of 4 mutations, and 1 could not be measured.',
  ],
  [
    'no evidence beside accepted ones says of none that it is held',
    { declared: 4, graded: 3, pinned: 2, accepted: 1, noEvidence: 1 },
    'There is no verdict for 1 of 4 mutations; 2 pinned, 1 accepted.',
  ],
  [
    'less graded than declared is no pass',
    { declared: 4, graded: 2, pinned: 2 },
    'There is no verdict for 2 of 4 mutations; 2 pinned, 0 accepted.',
  ],
  [
    'a file that is not back comes before all else',
    { declared: 2, graded: 1, pinned: 1, notRestored: 1 },
    'A file is not what it was before the run: 1 mutation could not be taken back.',
  ],
])('the overall verdict of %s', (_, summary, said) => {
  expect(overallText(record([], { summary: { ...none, ...summary } }))).toBe(said);
});

test('an early end is said before any verdict, and nothing to prove is no pass', () => {
  const summary = { ...none, declared: 3, graded: 1, pinned: 1 };
  expect(overallText(record([], { summary, complete: false, stopped: 'SIGINT' }))).toBe(
    'The run ended early (SIGINT): 1 of 3 mutations graded.',
  );
  expect(overallText(nothing)).toBe('There was nothing to prove.');
});

test('totals leave out what is none, and never all', () => {
  expect(summaryText({ ...none, declared: 2, refuted: 2 })).toBe('2 of 2 refuted');
  expect(summaryText({ ...none, declared: 2, pinned: 1, noEvidence: 1 })).toBe(
    '1 without evidence, 1 pinned',
  );
  expect(summaryText({ ...none, declared: 2 })).toBe('0 of 2 proven');
});

test('counts come in the order of outcomes', () => {
  expect(countsText({ skipped: 1, failed: 0, passed: 39 })).toBe('39 passed, 1 skipped');
  expect(countsText({})).toBe('no test');
});

test('a command can be pasted into a shell', () => {
  expect(shellText(['pytest', '-m', "a and 'b'", 'tests/a.py::b[c]', ''])).toBe(
    String.raw`pytest -m 'a and '\''b'\''' 'tests/a.py::b[c]' ''`,
  );
  // A tilde is a home folder at the beginning of a word alone.
  expect(shellText(['cp', 'HEAD~1', '~/a', 'HEAD^'])).toBe("cp HEAD~1 '~/a' 'HEAD^'");
});

test('a tool that names itself is not named twice', () => {
  expect(toolText(lane())).toBe('.venv/bin/python 3.12.3, pytest 9.0.3');
  expect(toolText(lane({ tool: 'bin/run', versions: { python: '3.9' } }))).toBe(
    'bin/run python 3.9',
  );
  expect(toolText(lane({ versions: {} }))).toBe('.venv/bin/python');
});
