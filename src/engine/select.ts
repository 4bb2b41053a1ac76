import { createTagsFilter } from '@vitest/runner/utils';
import type { MutationSpec } from '../spec/model.js';
import { err, ok, type Result } from '../result.js';
import { didYouMean } from '../spec/distance.js';

export interface SelectionOptions {
  /** Globs over ids: `*` stands for any characters, `?` for one. Empty: all. */
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
  const patterns = options.only.map(globToRegExp);
  const declared = mutations.filter(
    ({ id, lane, tags }) =>
      (patterns.length === 0 || patterns.some((pattern) => pattern.test(id))) &&
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

function globToRegExp(glob: string): RegExp {
  const source = glob.replaceAll(/[.+^${}()|[\]\\*?]/g, (special) => {
    if (special === '*') return '.*';
    return special === '?' ? '.' : `\\${special}`;
  });
  return new RegExp(`^${source}$`, 's');
}
