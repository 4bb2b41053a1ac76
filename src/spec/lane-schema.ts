/** The format of a lane: fields that every runner has, and those of each. */
import { z } from 'zod';
import { flag, many, name, plain } from './fields.js';
import { DURATION, SIZE } from './units.js';

export const BAD_DURATION =
  'not a duration\nWrite a number with ms, s, m or h: 250ms, 60s, 5m. At most 24 days.';
export const BAD_SIZE =
  'not a size\nWrite a number with B, kB, MB, GB, KiB, MiB or GiB: 16MiB, 2GB.';

const duration = z.union([
  z.literal('auto'),
  z.string().regex(DURATION, { error: BAD_DURATION }),
  z.number().positive({ error: BAD_DURATION }),
]);
const size = z.union([
  z.string().regex(SIZE, { error: BAD_SIZE }),
  z.number().positive({ error: BAD_SIZE }),
]);

const words = z.array(z.string());
const shell = z.union([plain('A line for `sh -c`.'), words.min(1), z.null()]);

const common = {
  build: shell
    .describe('Run after every write; a text goes through `sh -c`. Its failure is `broken`.')
    .optional(),
  prepare: shell.describe('Run once per slot, before the first step.').optional(),
  env: z
    .record(
      z.string().regex(/^[^=\0]+$/, { error: 'no name for an environment variable' }),
      z.string(),
    )
    .describe('Environment variables of the lane.')
    .optional(),
  cwd: plain('Folder in which the runner starts, relative to the root.').optional(),
  slots: z
    .union([z.literal('auto'), z.int().min(1)])
    .describe(
      'Worker processes; 1 where tests share a port, a database, a device. auto: 1 with a `build`.',
    )
    .optional(),
  limits: z
    .strictObject({
      step: duration.describe('One run of the lane; auto: max(60 s, 5 x baseline).').optional(),
      test: duration
        .describe('One test; auto: max(10 s, 10 x the slowest of the baseline).')
        .optional(),
      memory: z
        .union([z.literal('auto'), size])
        .describe('Memory of everything that a step starts.')
        .optional(),
      output: size.describe("What is kept of a step's output; 16MiB, if not given.").optional(),
    })
    .describe('Limits that end a step.')
    .optional(),
  quarantine: z
    .array(
      z.strictObject({
        test: name('Id of a test or of a group.'),
        because: plain('Why it is left out.'),
      }),
    )
    .describe('Tests that are left out, each with its reason.')
    .optional(),
};

const RUNNER = 'What runs the tests.';

const pytestLane = z.strictObject({
  runner: z.literal('pytest').describe(RUNNER),
  select: plain("pytest's marker expression (-m); everything, if not given.").optional(),
  paths: many(plain('A file or folder, relative to `cwd`.'))
    .describe("Where tests are collected; the runner's own choice, if not given.")
    .optional(),
  args: words.describe('Passed through to the runner.').optional(),
  command: z
    .union([z.literal('auto'), words.min(1)])
    .describe('Starts the runner, and is never changed; auto: detected.')
    .optional(),
  ...common,
  warm: z.enum(['auto', 'off']).describe('off: every step starts a new interpreter.').optional(),
});

const WORD = /^[^\s+][^\s]*$/;

const cargoLane = z.strictObject({
  runner: z.literal('cargo').describe(RUNNER),
  select: plain(
    "cargo's filter: part of a test's path (TESTNAME of `cargo test`); everything, if not given.",
  ).optional(),
  packages: many(name('Name of a package.'))
    .describe("Packages whose tests are run; cargo's own choice for `cwd`, if not given.")
    .optional(),
  targets: many(
    z
      .string()
      .regex(/^(?:lib|bins|tests|doc|test:\S+)$/, {
        error: 'a target is one of lib, bins, tests, doc and test:NAME',
      })
      .describe('lib, bins, tests, doc, or test:NAME for one integration test.'),
  )
    .describe('What of the packages is run; lib, bins and tests, if not given.')
    .optional(),
  features: many(name('Name of a feature.')).describe('Features to switch on.').optional(),
  noDefaultFeatures: flag('true: without the default features.').optional(),
  allFeatures: flag('true: with every feature.').optional(),
  profile: plain("Name of a profile; cargo's own for tests, if not given.", WORD, {
    error: 'no name of a profile',
  }).optional(),
  toolchain: plain('As `cargo +NAME` takes it, without the `+`.', WORD, {
    error: 'no name of a toolchain\nWrite it without the `+`: nightly, 1.80.0.',
  }).optional(),
  capLints: z
    .enum(['allow', 'warn'])
    .describe("Level for rustc's --cap-lints, in every build of the lane.")
    .optional(),
  harness: z
    .enum(['libtest', 'exit-code'])
    .describe('exit-code: a target with `harness = false` is one test, judged by its exit code.')
    .optional(),
  args: words
    .describe('As behind `cargo test`: what follows a `--` is for the test executables.')
    .optional(),
  ...common,
});

const junitLane = z.strictObject({
  runner: z.literal('junit').describe(RUNNER),
  command: words
    .min(1)
    .describe(
      'Runs the tests and writes JUnit XML; `{report}` in a word is the path of the report.',
    ),
  report: plain(
    'Path or glob of the reports, relative to `cwd`; {report}, if not given: a private path.',
  ).optional(),
  args: words.describe('Added to the command.').optional(),
  ...common,
});

export const laneSchema = z
  .discriminatedUnion('runner', [pytestLane, cargoLane, junitLane])
  .describe('A named way to build, select and run tests.');

export type LaneInput = z.input<typeof laneSchema>;
export type PytestLaneInput = Extract<LaneInput, { readonly runner: 'pytest' }>;
export type JunitLaneInput = Extract<LaneInput, { readonly runner: 'junit' }>;
