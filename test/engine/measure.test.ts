import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStopFlag, type SlotContext } from '../../src/engine/context.js';
import { createDraft, type Draft } from '../../src/engine/draft.js';
import { unmeasured } from '../../src/engine/lane-state.js';
import { measure } from '../../src/engine/measure.js';
import { createQuiet } from '../../src/engine/quiet.js';
import { err, ok, type Result } from '../../src/result.js';
import type { AppliedFile, ApplyProblem, RestoreOutcome } from '../../src/workspace/workspace.js';
import { ANY, MUTANT, ORIGINAL, SELECTION, SOURCE, mutation, step } from '../proof/build.js';
import { laneNamed } from './builders.js';

const BACK: RestoreOutcome = { kind: 'restored', files: [{ path: SOURCE, sha256: ORIGINAL }] };
const LANDED: readonly AppliedFile[] = [{ path: SOURCE, baseline: ORIGINAL, mutated: MUTANT }];
const KEPT = { path: SOURCE, keptAs: '/kept/routes.py' };

let tree = '';
/** What the slot answers to the raise of the reach run. */
let raised: Result<readonly AppliedFile[], ApplyProblem>;
let asked: string[];

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'cp-measure-')));
  mkdirSync(join(tree, 'src'));
  writeFileSync(join(tree, SOURCE), 'def route():\n    return 1\n');
  raised = ok(LANDED);
  asked = [];
});
afterEach(() => {
  rmSync(tree, { recursive: true });
});

/** A survivor, measured by a slot that answers as a test says. */
async function survivor(): Promise<{ readonly draft: Draft; readonly stopped: string | null }> {
  const answer = (name: string, params: { readonly label?: string; readonly step?: 'reach' }) => {
    asked.push(name === 'run' ? `run ${params.step ?? ''}` : name);
    switch (name) {
      case 'apply':
        return params.label?.endsWith('(reach)') === true ? raised : ok(LANDED);
      case 'restore':
        return BACK;
      case 'sums':
        return new Map([[SOURCE, MUTANT]]);
      default:
        return { evidence: step(params.step ?? 'mutated'), selection: SELECTION, build: [] };
    }
  };
  const stop = createStopFlag();
  const context = {
    tree,
    root: tree,
    git: null,
    told: null,
    emit: () => undefined,
    guard: { inPlace: () => undefined },
    slot: { call: (name: string, params: object) => Promise.resolve(answer(name, params)) },
    quiet: createQuiet(),
    stop,
  } as unknown as SlotContext;
  const where = { file: 'mutations/a.yaml', line: 1, col: 1 };
  const edit = { kind: 'replace', find: 'return 1', with: 'return 2', count: 1 } as const;
  const spec = mutation({ ...ANY, edits: [{ ...edit, file: SOURCE, within: [], where }] });
  const lane = { ...unmeasured(laneNamed('unit')), baseline: step('baseline') };
  const opened = {
    lane: { ...lane, selection: SELECTION },
    outside: [],
    probes: [],
    ahead: new Map(),
    blocked: null,
    slots: [],
    fewer: null,
  };
  const planned = { spec, pulledIn: false, notApplied: null };
  const draft = createDraft(planned, opened);
  const session = { lane: lane.config, probes: [], mutations: [planned] };
  await measure(context, session, opened, draft);
  return { draft, stopped: stop.reason() };
}

describe('the run that asks who reaches a survivor', () => {
  it('raises after the mutant is back, and is taken back itself', async () => {
    const { draft, stopped } = await survivor();
    expect(asked.join(', ')).toBe('apply, run mutated, sums, restore, apply, run reach, restore');
    expect(draft).toMatchObject({ restore: { kind: 'restored' }, reach: { state: 'unreached' } });
    expect(stopped).toBeNull();
  });

  it('that cannot be put in place tells nothing, and leaves the verdict as it is', async () => {
    raised = err({ path: SOURCE, why: 'no space' });
    const { draft, stopped } = await survivor();
    expect(draft).toMatchObject({
      restore: { kind: 'restored' },
      reach: { state: 'unknown', why: 'the raise could not be put in place' },
    });
    expect(stopped).toBeNull();
  });

  it.each<Exclude<RestoreOutcome, { readonly kind: 'restored' }>>([
    { kind: 'failed', path: SOURCE, why: 'no space', original: '/original' },
    { kind: 'kept', files: [], kept: [KEPT] },
  ])('that could be taken back only in part says so, and ends the run: $kind', async (undone) => {
    raised = err({ path: SOURCE, why: 'no space', undone });
    const { draft, stopped } = await survivor();
    expect(draft.restore).toMatchObject({ kind: undone.kind });
    expect(stopped).toContain(SOURCE);
  });
});
