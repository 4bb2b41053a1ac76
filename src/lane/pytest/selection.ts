/** What a session selected, counted per file. */
import type { Selection } from '../../proof/evidence.js';
import { collectionIn, type Session } from './sessions.js';

/** The file part of an id. */
export const fileOf = (id: string): string => id.split('::', 1)[0] ?? id;

export interface SelectedIds {
  readonly selection: Selection;
  /** Each id once, in the order in which it runs. */
  readonly ids: readonly string[];
}

/** Adds up all sessions of a run: a wrapper may start several. An id counts once. */
export function foldSelection(sessions: readonly Session[]): SelectedIds {
  const collected = new Set<string>();
  const selected = new Set<string>();
  const deselected = new Set<string>();
  for (const session of sessions) {
    const collection = collectionIn(session);
    if (collection === null) continue;
    for (const id of collection.collected) collected.add(id);
    for (const id of collection.selected) selected.add(id);
    for (const id of collection.deselected) deselected.add(id);
  }
  const files = new Map<string, { file: string; collected: number; selected: number }>();
  for (const id of collected) {
    const file = fileOf(id);
    const counts = files.get(file) ?? { file, collected: 0, selected: 0 };
    counts.collected += 1;
    if (selected.has(id)) counts.selected += 1;
    files.set(file, counts);
  }
  return {
    ids: [...selected],
    selection: {
      collected: collected.size,
      selected: selected.size,
      deselected: [...deselected].filter((id) => !selected.has(id)),
      files: [...files.values()],
      idPrefix: sessions[0]?.configure.prefix ?? '',
      idForm: 'path',
    },
  };
}
