/** Texts that are taken exactly as they stand in the file, and how strict YAML is watched for each. */
import { z } from 'zod';

/**
 * `code`: text that is looked for, or written, byte by byte.
 * `name`: text that names something: an id, a test, a commit.
 * In both a comment behind an unquoted text, and lines that YAML joins, are refused. In every
 * other text a comment passes where it cannot be mistaken for a part of the text.
 */
export type TextKind = 'code' | 'name';

export const textKinds = z.registry<{ readonly kind: TextKind }>();

/** Marks a schema. To be called last: zod's own methods return unmarked copies. */
export function ofKind<S extends z.ZodString>(kind: TextKind, schema: S): S {
  textKinds.add(schema, { kind });
  return schema;
}
