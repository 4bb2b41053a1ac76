import { adHocMutation, asSpec } from '../adhoc/mutation.js';
import { planTry, type TryOrder } from '../adhoc/trying.js';
import type { Result } from '../result.js';
import type { RunRecord } from '../record/schema.js';
import type { FileEdit, LaneConfig, MutationSpec } from '../spec/model.js';
import type { ExpectationInput } from '../spec/spec-schema.js';
import { carryOut } from './carry-out.js';
import { CommandError } from './exit.js';
import { printMessage } from './output.js';
import type { OpenedProject } from './project.js';
import { carryOutOptions, provingSettings } from './proving.js';
import { checkSave, saveMutations } from './save.js';
import type { TryArgs } from './try-options.js';

/** @throws CommandError where it is none */
export const meant = <T>(result: Result<T, string>): T => {
  if (!result.ok) throw new CommandError(result.error);
  return result.value;
};

/** The mutation that the options ask for. */
export function mutationOf(
  args: TryArgs,
  {
    id,
    lane,
    edits,
  }: { readonly id: string; readonly lane: LaneConfig; readonly edits: readonly FileEdit[] },
): MutationSpec {
  return adHocMutation({
    id: args.id ?? id,
    lane: lane.name,
    edits,
    flips: args.flips ?? null,
    exact: args.exact,
  });
}

interface Work {
  /** Where the person stands, and where records and specs go. */
  readonly home: OpenedProject;
  /** What is worked on: the same, or a commit that is laid out. */
  readonly project: OpenedProject;
  /** The interpreter that was found for it; undefined: the one that the options name. */
  readonly python: string | null | undefined;
  /** How it was found, where no option names it. */
  readonly from: string | null;
}

export interface Tried {
  readonly exitCode: number;
  /** Tests that noticed, each as a spec expects it. */
  readonly flipped: readonly (string | ExpectationInput)[];
}

/** Measures it and prints the reports. */
export async function measure(
  args: TryArgs,
  { home, project, python, from }: Work,
  order: TryOrder,
): Promise<Tried> {
  const { mutations, lanes, rounds } = await planTry(order);
  const isUsed = new Set(lanes.map(({ name }) => name));
  const options = carryOutOptions(args, home);
  let flipped: Tried['flipped'] = [];
  const exitCode = await carryOut({
    project,
    recordedIn: home,
    command: args.commandLine,
    lanes: [...lanes, ...project.config.lanes.filter(({ name }) => !isUsed.has(name))],
    mutations,
    settings: {
      ...provingSettings(args, project.config.defaults, 'no closing run'),
      tellMoves: true,
    },
    notVerified: [],
    rounds: {
      ...rounds,
      conclude(record, measured) {
        const made = rounds.conclude(record, measured);
        flipped = flippedIn(made);
        return made;
      },
    },
    usedLanes: [order.lane.name],
    interpreterFrom: from,
    options: python === undefined ? options : { ...options, python },
  });
  return { exitCode, flipped };
}

/** Of a mutation that is proven: whatever else went red says nothing that a spec could expect. */
function flippedIn({ proofs }: RunRecord): Tried['flipped'] {
  return proofs
    .filter(({ verdict }) => verdict === 'pinned')
    .flatMap(({ flips }) => flips.expected)
    .map(({ test, to }) => (to === 'failed' ? test : { test, to: [to] }));
}

/** @throws CommandError where it could not be saved in the end */
export async function checkSaved(
  args: TryArgs,
  mutation: MutationSpec,
  project: OpenedProject,
): Promise<void> {
  if (args.save === undefined) return;
  const input = asSpec(mutation, project.config.lanes);
  if (!input.ok) throw new CommandError(`--save: ${input.error}`);
  await checkSave(args.save, input.value, project, args);
}

export async function save(
  args: TryArgs,
  mutation: MutationSpec,
  project: OpenedProject,
  { flipped }: Tried,
): Promise<void> {
  if (args.save === undefined) return;
  const input = asSpec(mutation, project.config.lanes, flipped);
  if (!input.ok) {
    printMessage(`Not saved: ${input.error}\n`);
    return;
  }
  await saveMutations(args.save, [input.value], project, args);
  const later =
    args.place === undefined ? '; it applies to the last commit, once these changes are gone' : '';
  printMessage(`Saved as ${mutation.id} in ${args.save}${later}\n`);
}
