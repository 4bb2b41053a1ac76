/** From what a person wrote (an id, a file, a class, a pattern) to ids that exist. */
import { ambiguousBinaries, matchBinaryIds, withBinary } from './binary-ids.js';
import type { Selection } from './evidence.js';
import { indexIds } from './id-index.js';
import { matchPathIds } from './path-ids.js';

/** How the ids of a lane are built. */
export type IdRules = Pick<Selection, 'idPrefix' | 'idForm'>;

/** For a lane of which nothing is known. */
const PLAIN: IdRules = { idPrefix: '', idForm: 'path' };

export const idRules = (selection: Selection | null): IdRules => selection ?? PLAIN;

/** The ids that a selector stands for, in collection order; empty: it matches nothing, or could be several. */
export function matchIds(
  selector: string,
  ids: readonly string[],
  rules: IdRules,
): readonly string[] {
  const name = nameIn(selector, rules);
  if (name === '') return [];
  return rules.idForm === 'binary'
    ? matchBinaryIds(name, ids)
    : matchPathIds(name, ids, rules.idPrefix);
}

/** Whether the selector is one test's own id, so that it can never grow into a group. */
export function isExactId(selector: string, ids: readonly string[], rules: IdRules): boolean {
  const { position } = indexIds(ids);
  const name = nameIn(selector, rules);
  const other = rules.idForm === 'binary' ? withBinary(name, ids) : rules.idPrefix + name;
  return position.has(name) || position.has(other);
}

/** The names that a selector could stand for, where it leaves open which of several; else empty. */
export function ambiguousIds(
  selector: string,
  ids: readonly string[],
  rules: IdRules,
): readonly string[] {
  return rules.idForm === 'binary' ? ambiguousBinaries(nameIn(selector, rules), ids) : [];
}

/** The selector with what was left out of it, so that other ids cannot change what it stands for. */
export function writtenOut(selector: string, ids: readonly string[], rules: IdRules): string {
  return rules.idForm === 'binary' ? withBinary(nameIn(selector, rules), ids) : selector;
}

/** A selector as ids are written: a path from here, or a folder with its slash, is none. */
export function nameIn(selector: string, { idForm }: IdRules): string {
  if (idForm === 'binary') return selector.trim();
  const start = selector.startsWith('./') ? selector.slice(2) : selector;
  return start.endsWith('/') ? start.slice(0, -1) : start;
}
