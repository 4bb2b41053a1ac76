/** Verdicts about runs that did not end, broke, or did not say everything. */
import type { Breakage, Ending, StepEvidence } from '../evidence.js';
import { countingRepeats, endedBy } from '../facts.js';
import type { Facts } from '../facts.js';
import { resultsById } from '../step.js';
import type { RunName, Verdict } from '../verdict.js';
import { missingRun } from '../needs.js';
import { unreachable } from '../../result.js';
import { flaky, notLoaded } from './trust.js';

/** null: the run is complete. */
export function endingVerdict(run: RunName, ending: Ending): Verdict | null {
  switch (ending.kind) {
    case 'complete':
      return null;
    case 'broken':
      return { code: 'broken', run, causes: ending.causes, tests: [] };
    case 'timeout': {
      const { limit, limitMs, test } = ending;
      return { code: 'timeout', run, limit, limitMs, test };
    }
    case 'out-of-memory': {
      const { limitBytes, test } = ending;
      return { code: 'out-of-memory', run, limitBytes, test };
    }
    case 'empty': {
      if (run.step !== 'baseline')
        return { code: 'incomplete', run, gap: { kind: 'ending', ending } };
      const { deselected, why } = ending;
      const problem = { kind: 'lane-empty', deselected, why } as const;
      return { code: 'not-selected', lane: run.lane, problems: [problem] };
    }
    case 'crashed':
    case 'incomplete':
    case 'no-channel':
    case 'cancelled':
      return { code: 'incomplete', run, gap: { kind: 'ending', ending } };
    default:
      return unreachable(ending);
  }
}

interface Run {
  readonly name: RunName;
  readonly step: StepEvidence;
  readonly baseline: StepEvidence;
  /** It ended by the test that was expected to end it, and the rest is known from another run. */
  readonly graded: boolean;
}

/** Every run after the baseline that the verdict rests on, in order. */
function runsOf({ evidence, own, outside, ender }: Facts): readonly Run[] {
  const lanes = [own, ...outside.map(({ facts }) => facts)].filter((lane) => lane !== null);
  return lanes.flatMap((lane) => {
    const { steps, baseline } = lane;
    const mutant = [steps.mutated, ...countingRepeats(steps)];
    const rest = lane === own ? [evidence.withoutEnder] : [];
    const { closing } = evidence;
    const last = lane === own && closing !== null ? [closing.again ?? closing.first] : [];
    return [...mutant, ...rest, lane.restoredStep, ...last]
      .filter((step) => step !== null)
      .map((step): Run => {
        const end = endedBy(step.ending);
        const graded =
          lane === own &&
          mutant.includes(step) &&
          end !== null &&
          end.test === ender?.id &&
          end.outcome === ender.outcome;
        return { name: { lane: steps.lane.name, step: step.step }, step, baseline, graded };
      });
  });
}

function endings(facts: Facts): readonly Verdict[] {
  return runsOf(facts)
    .filter(({ graded }) => !graded)
    .map(({ name, step }) => endingVerdict(name, step.ending))
    .filter((verdict) => verdict !== null);
}

/**
 * A mutant that does not compile, import or collect is no finding about the tests, wherever it
 * surfaces: before a run, in its collection, or in a test that imports late.
 */
export function broken(facts: Facts): Verdict | null {
  const { evidence } = facts;
  const lane = evidence.lane.name;
  if (evidence.compile.length > 0) {
    const run = { lane, step: 'mutated' } as const;
    return { code: 'broken', run, causes: evidence.compile, tests: [] };
  }
  for (const { step, causes } of evidence.build) {
    if (causes.length > 0) return { code: 'broken', run: { lane, step }, causes, tests: [] };
  }
  const ended = endings(facts).find(({ code }) => code === 'broken');
  if (ended !== undefined) return ended;
  for (const { name, step, baseline } of runsOf(facts)) {
    const known = new Set(baseline.collectionErrors.map(keyOf));
    const causes = step.collectionErrors.filter((error) => !known.has(keyOf(error)));
    const tests = newlyBroken(step, baseline);
    if (causes.length + tests.length > 0) return { code: 'broken', run: name, causes, tests };
  }
  return null;
}

/** By files: the message of one failure may hold addresses and times. */
const keyOf = ({ file, collecting, message }: Breakage): string =>
  `${collecting ?? ''}\0${file ?? `: ${message}`}`;

function newlyBroken(
  step: StepEvidence,
  baseline: StepEvidence,
): readonly { test: string; why: string }[] {
  const before = resultsById(baseline.results);
  return step.results.flatMap(({ id, broken: why }) =>
    why === null || typeof before.get(id)?.broken === 'string' ? [] : [{ test: id, why }],
  );
}

export const timedOut = (facts: Facts): Verdict | null =>
  endings(facts).find(({ code }) => code === 'timeout') ?? null;

export const outOfMemory = (facts: Facts): Verdict | null =>
  endings(facts).find(({ code }) => code === 'out-of-memory') ?? null;

/** A run that is missing, did not end, or has no outcome for a test that the verdict rests on. */
export function incomplete(facts: Facts): Verdict | null {
  const ended = endings(facts).find(({ code }) => code === 'incomplete');
  if (ended !== undefined) return ended;
  // The baseline alone can show that the rest need not be run.
  const stopped = facts.own !== null && facts.own.mutated === null;
  if (stopped && (notLoaded(facts) ?? flaky(facts)) !== null) return null;
  const missing = missingRun(facts);
  return missing === null ? null : { code: 'incomplete', ...missing };
}
