import { createHash } from 'node:crypto';
import type { NotApplied } from '../mutation/edit.js';
import type { LaneConfig, MutationSpec, Probe } from '../spec/model.js';

export interface PlannedMutation {
  readonly spec: MutationSpec;
  readonly pulledIn: boolean;
  /** Why it cannot land, where that was found before; null: locating will tell. */
  readonly notApplied: NotApplied | null;
  /** Where nothing moves, another lane is asked: no run is made to see who reaches the edit. */
  readonly reach?: 'not asked';
}

/**
 * Mutations that share one baseline: the same lane, and the same probe files standing in the
 * tree, since those belong to every step of a mutation.
 */
export interface Session {
  readonly lane: LaneConfig;
  readonly probes: readonly Probe[];
  /** Liveness first: what the lane can show decides how its survivors read. */
  readonly mutations: readonly PlannedMutation[];
}

export function planSessions(
  mutations: readonly PlannedMutation[],
  lanes: readonly LaneConfig[],
): readonly Session[] {
  const groups = new Map<string, PlannedMutation[]>();
  for (const mutation of mutations) {
    const key = `${mutation.spec.lane}\0${probesKey(mutation.spec.probes)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mutation]);
    else group.push(mutation);
  }
  const sessions: Session[] = [];
  for (const lane of lanes) {
    for (const group of groups.values()) {
      const first = group[0];
      if (first?.spec.lane !== lane.name) continue;
      sessions.push({ lane, probes: first.spec.probes, mutations: livenessFirst(group) });
    }
  }
  return sessions;
}

/** Whether mutations planned later share the baseline of a session; probe files are gone by then. */
export const goesOnWith = (before: Session, later: Session): boolean =>
  before.lane.name === later.lane.name && before.probes.length === 0 && later.probes.length === 0;

function livenessFirst(group: readonly PlannedMutation[]): readonly PlannedMutation[] {
  const isLiveness = ({ spec }: PlannedMutation): boolean => spec.role === 'liveness';
  return [...group.filter(isLiveness), ...group.filter((one) => !isLiveness(one))];
}

function probesKey(probes: readonly Probe[]): string {
  const hash = createHash('sha256');
  for (const { path, content } of probes.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(`${path}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}
