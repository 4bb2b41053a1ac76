/** From zod's issues to diagnostics in plain English, at the key or value at fault. */
import type { z } from 'zod';
import { unreachable } from '../result.js';
import { didYouMean, nearest } from './distance.js';
import type { Diagnostic } from './model.js';
import { branchOf, type Shape, shapeOf } from './shape.js';
import { diagnose } from './source.js';
import { type Path, pathKey, valueAt, type Written } from './written.js';

type Issue = z.core.$ZodIssue;

/** Fields that belong to the format, and that this version cannot carry out. */
const LATER: ReadonlySet<string> = new Set(['moves', 'table', 'claims']);

export interface ValidateOptions {
  /** What is validated; the value at the path, if not given. */
  readonly value?: unknown;
  /** The whole format of that place, where the schema is only a part of it. */
  readonly format?: z.core.$ZodType;
}

/** What is validated: the part of a file below `base`, and the whole format of it. */
interface Place {
  readonly written: Written;
  readonly format: z.core.$ZodType;
  readonly base: Path;
}

/** Validates a part of a file against its schema. */
export function validate<T>(
  written: Written,
  schema: z.ZodType<T>,
  path: Path = [],
  options: ValidateOptions = {},
): { readonly value: T | null; readonly faults: readonly Diagnostic[] } {
  const value = 'value' in options ? options.value : valueAt(written.value, path);
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, faults: [] };
  const format = options.format ?? schema;
  const place: Place = { written, format, base: path };
  const faults = withoutAnswered(place, parsed.error.issues).flatMap((issue) =>
    explain(place, issue),
  );
  return { value: null, faults };
}

/** A missing key is no second fault where an unknown one beside it was meant for it. */
function withoutAnswered(place: Place, issues: readonly Issue[]): readonly Issue[] {
  const answered = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const known = [...(shapeAt(place, issue.path).keys?.keys() ?? [])];
    for (const key of issue.keys)
      for (const meant of nearest(key, known)) answered.add(pathKey([...issue.path, meant]));
  }
  return issues.filter(
    (issue) => issue.code === 'unrecognized_keys' || !answered.has(pathKey(issue.path)),
  );
}

function explain(place: Place, issue: Issue): readonly Diagnostic[] {
  const { written, base } = place;
  const path = [...base, ...issue.path];
  if (written.isFaulty(path)) return [];
  switch (issue.code) {
    case 'invalid_union': {
      const branch = meantBranch(issue.errors);
      if (branch !== null)
        return withoutAnswered(
          place,
          branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
        ).flatMap((inner) => explain(place, inner));
      return [wrongKind(place, issue)];
    }
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(place, [...issue.path, key]));
    case 'invalid_type':
    case 'invalid_value':
      return [wrongKind(place, issue)];
    case 'invalid_key':
      return [
        at(written, path, issue.issues[0]?.message ?? 'this key is not valid', { part: 'key' }),
      ];
    case 'too_small':
      return [at(written, path, tooSmall(issue))];
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'too_big':
    case 'custom':
      return [at(written, path, issue.message)];
    default:
      return unreachable(issue);
  }
}

/** The branch of a union that fits the value's kind: only what lies in it is wrong. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const fitting = branches.filter(
    (issues) =>
      !issues.some(
        (issue) =>
          issue.path.length === 0 &&
          (issue.code === 'invalid_value' ||
            (issue.code === 'invalid_type' && !isWholeNumber(issue))),
      ),
  );
  return fitting.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

const isWholeNumber = (issue: Issue): boolean =>
  issue.code === 'invalid_type' && issue.expected === 'int';

function unknownKey(place: Place, path: Path): Diagnostic {
  const { written, base } = place;
  const key = String(path.at(-1));
  const keys = [...(shapeAt(place, path.slice(0, -1)).keys?.keys() ?? [])];
  const here = [...base, ...path];
  if (LATER.has(key))
    return at(written, here, `this version of Counterproof has no \`${key}\``, { part: 'key' });
  const hint =
    elsewhere(place, path) ??
    didYouMean(key, keys) ??
    `Known here: ${keys.join(', ')}. A key of your own starts with \`x-\`.`;
  return at(written, here, `unknown key \`${key}\``, { part: 'key', hint });
}

/** Where the key would be known if another one beside it had another word. */
function elsewhere(place: Place, path: Path): string | null {
  const key = String(path.at(-1));
  const { branches } = wholeShapeAt(place, path.slice(0, -1));
  const words = [...(branches?.byWord ?? [])]
    .filter(([, schema]) => shapeOf([schema]).keys?.has(key) === true)
    .map(([word]) => `\`${branches?.key ?? ''}: ${word}\``);
  return words.length === 0 ? null : `\`${key}\` goes with ${words.join(' or ')}.`;
}

/** A value of the wrong kind, a missing one, or a word that is none of those known. */
function wrongKind(place: Place, issue: Issue): Diagnostic {
  const { written, base } = place;
  const { path } = issue;
  const here = [...base, ...path];
  const value = valueAt(written.value, here);
  // A literal with a message of its own, such as that of `version`.
  if (
    issue.code === 'invalid_value' &&
    value !== undefined &&
    !issue.message.startsWith('Invalid ')
  )
    return at(written, here, issue.message);
  const shape = shapeAt(place, path);
  const key = path.at(-1);
  if (value === undefined && typeof key === 'string')
    return at(written, here.slice(0, -1), `\`${key}\` is missing`);
  const words = [...shape.words];
  if (typeof value !== 'string')
    return at(written, here, `expected ${expected(shape)}, found ${found(value)}`);
  const hint = didYouMean(value, words) ?? otherThanWords(value, shape);
  const elements = shapeOf(shape.elements);
  const isWordOnly =
    shape.number === null && (!shape.list || words.every((word) => elements.words.has(word)));
  if (words.length > 0 && isWordOnly)
    return at(written, here, `\`${value}\` is none of ${words.join(', ')}`, { hint });
  return at(written, here, `expected ${expected(shape)}, found ${found(value)}`, { hint });
}

function otherThanWords(value: string, shape: Shape): string | null {
  if (shape.boolean && /^(?:yes|on|y|true)$/i.test(value)) return 'Write `true`, without quotes.';
  if (shape.boolean && /^(?:no|off|n|false)$/i.test(value)) return 'Write `false`, without quotes.';
  if (shape.number !== null && /^-?\d+$/.test(value)) return `Write ${value}, without quotes.`;
  const takesTexts = shape.list && shapeOf(shape.elements).text !== null;
  if (!takesTexts || shape.text !== null) return null;
  const items = value.trim().split(/\s+/);
  return items.length > 1 ? `Write a list: [${items.join(', ')}]` : 'Write a list, in brackets.';
}

function expected(shape: Shape): string {
  const parts = [
    shape.text === null ? null : 'a text',
    ...[...shape.words].map((word) => `\`${word}\``),
    shape.number === null ? null : shape.number === 'whole' ? 'a whole number' : 'a number',
    shape.boolean ? '`true` or `false`' : null,
    shape.list ? 'a list' : null,
    shape.keys !== null || shape.values !== null ? 'a mapping' : null,
  ].filter((part) => part !== null);
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} or ${last}`;
}

function found(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'string') return value.length > 40 ? 'a text' : `\`${value}\``;
  return `\`${JSON.stringify(value)}\``;
}

function tooSmall(issue: Issue & { readonly code: 'too_small' }): string {
  if (!issue.message.startsWith('Too small')) return issue.message;
  if (issue.origin === 'array') return 'the list is empty';
  return `expected at least ${String(issue.minimum)}`;
}

/** The message may carry its hint after the first line break. */
function at(
  written: Written,
  path: Path,
  message: string,
  options: { readonly part?: 'key' | 'value'; readonly hint?: string | null } = {},
): Diagnostic {
  const [first = '', ...rest] = message.split('\n');
  const hint = options.hint ?? (rest.length > 0 ? rest.join('\n') : null);
  return diagnose(written.source, written.spanOf(path, options.part), first, hint);
}

/** The shape at a path below a schema, through unions, lists and mappings. */
const shapeAt = (place: Place, path: Path): Shape =>
  branchOf(wholeShapeAt(place, path), valueAt(place.written.value, [...place.base, ...path]));

/** Like `shapeAt`, with the keys of every branch at the end of the path. */
function wholeShapeAt(place: Place, path: Path): Shape {
  let shape = shapeOf([place.format]);
  path.forEach((step, index) => {
    const above = [...place.base, ...path.slice(0, index)];
    const { elements, keys, values } = branchOf(shape, valueAt(place.written.value, above));
    shape = shapeOf(
      typeof step === 'number' ? elements : (keys?.get(String(step)) ?? values ?? []),
    );
  });
  return shape;
}
