import type { Options } from 'yargs';

/** An empty text is a value of these; of every other option it is a slip of a script. */
export const mayBeEmpty = (option: string): boolean => ['replace', 'with'].includes(option);

/** Options of every command. */
export const everywhere = {
  directory: {
    alias: 'C',
    type: 'string',
    nargs: 1,
    describe: 'Work as if started in this folder',
  },
  config: { alias: 'c', type: 'string', nargs: 1, describe: 'Use this configuration file' },
  color: {
    type: 'boolean',
    describe: 'Colour on or off (default: on for terminals, unless NO_COLOR is set)',
  },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Only the answer' },
  verbose: { alias: 'v', type: 'boolean', default: false, describe: 'Everything, nothing paged' },
} as const satisfies Record<string, Options>;

/** Options that `run`, `try` and `prove` share, so that a script can hand the same ones to each. */
export const proving = {
  lane: { type: 'string', nargs: 1, describe: 'Use this lane (run: only its mutations)' },
  only: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Only mutations with this id, or whose ids fit this glob: * ? [ab] (repeatable)',
  },
  tag: { type: 'string', nargs: 1, describe: 'Only mutations whose tags fit: "a and not b"' },
  jobs: {
    alias: 'j',
    type: 'string',
    nargs: 1,
    default: 'auto',
    describe:
      "How many mutations at a time: a number, or auto for what a lane's `slots` allows (one where it has none)",
  },
  isolation: {
    type: 'string',
    nargs: 1,
    choices: ['auto', 'overlay', 'in-place'] as const,
    describe: 'Where edits land',
  },
  verify: {
    type: 'string',
    nargs: 1,
    choices: ['moved', 'full'] as const,
    describe: 'After a mutation run again what moved, or the whole lane',
  },
  'baseline-runs': {
    type: 'string',
    nargs: 1,
    default: '1',
    describe: 'Repeat the baseline to find tests that disagree with themselves',
  },
  exact: {
    type: 'boolean',
    default: false,
    describe: 'Any move of a test that is not expected refutes',
  },
  'fail-fast': {
    alias: 'x',
    type: 'boolean',
    default: false,
    describe: 'Stop at the first mutation that is not proven',
  },
  'keep-going': {
    type: 'boolean',
    default: false,
    describe: 'Go on to the next lane where one could not be measured (the default; undoes -x)',
  },
  allow: {
    type: 'string',
    nargs: 1,
    describe: 'Verdicts that do not count against the exit code, with commas between',
  },
  report: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'FORMAT[=PATH]: terminal, markdown or json (repeatable)',
  },
  json: { type: 'boolean', default: false, describe: 'The record on stdout, and nothing else' },
  out: {
    type: 'string',
    nargs: 1,
    describe: 'Folder for the record, instead of .counterproof/runs',
  },
  progress: { type: 'boolean', default: true, describe: 'Show what is running (--no-progress)' },
  python: { type: 'string', nargs: 1, describe: 'Interpreter for lanes whose command is auto' },
} as const satisfies Record<string, Options>;

/** Taken, and left out of `--help`. */
export const unlisted = <O extends Options>(option: O): O => ({ ...option, hidden: true });
