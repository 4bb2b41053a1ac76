import { everywhere, proving, unlisted } from './options.js';
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
  only: unlisted(proving.only),
  tag: unlisted(proving.tag),
  'fail-fast': unlisted(proving['fail-fast']),
  'keep-going': unlisted(proving['keep-going']),
  ...everywhere,
} as const;

/** Options that mean nothing here, each with why. */
export const idle = {
  only: 'it chooses among stored mutations',
  tag: 'it chooses among stored mutations',
  'fail-fast': 'there is one mutation',
  'keep-going': 'there is one mutation',
} as const;

export type TryArgs = Parsed<typeof positionals & typeof options>;
