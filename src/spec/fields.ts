/** Building blocks that both formats share. */
import { z } from 'zod';
import { ofKind } from './text-kind.js';

const NOT_BLANK = /\S/;
/** Names end up in reports, file names and command lines: one line, nothing around it. */
// Patterns go into the JSON Schemas, so they use what every language's expressions know.
const EDGE = '[^\\s\\x00-\\x1f\\x7f-\\x9f]';
const NAME = new RegExp(`^${EDGE}([^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*${EDGE})?$`);

/** Inside of a character class: letters and digits of any script, and `_`, `.`, `-`. */
export const WORD_CHARACTERS = '\\s\\x00-,/:-@\\[-^`{-\\x9f';
const BLANK = 'is empty';

/** Text for people, or a word of a language that YAML does not bend. */
export const plain = (
  description: string,
  pattern: RegExp = NOT_BLANK,
  options: { readonly error: string } = { error: BLANK },
): z.ZodString => z.string().regex(pattern, options).describe(description);

/** Text that is looked for byte by byte; never empty. */
export const code = (description: string): z.ZodString =>
  ofKind('code', z.string().min(1, { error: BLANK }).describe(description));

/** Like `code`, but may be empty. */
export const text = (description: string): z.ZodString =>
  ofKind('code', z.string().describe(description));

/** Text that names something: one line, without blanks around it. */
export const name = (description: string): z.ZodString =>
  ofKind(
    'name',
    z
      .string()
      .regex(NAME, { error: 'must be one line of text, without blanks around it' })
      .describe(description),
  );

export const flag = (description: string): z.ZodBoolean => z.boolean().describe(description);

/** One of something, or a list of them. */
export const many = <S extends z.ZodType>(schema: S): z.ZodUnion<[S, z.ZodArray<S>]> =>
  z.union([schema, z.array(schema)]);

export const version = z
  .literal(1, {
    error: 'this version of Counterproof reads version 1 of the format\nWrite: version: 1',
  })
  .describe('Version of the format; 1, if not given.');

/** A list, also where one value was written alone. */
export const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : isList(value) ? value : [value];

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);
