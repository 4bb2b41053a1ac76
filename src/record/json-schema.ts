import { z } from 'zod';
import { recordSchema } from './schema.js';

/** The JSON Schema of a record, for whoever reads `record.json` elsewhere. */
export function recordJsonSchema(): unknown {
  return z.toJSONSchema(recordSchema);
}
