/** The format of counterproof.yaml and [tool.counterproof]. */
import { z } from 'zod';
import { many, plain, version, WORD_CHARACTERS } from './fields.js';
import { laneSchema } from './lane-schema.js';

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
    prove: z
      .strictObject({
        testPaths: many(plain('A path or pattern, relative to the root.'))
          .describe('Files that `prove` counts as test code, whatever their names are.')
          .optional(),
        sourcePaths: many(plain('A path or pattern, relative to the root.'))
          .describe('Files that `prove` counts as source, whatever their names are.')
          .optional(),
      })
      .describe('How `prove` splits a range of commits.')
      .optional(),
  })
  .meta({ title: 'Counterproof configuration', description: 'Lanes and defaults of a project.' });

export type ConfigInput = z.input<typeof configSchema>;
