/** Edits of a spec file written anew in their places; every other byte of the file stays. */
import { isDeepStrictEqual } from 'node:util';
import { makeSource, type Source } from './source.js';
import { EDIT_KINDS, type EditInput, type MutationInput, specSchema } from './spec-schema.js';
import { type Path, valueAt } from './written.js';
import { quoteYaml } from './yaml-quote.js';
import { readYaml } from './yaml-read.js';
import { replaceFields, spliced } from './yaml-splice.js';
import { parseYaml } from './yaml-syntax.js';

export interface Rewrite {
  /** Of the mapping that holds the edit: a mutation, or an entry of its `edits`. */
  readonly path: Path;
  /** What stands there instead; at least one. */
  readonly edits: readonly EditInput[];
}

/** Keys that belong to an edit. The others of a mutation stay. */
const OWN = new Set<string>([...EDIT_KINDS, 'file', 'within', 'paths', 'hunks']);

/**
 * What is taken out is left as a comment, and so are the comments that stood beside it. The
 * result is read back before it is returned.
 *
 * @returns the new text, and for each rewrite why it could not be made; null: it was
 */
export function rewriteEdits(
  source: Source,
  rewrites: readonly Rewrite[],
): { readonly text: string; readonly refused: readonly (string | null)[] } {
  const parsed = parseYaml(source);
  const read = readYaml(source, specSchema);
  if (!parsed.ok || parsed.value === null || !read.ok || read.value.faults.length > 0)
    return { text: source.text, refused: rewrites.map(() => 'the file has faults') };
  const root = parsed.value;
  const written = read.value;
  const made = rewrites.map((rewrite) => {
    const isEntry = isEditsEntry(rewrite.path);
    const mapping = valueAt(written.value, rewrite.path);
    return replaceFields({
      source,
      root,
      path: rewrite.path,
      own: OWN,
      fields: isEntry ? (rewrite.edits[0] ?? {}) : fieldsOf(rewrite),
      more: isEntry ? rewrite.edits.slice(1) : [],
      comment: (keys) => wasText(keys, mapping),
    });
  });
  const splices = made.flatMap((one) => (one.ok ? one.value : []));
  const text = spliced(source.text, splices);
  const refused = made.map((one) => (one.ok ? null : one.error));
  const isGood = isDeepStrictEqual(
    dataOf(source.file, text),
    expected(
      written.value,
      rewrites.filter((_, index) => refused[index] === null),
    ),
  );
  if (isGood) return { text, refused };
  // Never write what reads as something else.
  const why = 'it would not read back as it is written';
  return { text: source.text, refused: refused.map((before) => before ?? why) };
}

function dataOf(file: string, text: string): unknown {
  const read = readYaml(makeSource(file, text), specSchema);
  return read.ok && read.value.faults.length === 0 ? read.value.value : null;
}

const isEditsEntry = (path: Path): boolean => path.at(-2) === 'edits';

function expected(value: unknown, rewrites: readonly Rewrite[], path: Path = []): unknown {
  const here = rewrites.find((one) => isDeepStrictEqual(one.path, path));
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index): readonly unknown[] => {
      const below = [...path, index];
      const rewrite = rewrites.find((one) => isDeepStrictEqual(one.path, below));
      if (rewrite !== undefined && isEditsEntry(below)) return rewrite.edits;
      return [expected(item, rewrites, below)];
    });
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => here === undefined || !OWN.has(key))
    .map(([key, item]) => [key, expected(item, rewrites, [...path, key])] as const);
  return Object.fromEntries([
    ...entries,
    ...Object.entries(here === undefined ? {} : fieldsOf(here)),
  ]);
}

/** One edit stands in the mutation itself, several in a list. */
function fieldsOf({ edits }: Rewrite): EditInput & Pick<MutationInput, 'edits'> {
  const [first, ...others] = edits;
  if (first === undefined) throw new Error('Internal error: an edit is written anew as none');
  return others.length === 0 ? first : { edits: [...edits] };
}

/** `# was: revert: "4f2a91c07be1", hunks: [2]` */
function wasText(keys: readonly string[], mapping: unknown): string {
  const fields = keys.map((key) => `${key}: ${flowText(valueAt(mapping, [key]))}`);
  return `# was: ${fields.join(', ')}`;
}

const flowText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(flowText).join(', ')}]`
    : typeof value === 'string'
      ? quoteYaml(value)
      : String(value);
