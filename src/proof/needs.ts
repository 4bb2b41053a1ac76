/** Which runs a verdict needs. The engine asks so that it runs them; the judgement, so that none is left out. */
import type { Company, StepEvidence } from './evidence.js';
import { endedBy, isControlByRule } from './facts.js';
import type { Facts, LaneFacts } from './facts.js';
import { viewStep } from './moves.js';
import { isAsBaseline } from './stability.js';
import type { Gap, RunName } from './verdict.js';

/** A second run of a mutated lane. */
export interface SecondRun {
  readonly lane: string;
  /**
   * `by-effect`: nothing but a repeated effect can show that the mutant ran. Otherwise a move
   * that the verdict rests on may come from others (in `beside-others` they are to be halted), or
   * `by-itself`: a counter, a clock or a service that comes and goes fails a test under a mutant
   * that it never meets, and lets it pass on the restored tree.
   */
  readonly why: 'by-effect' | 'by-itself' | Company;
  /** The whole lane, or the tests that decide: what a verdict rests on is confirmed, nothing else. */
  readonly scope: 'lane' | readonly string[];
}

/** Which mutated lanes must be run a second time, whether or not they have been. */
export function secondRunsNeeded(facts: Facts): readonly SecondRun[] {
  const { own, outside, telling, loading } = facts;
  const runs: SecondRun[] = [];
  if (own?.mutatedStep?.ending.kind === 'complete') {
    const lane = own.steps.lane.name;
    if (loading.kind === 'unseen' && telling.length > 0)
      runs.push({ lane, why: 'by-effect', scope: 'lane' });
    else runs.push(...confirmation(own, decidingTests(own, facts)));
  }
  for (const { facts: lane } of outside) {
    if (lane?.mutatedStep?.ending.kind === 'complete')
      runs.push(...confirmation(lane, movedMembers(lane)));
  }
  return runs;
}

function confirmation({ steps }: LaneFacts, deciding: readonly string[]): readonly SecondRun[] {
  const { lane, company } = steps;
  if (deciding.length === 0) return [];
  return [{ lane: lane.name, why: company ?? 'by-itself', scope: deciding }];
}

/** A test that ends the run would take the others along, so it is confirmed alone. */
function decidingTests(own: LaneFacts, facts: Facts): readonly string[] {
  const { ender, telling, expected, evidence } = facts;
  if (ender !== null) return [ender.id];
  const all = isControlByRule(evidence) ? own.moves : [];
  const named = own.moves.filter(({ test }) => expected.has(test));
  const tests = [...telling, ...named, ...all].map(({ test }) => test);
  return [...new Set([...tests, ...movedMembers(own)])];
}

const movedMembers = ({ controls, ignored }: LaneFacts): readonly string[] => [
  ...new Set(
    controls
      .flatMap(({ moved: moves }) => moves.map(({ test }) => test))
      .filter((test) => !ignored.has(test)),
  ),
];

/**
 * Whether a second run of few tests tells one of them otherwise than the first did. That may be
 * for want of the tests before it, so it is no answer before those ran with it.
 */
function narrowRunDiffers(lane: LaneFacts): boolean {
  const { mutated: first, mutatedAgain: again } = lane.steps;
  if (first === null || again === null) return false;
  if (again.scope === 'lane' || again.scope.length === scopeSize(first)) return false;
  return tellsOtherwise(lane, again, again.scope);
}

function tellsOtherwise(
  { baseline, mutated }: LaneFacts,
  step: StepEvidence,
  tests: readonly string[],
): boolean {
  const view = viewStep(baseline, step);
  const end = endedBy(step.ending);
  return tests.some((test) => {
    const now = end?.test === test ? end.outcome : view.resultOf(test)?.outcome;
    return now === undefined || now !== mutated?.resultOf(test)?.outcome;
  });
}

/**
 * Which run with all tests of the first is still to come; null: none. One that tells what the
 * first did is not enough: so does a test that fails in every second run, which the narrow run
 * between the two has just shown to pass.
 */
export function repeatNeeded(lane: LaneFacts): 'mutatedOnceMore' | 'mutatedLast' | null {
  const { mutatedAgain: narrow, mutatedOnceMore, mutatedLast } = lane.steps;
  if (narrow === null || narrow.scope === 'lane' || !narrowRunDiffers(lane)) return null;
  if (mutatedOnceMore === null) return 'mutatedOnceMore';
  if (mutatedLast !== null || tellsOtherwise(lane, mutatedOnceMore, narrow.scope)) return null;
  return 'mutatedLast';
}

const scopeSize = ({ scope }: StepEvidence): number | null =>
  scope === 'lane' ? null : scope.length;

/**
 * Ids that a restored run of this lane must cover: what moved, and the declared controls. A test
 * that only the mutant has cannot be selected on the restored tree.
 */
export function restoredIds(lane: LaneFacts): ReadonlySet<string> {
  const known = moved(lane).filter((id) => lane.before.resultOf(id) !== null);
  return new Set([...known, ...lane.controls.flatMap(({ members }) => members)]);
}

/** Tests that moved under the mutant in any of its runs, and the one that ended it. */
export function moved({ mutated, steps, baseline, before }: LaneFacts): readonly string[] {
  const further = [steps.mutatedAgain, steps.mutatedOnceMore, steps.mutatedLast]
    .filter((step) => step !== null)
    .flatMap((step) => viewStep(baseline, step).moves);
  const moves = [...(mutated?.moves ?? []), ...further].map(({ test }) => test);
  const end = steps.mutated === null ? null : endedBy(steps.mutated.ending);
  const ended = end !== null && before.resultOf(end.test) !== null ? [end.test] : [];
  return [...new Set([...moves, ...ended])];
}

interface Missing {
  readonly run: RunName;
  readonly gap: Gap;
}

/** The first run, or outcome, without which this proof cannot be judged. */
export function missingRun(facts: Facts): Missing | null {
  const { evidence, own, outside } = facts;
  const lane = evidence.lane.name;
  const interrupted = evidence.interrupted ? ': the run was interrupted' : '';
  const suffix = evidence.slotDied ? ': the process that runs the lane died of it' : interrupted;
  const notRun = (run: RunName, what: string): Missing => ({
    run,
    gap: { kind: 'not-run', why: `${what} was not run${suffix}` },
  });
  if (own === null) return notRun({ lane, step: 'baseline' }, 'the baseline');
  if (own.mutated === null) return notRun({ lane, step: 'mutated' }, 'the mutated lane');
  const names = new Set([lane, ...outside.map(({ steps }) => steps.lane.name)]);
  const unknown = evidence.mutation.controls.find((control) => !names.has(control.lane ?? lane));
  if (unknown !== undefined) {
    return notRun({ lane: unknown.lane ?? lane, step: 'mutated' }, 'the lane of a control');
  }
  const unasked = outside.find((each) => each.facts?.mutated === null || each.facts === null);
  if (unasked !== undefined) {
    return notRun({ lane: unasked.steps.lane.name, step: 'mutated' }, 'the lane of a control');
  }
  const lanes = [own, ...outside.map((each) => each.facts)].filter((each) => each !== null);
  for (const second of secondRunsNeeded(facts)) {
    const run = { lane: second.lane, step: 'mutated' } as const;
    const steps = lanes.find((each) => each.steps.lane.name === second.lane)?.steps;
    // A flip without proof that was not repeated is no evidence for another reason.
    if (second.why === 'by-effect' || steps?.mutatedAgain !== null) continue;
    const alone = second.why === 'beside-others' ? ', without other slots,' : '';
    return notRun(run, `the second mutated run${alone}`);
  }
  for (const each of lanes) {
    if (repeatNeeded(each) !== null)
      return notRun(
        { lane: each.steps.lane.name, step: 'mutated' },
        'the repeat of the second mutated run',
      );
    const missing = withoutOutcome(each, facts) ?? restoredMissing(each, notRun);
    if (missing !== null) return missing;
  }
  const { closing } = evidence;
  if (closing !== null && closing.again === null && !isAsBaseline(evidence, closing.first)) {
    return notRun({ lane, step: 'closing' }, 'the repeat of the closing run');
  }
  if (!evidence.cutShort) return null;
  const why = 'nothing moved in these tests, and the run ended before the others were asked';
  return { run: { lane, step: 'mutated' }, gap: { kind: 'not-run', why } };
}

function withoutOutcome(lane: LaneFacts, { own, ender }: Facts): Missing | null {
  const members = new Set(lane.controls.flatMap((control) => control.members));
  const tests = [...(lane.mutated?.notRun ?? [])].filter(
    (test) => test !== ender?.id && !lane.ignored.has(test) && (lane === own || members.has(test)),
  );
  if (tests.length === 0) return null;
  return {
    run: { lane: lane.steps.lane.name, step: 'mutated' },
    gap: { kind: 'no-outcome', tests },
  };
}

function restoredMissing(
  lane: LaneFacts,
  notRun: (run: RunName, what: string) => Missing,
): Missing | null {
  const run = { lane: lane.steps.lane.name, step: 'restored' } as const;
  const wanted = [...restoredIds(lane)].filter((id) => !lane.ignored.has(id));
  if (wanted.length === 0 && lane.restoring.kind === 'not-run') return null;
  if (lane.restoring.kind === 'not-run') return notRun(run, 'the restored lane');
  if (lane.restoring.kind === 'to-repeat') return notRun(run, 'the repeat of the restored lane');
  const tests = wanted.filter((id) => lane.restored?.resultOf(id) === null);
  return tests.length === 0 ? null : { run, gap: { kind: 'no-outcome', tests } };
}
