import { createTagsFilter } from '@vitest/runner/utils';
import type { MutationSpec } from '../spec/model.js';
import { err, ok, type Result } from '../result.js';
import { didYouMean } from '../spec/distance.js';

export interface SelectionOptions {
  /**
   * Ids, and globs over them: `*` stands for any characters, `?` for one, `[12]`, `[a-z]` and
   * `[!x]` for one of a class, and a backslash takes what follows as it is. Empty: all.
   */
  readonly only: readonly string[];
  /** Boolean expression over tags: `nightly and not (slow or gpu)`; null: all. */
  readonly tag: string | null;
  /** Name of a lane; null: all. */
  readonly lane: string | null;
}

export interface SelectedMutations {
  readonly declared: readonly MutationSpec[];
  /**
   * Liveness mutations of the lanes in use that the selection left out. They run, because a
   * lane must show in each run that it can fail, and count in no total.
   */
  readonly pulledIn: readonly MutationSpec[];
}

/** Narrows the loaded mutations; the liveness mutations of every lane in use stay. */
export function selectMutations(
  mutations: readonly MutationSpec[],
  available: readonly MutationSpec[],
  options: SelectionOptions,
): Result<SelectedMutations, string> {
  const byTag = tagFilter(mutations, options.tag);
  if (!byTag.ok) return byTag;
  const fits = options.only.map((only) => fitting(only, available));
  const declared = mutations.filter(
    ({ id, lane, tags }) =>
      (fits.length === 0 || fits.some((fit) => fit(id))) &&
      (options.lane === null || lane === options.lane) &&
      byTag.value([...tags]),
  );
  const chosen = new Set(declared.map(({ id }) => id));
  const lanes = new Set(declared.flatMap(lanesOf));
  const pulledIn = available.filter(
    ({ id, lane, role }) => role === 'liveness' && lanes.has(lane) && !chosen.has(id),
  );
  return ok({ declared, pulledIn });
}

/** A mutation's own lane and the lanes of its controls. */
export function lanesOf(mutation: MutationSpec): readonly string[] {
  return [mutation.lane, ...mutation.controls.flatMap(({ lane }) => (lane === null ? [] : [lane]))];
}

function tagFilter(
  mutations: readonly MutationSpec[],
  expression: string | null,
): Result<(tags: string[]) => boolean, string> {
  if (expression === null) return ok(() => true);
  const tags = [...new Set(mutations.flatMap((mutation) => mutation.tags))];
  const known = tags.length === 0 ? 'no mutation has tags' : `tags in use: ${tags.join(', ')}`;
  const refused = (why: string): Result<never, string> => err(`--tag ${expression}: ${why}`);
  // The filter's own reader never comes to an end on one of these.
  if (/[&|]/.test(expression.replaceAll('&&', '').replaceAll('||', '')))
    return refused('`&` and `|` stand doubled, or write `and` and `or`');
  const words = expression.match(/[^\s()!&|]+/g) ?? [];
  const unknown = words.find((word) => !isKnown(word, tags));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, tags);
    return refused(
      `no mutation has the tag ${unknown}${hint === null ? '' : `; ${hint}`} (${known})`,
    );
  }
  try {
    return ok(
      createTagsFilter(
        [expression.replaceAll(/\s+/g, ' ')],
        tags.map((name) => ({ name })),
      ),
    );
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return refused(why.replace('Invalid tags expression: ', '').replace(/ in ".*"$/s, ''));
  }
}

function isKnown(word: string, tags: readonly string[]): boolean {
  if (/^(?:and|or|not)$/i.test(word)) return true;
  return word.includes('*')
    ? tags.some((tag) => globToRegExp(word).test(tag))
    : tags.includes(word);
}

/** An id that exists stands for itself alone, whatever signs are in it. */
function fitting(only: string, all: readonly MutationSpec[]): (id: string) => boolean {
  if (all.some(({ id }) => id === only)) return (id) => id === only;
  const pattern = globToRegExp(only);
  return (id) => pattern.test(id);
}

/** A bracket that is not closed, and a backslash at the end, stand for themselves. */
const GLOB = /\\(?<escaped>.)|\[(?<not>[!^]?)(?<chars>\]?[^\]]*)\]|(?<any>[*?])|./gsu;

function globToRegExp(glob: string): RegExp {
  const source = [...glob.matchAll(GLOB)].map(({ 0: whole, groups = {} }) => {
    const { escaped, not, chars, any } = groups;
    if (any !== undefined) return any === '*' ? '.*' : '.';
    if (chars !== undefined && chars !== '') return classOf(chars, not === '' ? '' : '^');
    return literal(escaped ?? whole);
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}

/** A range that runs backwards has nothing in it, as in a shell. */
function classOf(chars: string, not: '' | '^'): string {
  const parts = [...chars.matchAll(/(.)-(.)|(.)/gsu)].flatMap(([, from, to, one]) => {
    if (one !== undefined) return [literal(one)];
    return from !== undefined && to !== undefined && from <= to
      ? [`${literal(from)}-${literal(to)}`]
      : [];
  });
  if (parts.length === 0) return not === '' ? '(?!)' : '.';
  return `[${not}${parts.join('')}]`;
}

const literal = (text: string): string =>
  text.replaceAll(/[\^$.*+?()[\]{}|/\\-]/g, (c) => `\\u{${c.codePointAt(0)?.toString(16) ?? ''}}`);
