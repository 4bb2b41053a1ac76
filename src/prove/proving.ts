/** Carries a proof from a range to its answer: says what to measure, reads it, and concludes. */
import { endingIn, proveExitCode } from '../proof/exit-code.js';
import { isOwnNameNote } from '../proof/own-name.js';
import type { ProveRecord, RunRecord } from '../record/schema.js';
import type { MutationSpec } from '../spec/model.js';
import type { Surroundings } from './absence.js';
import { answerOf, vacuousOf } from './answer.js';
import { breaksOf } from './breaks.js';
import { readFinding, type Finding, type Measurement } from './finding.js';
import { isCodeName, isTestFolder } from './classify.js';
import { UNRUN_DOCTEST } from './doctests.js';
import { pathOf, type Change } from './fix.js';
import { keptOf, type KeepInput, type Kept } from './keep.js';
import { needsOf } from './needed-by.js';
import { mutationOf, takeName, type TakePlan } from './plan.js';
import type { Range } from './range.js';
import { search, type Search, type State } from './search.js';
import { takeKey, type Take } from './take-model.js';
import type { ReadSource } from './rust-places.js';
import type { IsTestLine } from './inner-tests.js';
import { testAnswers, type Shown } from './test-answers.js';
import type { FixTest } from './tests-of.js';

export interface ProvingInput extends TakePlan {
  readonly range: Range;
  /** What lies on disk, in words. */
  readonly tested: string;
  readonly tests: readonly FixTest[];
  readonly classOf: Surroundings['classOf'];
  readonly isTestLine: IsTestLine;
  /** Names of two trees that are compared whole; null: a range, taken back part by part. */
  readonly arms: readonly [string, string] | null;
  readonly allowUnheld: boolean;
  /** Content of the tree's files as they lie. */
  readonly read: ReadSource;
}

export interface Proving {
  /** What to measure next, given all that was measured; empty: nothing more. */
  readonly next: (measured: readonly Measurement[]) => readonly MutationSpec[];
  /** The record with its answer and its exit code. */
  readonly conclude: (record: RunRecord, measured: readonly Measurement[]) => RunRecord;
  /** What is held, to be kept in a spec; to be asked after `conclude`. */
  readonly kept: (options: Pick<KeepInput, 'lane' | 'taken'>) => Kept;
}

export function createProving(input: ProvingInput): Proving {
  const { changes } = input;
  const source = changes.filter((change) => change.class === 'source' && change.obstacle === null);
  const support = changes.filter(
    (change) => change.class === 'support' && change.obstacle === null,
  );
  const around: Surroundings = {
    changes: changes.filter((change) => change.class === 'source'),
    root: input.root,
    classOf: input.classOf,
    isTestLine: (path, line) => {
      const file = changes
        .flatMap(({ parts }) => parts)
        .find((part) => part.file.path === path)?.file;
      return file?.now != null && input.isTestLine(path, file.now, line);
    },
  };
  const needs = needsOf(source);
  let last: State | null = null;
  /** Every take that was asked for, by the name of its mutation. */
  const takes = new Map<string, Take>();

  const look = (
    measured: readonly Measurement[],
  ): Search & { readonly shown: readonly Shown[] } => {
    const shown = measured.flatMap((measurement): readonly Shown[] => {
      const proof = measurement.evidence.mutation.id;
      const take = takes.get(proof);
      if (take === undefined) return [];
      const taken = changes.filter(({ id }) => take.changes.includes(id));
      return [{ proof, measurement, finding: readFinding(measurement, taken, around) }];
    });
    const findings = new Map<string, Finding>();
    for (const { proof, finding } of shown) {
      const take = takes.get(proof);
      if (take !== undefined) findings.set(takeKey(take), finding);
    }
    const found = search({
      source,
      support,
      hasNear: input.lanes.near !== null,
      needs,
      wholeOnly: input.arms !== null,
      find: (take) => findings.get(takeKey(take)) ?? null,
    });
    return { ...found, shown };
  };

  return {
    next(measured) {
      // What was asked for and not measured, since a lane could not be run, is not asked again.
      const fresh = look(measured).wanted.filter((take) => !takes.has(takeName(take, input)));
      return fresh.map((take) => {
        takes.set(takeName(take, input), take);
        return mutationOf(take, input);
      });
    },

    conclude(record, measured) {
      const { state, shown } = look(measured);
      last = state;
      const proofOf = (take: Take): string | null => {
        const name = takeName(take, input);
        return shown.some(({ proof }) => proof === name) ? name : null;
      };
      const whole = state.whole === null ? null : proofOf(state.whole.take);
      const tests = testAnswers({
        tests: input.tests,
        root: input.root,
        whole: shown.find(({ proof }) => proof === whole) ?? null,
        parts: shown.filter(({ proof }) => proof !== whole && proof !== 'support'),
        read: input.read,
        isPartial: changes.some((change) => change.class === 'source' && change.obstacle !== null),
      });
      const prove = answerOf({
        range: input.range,
        arms: input.arms,
        tested: input.tested,
        changes,
        state,
        tests,
        red: new Set(
          record.lanes.flatMap(({ preExisting }) => preExisting.map(({ test }) => test)),
        ),
        breaks: breaksOf(shown),
        proofOf,
        stopped: record.stopped,
      });
      return {
        ...record,
        // Its old lines are no slip: what they name is told apart by its own finding.
        proofs: record.proofs.map((proof) => ({
          ...proof,
          facts: proof.facts.filter((fact) => !isOwnNameNote(fact)),
        })),
        prove,
        exitCode: proveExitCode({
          signal: endingIn(record.exitCode),
          proofs: record.proofs,
          overall: prove.overall,
          vacuous: vacuousOf(prove.tests).length,
          allowUnheld: input.allowUnheld,
        }),
        notVerified: [
          ...gapsOf(changes),
          ...record.notVerified.filter(isAsked(record, prove)).map(redWithIt),
        ],
      };
    },

    kept: (options) =>
      last === null
        ? { mutations: [], hunks: new Map(), problems: [] }
        : keptOf({ ...options, changes, state: last, range: input.range, root: input.root }),
  };
}

/** The edit of a take is the taking back: what was red before it is red with the change in place. */
const redWithIt = (gap: string): string =>
  gap.replace(/(\b\d+ tests?) red before: /, '$1 red with the change in place: ');

/** What a measurement did not show counts only where the answer rests on it. */
function isAsked(record: RunRecord, prove: ProveRecord): (gap: string) => boolean {
  const used = new Set([
    prove.whole?.proof,
    prove.support,
    ...prove.files.map(({ proof }) => proof),
    ...prove.changes.map(({ proof }) => proof),
  ]);
  const unused = record.proofs.map(({ id }) => id).filter((id) => !used.has(id));
  // The nearest tests are some of the whole lane's: what shows that those can fail shows it of these.
  const isAlive = record.lanes.some(({ alive }) => alive !== null);
  return (gap) =>
    !unused.some((id) => gap.startsWith(`${id}: `)) &&
    !(isAlive && /^(?:lane [^:]+: )?a liveness control: /.test(gap));
}

/** Changes that stay whatever is taken back: what tests make of them is not known. */
export function gapsOf(changes: readonly Change[]): readonly string[] {
  const code = changes.filter(isUnmeasuredCode);
  const rest = changes.filter(
    (change) =>
      change.class === 'other' &&
      !code.includes(change) &&
      !/^(documentation|comments|doctest|lock file)/.test(change.why),
  );
  const named = [...code, ...rest.slice(0, 3)].map((change) => `${pathOf(change)} (${change.why})`);
  const more = rest.length > 3 ? ` and ${rest.length - 3} more` : '';
  const doctests = changes.filter(({ why }) => why === UNRUN_DOCTEST).map(pathOf);
  return [
    ...(named.length === 0 ? [] : [`changes that are not taken back: ${named.join(', ')}${more}`]),
    ...(doctests.length === 0
      ? []
      : [
          `changed doctests, as the lane has no \`doc\` among its \`targets\`: ${[...new Set(doctests)].join(', ')}`,
        ]),
  ];
}

/** Code that its place or name alone takes out of the measurement. */
function isUnmeasuredCode(change: Change): boolean {
  const path = pathOf(change);
  if (change.class === 'other') return isCodeName(path) && !/^(comments|doctest)/.test(change.why);
  const isInTests = path.split('/').slice(0, -1).some(isTestFolder);
  return change.class === 'test' && change.why.startsWith('named like ') && !isInTests;
}
