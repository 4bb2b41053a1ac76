/** A slot at work on a session, whose lane runs are told what to find. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createStopFlag, type EngineSettings, type SlotContext } from '../../src/engine/context.js';
import { createDraft, type Draft } from '../../src/engine/draft.js';
import { unmeasured, type LaneState } from '../../src/engine/lane-state.js';
import { NO_LEFTOVERS } from '../../src/engine/leftovers.js';
import type { Opened } from '../../src/engine/open-session.js';
import type { PlannedMutation } from '../../src/engine/plan.js';
import { createQuiet } from '../../src/engine/quiet.js';
import { SlotDied } from '../../src/engine/slot-keeper.js';
import { createSlotRun, type SlotRun } from '../../src/engine/slot-run.js';
import { createWarmDoubt, type WarmDoubt } from '../../src/engine/warm-doubt.js';
import { judge } from '../../src/proof/judge.js';
import { ok } from '../../src/result.js';
import type { RunEvent } from '../../src/record/events.js';
import type { StepRequest } from '../../src/slot/protocol.js';
import {
  A,
  flips,
  MUTANT,
  mutation,
  ORIGINAL,
  SELECTION,
  SOURCE,
  step,
  TODAY,
  type Outcomes,
} from '../proof/build.js';
import { laneNamed } from './builders.js';

export interface Bench {
  readonly run: SlotRun;
  readonly doubt: WarmDoubt;
  readonly stop: ReturnType<typeof createStopFlag>;
  /** `mutated a`, `restored lane`, `closing lane`, and what else was asked that matters. */
  readonly asked: string[];
  /** `a pinned`, in the order in which they were told. */
  readonly told: string[];
  readonly notices: () => readonly string[];
  readonly draft: (id: string) => Draft;
  readonly verdict: (id: string) => string;
  readonly prove: (...ids: readonly string[]) => Promise<void>;
}

export interface Found {
  readonly outcomes?: Outcomes;
  /** Tests that a warm interpreter told otherwise. */
  readonly differsWarm?: readonly string[];
  readonly dies?: boolean;
}

/** `find`: what the next run of a step finds; everything is green, but for A under a mutant. */
export function benchOf(
  find: (step: StepRequest['step'], id: string | null, asked: readonly string[]) => Found | null,
  {
    isolation = 'overlay',
    settings = {},
  }: {
    readonly isolation?: 'overlay' | 'in-place';
    readonly settings?: Partial<EngineSettings>;
  } = {},
): Bench {
  const tree = mkdtempSync(join(tmpdir(), 'counterproof bench '));
  onTestFinished(() => {
    rmSync(tree, { recursive: true, force: true });
  });
  mkdirSync(dirname(join(tree, SOURCE)), { recursive: true });
  writeFileSync(join(tree, SOURCE), 'a = 1\n');

  const asked: string[] = [];
  const told: string[] = [];
  const events: RunEvent[] = [];
  const stop = createStopFlag();
  const files = [{ path: SOURCE, sha256: ORIGINAL }];

  const lane: LaneState = {
    ...unmeasured(laneNamed('unit')),
    baseline: step('baseline'),
    selection: SELECTION,
  };
  const answers = {
    apply: () => ok([{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT }]),
    restore: () => ({ kind: 'restored', files }),
    sums: () => new Map([[SOURCE, MUTANT]]),
    run(request: StepRequest) {
      const name = request.scope === 'lane' ? 'lane' : 'some';
      asked.push(`${request.step} ${request.label ?? name}`);
      const found = find(request.step, request.label, asked) ?? {};
      if (found.dies === true) throw new SlotDied('killed');
      const normal: Outcomes = request.step === 'mutated' ? { [A]: 'failed' } : {};
      const { scope } = request;
      const evidence = step(request.step, found.outcomes ?? normal, { scope });
      const { differsWarm } = found;
      const doubt = differsWarm === undefined ? {} : { differsWarm };
      return { evidence, selection: SELECTION, build: [], ...doubt };
    },
  };
  const slot = {
    number: 0,
    isolation,
    call: (name: keyof typeof answers, params: StepRequest) =>
      Promise.resolve().then(() => answers[name](params)),
    revive() {
      asked.push('revive');
      return Promise.resolve({ outcome: { kind: 'restored', files, notes: [] }, problem: null });
    },
  };
  const context = {
    tree,
    root: tree,
    isolation,
    slot,
    slots: 1,
    quiet: createQuiet(),
    guard: { inPlace: () => undefined },
    leftovers: NO_LEFTOVERS,
    settings: {
      verify: 'moved',
      closing: true,
      baselineRuns: 1,
      tellMoves: false,
      failFast: false,
      budget: null,
      ...settings,
    },
    emit: (event: RunEvent) => events.push(event),
    logs: {
      settled(group: readonly { draft: Draft; stands: boolean }[]) {
        for (const { draft, stands } of group)
          asked.push(`logs ${draft.mutation.id} ${stands ? 'stands' : 'falls'}`);
        return Promise.resolve();
      },
    },
    stop,
    told: null,
  } as unknown as SlotContext;

  const opened: Opened = {
    lane,
    outside: [],
    probes: [],
    ahead: new Map(),
    blocked: null,
    slots: [context],
    fewer: null,
  };
  const drafts = new Map<string, Draft>();
  const draft = (id: string): Draft => {
    const found = drafts.get(id);
    if (found === undefined) throw new Error(`no draft of ${id}`);
    return found;
  };
  const verdictOf = (one: Draft): string => judge(one, { today: TODAY }).verdict.code;
  const doubt = createWarmDoubt();
  const run = createSlotRun({
    context,
    session: { lane: lane.config, probes: [], mutations: [] },
    opened: () => opened,
    tree: { measured: () => undefined, look: () => Promise.resolve() },
    doubt,
    newDraft(one: PlannedMutation) {
      const made = createDraft(one, opened);
      drafts.set(one.spec.id, made);
      return made;
    },
    onSettled(one) {
      told.push(`${one.mutation.id} ${verdictOf(one)}`);
      return verdictOf(one) === 'pinned';
    },
  });
  return {
    run,
    doubt,
    stop,
    asked,
    told,
    notices: () => events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])),
    draft,
    verdict: (id) => verdictOf(draft(id)),
    async prove(...ids) {
      for (const id of ids) {
        const spec = mutation({ id, ...flips(A) });
        await run.prove({ spec, pulledIn: false, notApplied: null });
      }
    },
  };
}
