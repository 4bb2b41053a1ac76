/** What a zod schema admits at one place: asked by the YAML reader before it reads a value. */
import { z } from 'zod';
import { type TextKind, textKinds } from './text-kind.js';
import { valueAt } from './written.js';

export interface Shape {
  /** Any text at all; null: no text, or only some words. */
  readonly text: TextKind | 'plain' | null;
  /** The words of enumerations and literals. */
  readonly words: ReadonlySet<string>;
  readonly number: 'whole' | 'any' | null;
  readonly boolean: boolean;
  readonly nothing: boolean;
  /** Schemas of the elements, where a list is admitted. */
  readonly elements: readonly z.core.$ZodType[];
  readonly list: boolean;
  /** Schemas by key, where a mapping with known keys is admitted. */
  readonly keys: ReadonlyMap<string, readonly z.core.$ZodType[]> | null;
  /** Schemas of the values, where a mapping with free keys is admitted. */
  readonly values: readonly z.core.$ZodType[] | null;
  /** Where a key's word decides which keys there are: that key, and a schema for each word. */
  readonly branches: Branches | null;
}

export interface Branches {
  readonly key: string;
  readonly byWord: ReadonlyMap<string, z.core.$ZodType>;
}

const known = new WeakMap<z.core.$ZodType, Shape>();

export function shapeOf(schemas: readonly z.core.$ZodType[]): Shape {
  const [only] = schemas;
  if (only === undefined) return build([]);
  if (schemas.length > 1) return build(schemas);
  const found = known.get(only);
  if (found !== undefined) return found;
  const shape = build(schemas);
  known.set(only, shape);
  return shape;
}

function build(schemas: readonly z.core.$ZodType[]): Shape {
  const words = new Set<string>();
  const elements: z.core.$ZodType[] = [];
  const keys = new Map<string, z.core.$ZodType[]>();
  const values: z.core.$ZodType[] = [];
  let text: Shape['text'] = null;
  let number: Shape['number'] = null;
  let branches: Branches | null = null;
  const has = { boolean: false, nothing: false, list: false, keys: false };

  const visit = (schema: z.core.$ZodType): void => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
      visit(schema.def.innerType);
    else if (schema instanceof z.ZodNullable) {
      has.nothing = true;
      visit(schema.def.innerType);
    } else if (schema instanceof z.ZodDiscriminatedUnion) {
      branches = branchesOf(schema);
      schema.def.options.forEach(visit);
    } else if (schema instanceof z.ZodUnion) schema.def.options.forEach(visit);
    else if (schema instanceof z.ZodEnum)
      for (const option of schema.options) words.add(String(option));
    else if (schema instanceof z.ZodLiteral)
      for (const value of schema.values) {
        if (typeof value === 'string') words.add(value);
        if (typeof value === 'number') number ??= 'whole';
        if (typeof value === 'boolean') has.boolean = true;
      }
    else if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
      text = textKinds.get(schema)?.kind ?? text ?? 'plain';
    else if (schema instanceof z.ZodNumber)
      number = schema.isInt && number !== 'any' ? 'whole' : 'any';
    else if (schema instanceof z.ZodBoolean) has.boolean = true;
    else if (schema instanceof z.ZodNull) has.nothing = true;
    else if (schema instanceof z.ZodArray) {
      has.list = true;
      elements.push(schema.def.element);
    } else if (schema instanceof z.ZodRecord) values.push(schema.def.valueType);
    else if (schema instanceof z.ZodObject) {
      has.keys = true;
      for (const [key, value] of Object.entries<z.core.$ZodType>(schema.def.shape))
        keys.set(key, [...(keys.get(key) ?? []), value]);
    } else throw new Error(`Internal error: no shape for a ${schema.constructor.name} schema`);
  };
  schemas.forEach(visit);

  return {
    text,
    words,
    number,
    boolean: has.boolean,
    nothing: has.nothing,
    elements,
    list: has.list,
    keys: has.keys ? keys : null,
    values: values.length > 0 ? values : null,
    branches,
  };
}

function branchesOf(schema: z.ZodDiscriminatedUnion): Branches {
  const key = schema.def.discriminator;
  const byWord = schema.options.flatMap((option) =>
    [
      ...(shapeOf([option])
        .keys?.get(key)
        ?.flatMap((word) => [...shapeOf([word]).words]) ?? []),
    ].map((word) => [word, option] as const),
  );
  return { key, byWord: new Map(byWord) };
}

/** The shape of the branch that a value's own word names; the whole shape where it names none. */
export function branchOf(shape: Shape, value: unknown): Shape {
  if (shape.branches === null) return shape;
  const word = valueAt(value, [shape.branches.key]);
  const branch = typeof word === 'string' ? shape.branches.byWord.get(word) : undefined;
  return branch === undefined ? shape : shapeOf([branch]);
}
