/**
 * What happens in a run, as it happens. The engine emits, the live display draws, and
 * `events.jsonl` keeps all but the ticks, so that a killed run still tells what it knew.
 * Plain data: every event survives JSON.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { StepName } from '../proof/evidence.js';
import type { Counts, Outcome } from '../proof/outcome.js';
import type { ProofRecord, RunRecord } from './schema.js';

/** Where a step runs. `id` is the mutation's; null for a lane's own baseline and closing run. */
interface StepPlace {
  readonly lane: string;
  readonly id: string | null;
  readonly step: StepName;
  /** Number of the slot, from 0. */
  readonly slot: number;
}

export type RunEvent =
  /**
   * First of all, once. `declared`: ids of this run's selection, in the order of their proofs.
   * `mayGrow`: what is measured decides what else will be, so that nobody knows yet how many.
   */
  | {
      readonly type: 'run-started';
      readonly version: string;
      readonly command: readonly string[];
      readonly startedAt: string;
      readonly pid: number;
      readonly declared: readonly string[];
      readonly mayGrow: boolean;
    }
  /** A lane's turn begins; `mutations` counts those that it will prove. */
  | { readonly type: 'lane-started'; readonly lane: string; readonly mutations: number }
  /** How the lane will be run is known; no test has run yet. */
  | {
      readonly type: 'lane-described';
      readonly lane: string;
      readonly command: readonly string[];
      readonly from: string;
      readonly tool: string;
      readonly versions: Readonly<Record<string, string>>;
    }
  /** A slot takes up a mutation, before its first step. */
  | {
      readonly type: 'mutation-started';
      readonly lane: string;
      readonly id: string;
      readonly slot: number;
    }
  /** A lane run begins. `tests`: how many it will run, where that is known before. */
  | (StepPlace & { readonly type: 'step-started'; readonly tests: number | null })
  /** A test began or ended. Never written to the file: a lane of 2,000 tests makes 4,000 of them. */
  | (StepPlace & {
      readonly type: 'step-progress';
      readonly done: number;
      readonly total: number | null;
      /** The test that is running; null between tests. */
      readonly running: string | null;
    })
  /** A lane run ended, in whatever way; `ending` is `complete` or says in one phrase why not. */
  | (StepPlace & {
      readonly type: 'step-finished';
      readonly counts: Counts;
      readonly complete: boolean;
      readonly ending: string;
      readonly durationMs: number;
    })
  /**
   * A test moved in a step that is still running: a hint for people, not yet evidence. Emitted
   * only where one mutation is watched (`try`); a sweep would print every move of every one.
   */
  | (StepPlace & {
      readonly type: 'test-moved';
      readonly test: string;
      readonly from: Outcome | null;
      readonly to: Outcome;
      readonly message: string | null;
    })
  /**
   * A slot is done with a mutation whose verdict waits for a restored run that it shares with
   * others.
   */
  | {
      readonly type: 'mutation-measured';
      readonly lane: string;
      readonly id: string;
      readonly slot: number;
      /** As the proof has it. */
      readonly pulledIn: boolean;
    }
  /**
   * A mutation has its verdict: the proof as it will stand in the record. Once more for one that is
   * measured anew; the last one counts.
   */
  | { readonly type: 'proof-finished'; readonly proof: ProofRecord }
  /** A remark that a person should see now: fewer slots than asked, a leaked process, a recovery. */
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning';
      readonly lane: string | null;
      readonly id: string | null;
      readonly text: string;
    }
  /** A signal came; the tree is being put back. */
  | { readonly type: 'interrupted'; readonly signal: string }
  /** Last of all: the record is written. */
  | {
      readonly type: 'run-finished';
      readonly complete: boolean;
      readonly exitCode: number;
      readonly durationMs: number;
      readonly summary: RunRecord['summary'];
    };

/** One line of `events.jsonl`. */
export type StampedEvent = { readonly at: string } & RunEvent;

export interface EventWriter {
  /** Appends one line. Never throws: a full disk must not cost the run its tree. */
  readonly write: (event: RunEvent) => void;
  /** The first thing that went wrong with the file, for `notVerified`; null: nothing. */
  readonly problem: () => string | null;
  readonly close: () => void;
}

/**
 * Opens `path` anew. Lines are written at once and synchronously: what was emitted before a
 * `kill -9` is in the file.
 */
export function openEventWriter(path: string, now: () => Date): EventWriter {
  let fd: number | null = null;
  let problem: string | null = null;
  const attempt = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      problem ??= `${path}: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  attempt(() => {
    fd = openSync(path, 'w');
  });
  return {
    write(event) {
      const file = fd;
      if (event.type === 'step-progress' || file === null || problem !== null) return;
      const stamped: StampedEvent = { at: now().toISOString(), ...event };
      const line = Buffer.from(`${JSON.stringify(stamped)}\n`);
      attempt(() => {
        for (let at = 0; at < line.length;) at += writeSync(file, line, at);
      });
    },
    problem: () => problem,
    close() {
      const file = fd;
      fd = null;
      if (file !== null) attempt(() => closeSync(file));
    },
  };
}
