/** Bounds what the logs of a long run take up: those of proofs that nobody will look into go. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepEvidence } from '../proof/evidence.js';
import type { Draft } from './draft.js';

export interface SettledDraft {
  readonly draft: Draft;
  /** Proven or accepted. */
  readonly stands: boolean;
}

export interface LogKeeper {
  /** Mutations that share a restored run; steps whose log went have none from now on. */
  readonly settled: (group: readonly SettledDraft[]) => Promise<void>;
}

export interface LogBounds {
  /** Of so many that stand the logs are kept, for whoever wants to see how one looks. */
  readonly standing: number;
  /** Of all others, as long as they are no more than this in all. */
  readonly bytes: number;
}

const BOUNDS: LogBounds = { standing: 100, bytes: 256 * 2 ** 20 };

type StepField =
  | 'mutated'
  | 'withoutEnder'
  | 'mutatedAgain'
  | 'mutatedOnceMore'
  | 'mutatedLast'
  | 'reachStep'
  | 'restored'
  | 'restoredAgain';

const OWN = [
  'mutated',
  'withoutEnder',
  'mutatedAgain',
  'mutatedOnceMore',
  'mutatedLast',
  'reachStep',
] as const;
const SHARED = ['restored', 'restoredAgain'] as const;

/** @param folder absolute; step logs are named relative to it */
export function createLogKeeper(folder: string, bounds: LogBounds = BOUNDS): LogKeeper {
  let standing = 0;
  let bytes = 0;

  const drop = async (draft: Draft, fields: readonly StepField[]): Promise<void> => {
    for (const field of fields) {
      const log = draft[field]?.log ?? null;
      if (log === null) continue;
      draft[field] = withoutLog(draft[field]);
      await rm(join(folder, log), { force: true });
    }
  };

  const keep = async (draft: Draft, fields: readonly StepField[]): Promise<void> => {
    for (const field of fields) {
      const log = draft[field]?.log ?? null;
      if (log !== null) bytes += await sizeOf(join(folder, log));
    }
  };

  return {
    async settled(group) {
      const kept = group.filter(({ stands }) =>
        stands ? (standing += 1) <= bounds.standing : bytes <= bounds.bytes,
      );
      const left = new Set(kept.map(({ draft }) => draft));
      for (const { draft } of group) {
        if (left.has(draft)) await keep(draft, OWN);
        else await drop(draft, OWN);
      }
      const [first] = group;
      if (first === undefined) return;
      if (kept.length > 0) await keep(first.draft, SHARED);
      else for (const { draft } of group) await drop(draft, SHARED);
    },
  };
}

const withoutLog = (step: StepEvidence | null): StepEvidence | null =>
  step === null ? null : { ...step, log: null };

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
