/** The format of counterproof.yaml and [tool.counterproof]. */
import { z } from 'zod';
import { many, name, plain, version, WORD_CHARACTERS } from './fields.js';
import { DURATION, SIZE } from './units.js';

/** Runners that the format knows of, and this version does not have. */
export const LATER_RUNNERS: readonly string[] = ['cargo', 'junit'];

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
const command = z.union([plain('A line for `sh -c`.'), words.min(1), z.null()]);

export const laneSchema = z
  .strictObject({
    runner: z.enum(['pytest']).describe('What runs the tests.'),
    select: plain("pytest's marker expression (-m); everything, if not given.").optional(),
    paths: many(plain('A file or folder, relative to `cwd`.'))
      .describe("Where tests are collected; the runner's own choice, if not given.")
      .optional(),
    args: words.describe('Passed through to the runner.').optional(),
    command: z
      .union([z.literal('auto'), words.min(1)])
      .describe('Starts the runner, and is never changed; auto: detected.')
      .optional(),
    build: command
      .describe('Run after every write; a text goes through `sh -c`. Its failure is `broken`.')
      .optional(),
    prepare: command.describe('Run once per slot, before the first step.').optional(),
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
      .describe('Worker processes; 1 where tests share a port, a database, a device.')
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
    warm: z.enum(['auto', 'off']).describe('off: every step starts a new interpreter.').optional(),
  })
  .describe('A named way to select and run tests.');

const LANE_NAME = new RegExp(`^[^.${WORD_CHARACTERS}-][^${WORD_CHARACTERS}]*$`);

export const configSchema = z
  .strictObject({
    version: version.optional(),
    lanes: z
      .record(
        z.string().regex(LANE_NAME, {
          error: "a lane's name has letters, digits, `_`, `.` and `-` in it",
        }),
        laneSchema,
      )
      .describe('Lanes by name.')
      .optional(),
    defaults: z
      .strictObject({
        lane: plain('Lane of every mutation that names none.').optional(),
        isolation: z.enum(['auto', 'overlay', 'in-place']).describe('Where edits land.').optional(),
        verify: z
          .enum(['moved', 'full'])
          .describe('full: the whole lane is run again after every mutation.')
          .optional(),
      })
      .describe('What holds where nothing else is said.')
      .optional(),
  })
  .meta({ title: 'Counterproof configuration', description: 'Lanes and defaults of a project.' });

export type ConfigInput = z.input<typeof configSchema>;
export type LaneInput = z.input<typeof laneSchema>;
