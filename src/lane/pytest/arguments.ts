/** Which options a step adds, and by which way they travel. */
import type { PytestLane } from '../../spec/model.js';
import { cacheFolder } from './environment.js';

export interface StepCommand {
  readonly command: readonly [string, ...string[]];
  /** Value of PYTEST_ADDOPTS; null: leave it as it is. */
  readonly addopts: string | null;
}

/** Whether test bodies run. */
export type StepMode = 'run' | 'collect';

export interface CommandFacts {
  readonly command: readonly [string, ...string[]];
  /** `wrapper`: a command that starts pytest itself (make, nox, tox). */
  readonly kind: 'pytest' | 'wrapper';
}

/**
 * `--maxfail=0` beats `-x` wherever that stands, and a file that cannot be collected must not
 * keep the others from running. A private cache makes `--lf` and its like harmless, where
 * `-p no:cacheprovider` would turn them into a usage error.
 *
 * The lane's `args` come after its `select`, so that an own `-m` in them is seen as such.
 */
export function stepCommand(
  { command, kind }: CommandFacts,
  lane: Pick<PytestLane, 'select' | 'args' | 'paths'>,
  scratch: string,
  givenAddopts: string | undefined,
  mode: StepMode,
): StepCommand {
  const select = lane.select === null ? [] : ['-m', lane.select];
  const options = [
    ...select,
    ...lane.args,
    '--continue-on-collection-errors',
    '--maxfail=0',
    '-o',
    `cache_dir=${cacheFolder(scratch)}`,
    ...(mode === 'collect' ? ['--collect-only'] : []),
    ...lane.paths,
  ];
  if (kind === 'pytest') return { command: [...command, ...options], addopts: null };
  const given = givenAddopts === undefined || givenAddopts.trim() === '' ? [] : [givenAddopts];
  return { command, addopts: [...given, ...options.map(quoteForShlex)].join(' ') };
}

/** Quotes one word for Python's `shlex.split`, with which pytest reads PYTEST_ADDOPTS. */
export function quoteForShlex(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** The command as a person would type it to run the same tests. */
export function shownCommand(
  facts: CommandFacts,
  lane: Pick<PytestLane, 'select' | 'args' | 'paths'>,
): readonly string[] {
  if (facts.kind === 'wrapper') return facts.command;
  const select = lane.select === null ? [] : ['-m', lane.select];
  return [...facts.command, ...select, ...lane.args, ...lane.paths];
}
