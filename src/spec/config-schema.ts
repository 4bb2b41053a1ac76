/** The format of counterproof.yaml and [tool.counterproof]. */
import { z } from 'zod';
import { plain, version, WORD_CHARACTERS } from './fields.js';
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
  })
  .meta({ title: 'Counterproof configuration', description: 'Lanes and defaults of a project.' });

export type ConfigInput = z.input<typeof configSchema>;
