import { everywhere, proving, unlisted } from './options.js';
import type { Parsed } from './parsed.js';

export const positionals = {
  range: {
    type: 'string',
    describe: 'REV, A..B or A...B; without it, what this branch is ahead by, else uncommitted',
  },
} as const;

export const options = {
  full: {
    type: 'boolean',
    default: false,
    describe: 'The whole lane, not the nearest tests first',
  },
  committed: {
    type: 'boolean',
    default: false,
    describe: 'Test the commit as it is, laid out apart, where files are not committed',
  },
  arms: {
    type: 'string',
    nargs: 2,
    describe: 'OLD NEW: run the tests of NEW on both trees, each whole',
  },
  'allow-unheld': {
    type: 'boolean',
    default: false,
    describe:
      'End with 0 also where a part is held by nothing, or a new test passes without the fix',
  },
  write: { type: 'string', nargs: 1, describe: 'Keep what is held in this spec file' },
  'test-path': {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Count files here as test code (repeatable; a path or pattern)',
  },
  'source-path': {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Count files here as source (repeatable; a path or pattern)',
  },
  ...proving,
  only: unlisted(proving.only),
  tag: unlisted(proving.tag),
  exact: unlisted(proving.exact),
  allow: unlisted(proving.allow),
  ...everywhere,
} as const;

/** Options that mean nothing here, each with why. */
export const idle = {
  only: 'it chooses among stored mutations, and a range is named here',
  tag: 'it chooses among stored mutations, and a range is named here',
  exact: 'any test may notice',
  allow: 'the answer is one for all hunks, and --allow-unheld ends with 0 whatever it is',
} as const;

export type ProveArgs = Parsed<typeof positionals & typeof options>;
