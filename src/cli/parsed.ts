import type { Argv, InferredOptionTypes, Options } from 'yargs';

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
  readonly epilogue?: string;
  /** @returns the exit code; throws `CommandError` for what the user can mend */
  readonly run: (args: Parsed<P & O>) => Promise<number>;
}

export function command<P extends OptionTable, O extends OptionTable>(
  spec: CommandSpec<P, O>,
): Command {
  return {
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
          // yargs has checked the names and kinds that the tables declare.
          const parsed = { ...args, commandLine, rest } as unknown as Parsed<P & O>;
          finish(await spec.run(parsed));
        },
      ),
  };
}
