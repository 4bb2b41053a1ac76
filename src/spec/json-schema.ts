/** JSON Schemas for editors, made from the schemas that validate. */
import { z } from 'zod';
import { configSchema } from './config-schema.js';
import { specSchema } from './spec-schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Of counterproof.yaml. */
export const configJsonSchema = (): JsonSchema => jsonSchema(configSchema);

/** Of `mutations/*.yaml`. */
export const specJsonSchema = (): JsonSchema => jsonSchema(specSchema);

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema: made }) => {
      // `x-` keys are the user's own, in every mapping with known keys.
      if (made.additionalProperties === false) made.patternProperties = { '^x-': {} };
    },
  });
}

/** The text of a schema file, as `schemas/` and `counterproof schema` have it. */
export const jsonSchemaText = (schema: JsonSchema): string =>
  `${JSON.stringify(schema, null, 2)}\n`;
