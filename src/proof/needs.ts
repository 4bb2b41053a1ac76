/** Which runs a verdict needs. The engine asks so that it runs them; the judgement, so that none is left out. */
import { endedBy } from './facts.js';
import type { Facts, LaneFacts } from './facts.js';
import { isAsBaseline } from './stability.js';
import type { Gap, RunName } from './verdict.js';

/**
 * Why the mutated lane must be run a second time. `by-effect`: nothing but a repeated effect can
 * show that the mutant ran. `beside-others`: another slot may have moved a deciding test.
 */
export type SecondRun = 'by-effect' | 'beside-others';

export function secondRunNeeded(facts: Facts): SecondRun | null {
  const { own, evidence, telling, loading } = facts;
  if (own?.mutatedStep?.ending.kind !== 'complete' || telling.length === 0) {
    return controlMovedBesideOthers(facts) ? 'beside-others' : null;
  }
  if (loading.kind === 'unseen') return 'by-effect';
  const soleKiller = evidence.besideOthers && telling.length === 1;
  return soleKiller || controlMovedBesideOthers(facts) ? 'beside-others' : null;
}

function controlMovedBesideOthers({ own, evidence }: Facts): boolean {
  if (!evidence.besideOthers || own?.mutatedStep?.ending.kind !== 'complete') return false;
  return own.controls.some(({ held }) => held === false);
}

/**
 * Ids that a restored run of this lane must cover: what moved, and the declared controls. A test
 * that only the mutant has cannot be selected on the restored tree.
 */
export function restoredIds(lane: LaneFacts): ReadonlySet<string> {
  const known = moved(lane).filter((id) => lane.before.resultOf(id) !== null);
  return new Set([...known, ...lane.controls.flatMap(({ members }) => members)]);
}

/** Tests that moved under the mutant in any of its runs, and the one that ended it. */
export function moved({ mutated, again, steps, before }: LaneFacts): readonly string[] {
  const moves = [...(mutated?.moves ?? []), ...(again?.moves ?? [])].map(({ test }) => test);
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
  if (evidence.mutatedAgain === null && secondRunNeeded(facts) === 'beside-others') {
    return notRun({ lane, step: 'mutated' }, 'the second mutated run, without other slots,');
  }
  const lanes = [own, ...outside.map((each) => each.facts)].filter((each) => each !== null);
  for (const each of lanes) {
    const missing = withoutOutcome(each, each === own, facts) ?? restoredMissing(each, notRun);
    if (missing !== null) return missing;
  }
  const { closing } = evidence;
  if (closing !== null && closing.again === null && !isAsBaseline(evidence, closing.first)) {
    return notRun({ lane, step: 'closing' }, 'the repeat of the closing run');
  }
  return null;
}

function withoutOutcome(lane: LaneFacts, isOwn: boolean, { ender }: Facts): Missing | null {
  const members = new Set(lane.controls.flatMap((control) => control.members));
  const tests = [...(lane.mutated?.notRun ?? [])].filter(
    (test) => test !== ender?.id && !lane.ignored.has(test) && (isOwn || members.has(test)),
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
