import type { Argv, InferredOptionTypes, Options } from 'yargs';
import { CommandError } from './exit.js';
import { mayBeEmpty } from './options.js';

type OptionTable = Record<string, Options>;

/** A command's options after parsing, by the names that people write. */
export type Parsed<O extends OptionTable> = InferredOptionTypes<O> & {
  /** The whole command line, `counterproof` first. */
  readonly commandLine: readonly string[];
  /** What stood behind `--`. */
  readonly rest: readonly string[];
};

/** One command: what it is called, what it takes, and what it does. */
export interface Command {
  /** Names of its options, without dashes. */
  readonly options: readonly string[];
  /** Options of other commands that mean nothing to it, each with what to do instead. */
  readonly elsewhere: Readonly<Record<string, string>>;
  readonly register: (
    parser: Argv,
    commandLine: readonly string[],
    finish: (exitCode: number) => void,
  ) => Argv;
}

export interface CommandSpec<P extends OptionTable, O extends OptionTable> {
  /** Name and positionals as yargs reads them: `run [spec..]`. */
  readonly usage: string;
  readonly describe: string;
  readonly positionals: P;
  readonly options: O;
  readonly examples?: readonly (readonly [string, string])[];
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly epilogue?: string;
  /** @returns the exit code; throws `CommandError` for what the user can mend */
  readonly run: (args: Parsed<P & O>) => Promise<number>;
}

export function command<P extends OptionTable, O extends OptionTable>(
  spec: CommandSpec<P, O>,
): Command {
  return {
    options: Object.keys(spec.options),
    elsewhere: spec.elsewhere ?? {},
    register: (parser, commandLine, finish) =>
      parser.command(
        spec.usage,
        spec.describe,
        (builder) => {
          for (const [name, option] of Object.entries(spec.positionals))
            builder.positional(name, { ...option, type: 'string' });
          builder.options(spec.options);
          for (const [line, what] of spec.examples ?? []) builder.example(line, what);
          if (spec.epilogue !== undefined) builder.epilogue(spec.epilogue);
          return builder;
        },
        async (args) => {
          const rest = (args['--'] ?? []) as readonly string[];
          refuseValues(spec.options, commandLine);
          // yargs has checked the names and kinds that the tables declare.
          const parsed = {
            ...args,
            ...singleValues(spec.options, args),
            commandLine,
            rest,
          } as unknown as Parsed<P & O>;
          finish(await spec.run(parsed));
        },
      ),
  };
}

/**
 * The values of options that take one: yargs makes a list of an option that is given twice, and
 * `false` of one with `no-` before it. Of two switches the last one counts, as aliases in shells
 * need it; of two values neither can be meant to be dropped.
 *
 * @throws CommandError for a value that the option does not take
 */
function singleValues(
  options: OptionTable,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const single: Record<string, unknown> = {};
  for (const [name, { type, array, nargs = 1 }] of Object.entries(options)) {
    const value = args[name];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (type === 'boolean') {
      single[name] = values.at(-1);
      continue;
    }
    if (values.includes(false)) throw new CommandError(`There is no option --no-${name}.`);
    if (values.includes('') && !mayBeEmpty(name))
      throw new CommandError(`--${name}: its value is empty`);
    if (array === true || nargs > 1) continue;
    if (values.length > 1)
      throw new CommandError(`--${name} was given ${values.length} times; it takes one value.`);
  }
  return single;
}

/**
 * A switch that is given a value: yargs takes every word but `true` for a no, so that
 * `--color=always` would switch colours off.
 *
 * @throws CommandError for such a word
 */
function refuseValues(options: OptionTable, commandLine: readonly string[]): void {
  const end = commandLine.indexOf('--');
  for (const word of end < 0 ? commandLine : commandLine.slice(0, end)) {
    const { name = '', value = '' } = /^--(?<name>[^=]+)=(?<value>.*)$/s.exec(word)?.groups ?? {};
    if (options[name]?.type !== 'boolean' || ['true', 'false'].includes(value)) continue;
    throw new CommandError(`${word}: --${name} takes no value; its opposite is --no-${name}.`);
  }
}
