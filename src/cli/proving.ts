import type { EngineSettings } from '../engine/context.js';
import { VERDICTS, type VerdictCode } from '../proof/verdict.js';
import { didYouMean } from '../spec/distance.js';
import type { Defaults } from '../spec/model.js';
import { parseDuration } from '../spec/units.js';
import { CommandError } from './exit.js';
import type { everywhere, proving } from './options.js';
import type { Parsed } from './parsed.js';
import { interpreterOption, type OpenedProject } from './project.js';
import { reportRequests, type CarryOutOptions } from './carry-out.js';

/** Some of them are not options of every command. */
type Args = Parsed<typeof everywhere & typeof proving> & {
  readonly budget?: string | undefined;
  readonly allow?: string | undefined;
  readonly 'fail-fast'?: boolean;
  readonly 'keep-going'?: boolean;
};

/** @throws CommandError for an option whose value cannot be used */
export function provingSettings(
  args: Args,
  defaults: Defaults,
  closing: 'closing run' | 'no closing run',
): EngineSettings {
  return {
    verify: args.verify ?? defaults.verify,
    closing: closing === 'closing run',
    baselineRuns: wholeNumber('--baseline-runs', args['baseline-runs'], 1),
    tellMoves: false,
    failFast: args['fail-fast'] === true && args['keep-going'] !== true,
    budget: budgetOf(args.budget),
  };
}

export function carryOutOptions(
  args: Args,
  project: Pick<OpenedProject, 'cwd' | 'config'>,
): CarryOutOptions {
  const isolation = args.isolation ?? project.config.defaults.isolation;
  return {
    isolation,
    jobs: jobsOf(args.jobs, isolation),
    color: args.color,
    quiet: args.quiet,
    verbose: args.verbose,
    progress: args.progress,
    json: args.json,
    reports: reportRequests(args.report ?? []),
    out: args.out,
    python: interpreterOption(args.python, project),
    allow: allowed(args.allow),
  };
}

function budgetOf(written: string | undefined): EngineSettings['budget'] {
  if (written === undefined) return null;
  const ms = parseDuration(written);
  if (ms === null)
    throw new CommandError(`--budget ${written}: write a duration, such as 90s, 30m or 2h`);
  return { text: written, ms };
}

function jobsOf(written: string, isolation: CarryOutOptions['isolation']): number | 'auto' {
  const jobs = written === 'auto' ? 'auto' : wholeNumber('--jobs', written, 1);
  if (isolation === 'in-place' && jobs !== 'auto' && jobs > 1) {
    throw new CommandError(
      `In place there is one slot: --jobs ${jobs} cannot be had.\nLeave the option out, or write --jobs 1.`,
    );
  }
  return jobs;
}

function allowed(option: string | undefined): readonly VerdictCode[] {
  return (option ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => {
      const verdict = VERDICTS.find((known) => known === word);
      if (verdict !== undefined && verdict !== 'not-restored') return verdict;
      const hint =
        verdict === 'not-restored'
          ? 'a tree that did not come back is never allowed'
          : (didYouMean(word, VERDICTS) ?? `verdicts are ${VERDICTS.join(', ')}`);
      throw new CommandError(`--allow ${word}: ${hint}`);
    });
}

/** @throws CommandError unless `text` is a whole number of at least `least` */
export function wholeNumber(option: string, text: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new CommandError(`${option} ${text}: write a whole number of at least ${least}`);
}
