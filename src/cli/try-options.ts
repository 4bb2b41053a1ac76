import { everywhere, judging, proving } from './options.js';
import type { Parsed } from './parsed.js';

export const positionals = {
  place: {
    type: 'string',
    describe: 'FILE, FILE:LINE or FILE:LINE-LINE; without it, what is not committed',
  },
} as const;

export const options = {
  replace: { type: 'string', nargs: 1, describe: 'This text, which must stand there once …' },
  with: { type: 'string', nargs: 1, describe: '… becomes this one' },
  raise: { type: 'boolean', default: false, describe: 'Raise at the head of the function there' },
  patch: { type: 'string', nargs: 1, describe: 'Apply the patch in this file, - for stdin' },
  edit: {
    type: 'boolean',
    default: false,
    describe: 'Open a copy in $EDITOR, take the difference',
  },
  uncommitted: {
    type: 'boolean',
    default: false,
    describe: 'Source that is not committed, on top of the last commit (the default without FILE)',
  },
  flips: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'A test that must notice (repeatable; without it, any test may)',
  },
  full: {
    type: 'boolean',
    default: false,
    describe: 'The whole lane, not the nearest tests first',
  },
  save: { type: 'string', nargs: 1, describe: 'Keep the mutation in this spec file' },
  id: { type: 'string', nargs: 1, describe: 'Its id there' },
  ...proving,
  ...judging,
  ...everywhere,
} as const;

const STORED = 'it chooses among stored mutations: `counterproof run --only GLOB`.';
const ONE = 'there is one mutation here; leave it out.';

/** Options of `run` that mean nothing here, each with what to do instead. */
export const elsewhere = {
  only: STORED,
  tag: STORED,
  'fail-fast': ONE,
  x: ONE,
  'keep-going': ONE,
} as const;

export type TryArgs = Parsed<typeof positionals & typeof options>;
