import yargs from 'yargs';
import { refuseOtherBytes } from './argument-bytes.js';
import { CommandError, EXIT } from './exit.js';
import { printMessage, printResult } from './output.js';
import type { Command } from './parsed.js';
import { type KnownOptions, usageText, UsageError } from './usage.js';
import { version } from './version.js';

/**
 * Loaded only when asked for: all of them together take three times as long to load as one,
 * and `--version` needs none.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.js')).runCommand,
  try: async () => (await import('./try.js')).tryCommand,
  prove: async () => (await import('./prove.js')).proveCommand,
  check: async () => (await import('./check.js')).checkCommand,
  lane: async () => (await import('./lane.js')).laneCommand,
  recover: async () => (await import('./recover.js')).recoverCommand,
  doctor: async () => (await import('./doctor.js')).doctorCommand,
  init: async () => (await import('./init.js')).initCommand,
  schema: async () => (await import('./schema.js')).schemaCommand,
};

/**
 * Parses the command line, calls one command, prints what it cannot do, and says how it ended.
 *
 * @param args without node and the script
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--version') {
    printResult(`${version}\n`);
    return EXIT.proven;
  }
  let exitCode: number = EXIT.proven;
  const finish = (code: number): void => {
    exitCode = code;
  };
  let known: KnownOptions = { options: [], elsewhere: {} };
  try {
    refuseOtherBytes(args);
    let parser = basicParser();
    const commands = await commandsFor(args);
    known = {
      options: [...new Set(commands.flatMap(({ options }) => options))],
      elsewhere: commands.length === 1 ? (commands[0]?.elsewhere ?? {}) : {},
    };
    for (const one of commands) parser = one.register(parser, ['counterproof', ...args], finish);
    await parser.parseAsync([...args], {}, (_error, _parsed, output) => {
      if (output !== '') printResult(`${output}\n`);
    });
    return exitCode;
  } catch (error) {
    if (error instanceof UsageError) {
      const named = args[0] !== undefined && Object.hasOwn(COMMANDS, args[0]) ? ` ${args[0]}` : '';
      const said = usageText(error.message, args, known);
      printMessage(`${said}\n\`counterproof${named} --help\` says more.\n`);
      return error.exitCode;
    }
    if (error instanceof CommandError) {
      printMessage(`${error.message}\n`);
      return error.exitCode;
    }
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    printMessage(
      `Internal error of counterproof ${version}. \`counterproof recover\` sees to the tree.\n${what}\n`,
    );
    return EXIT.internal;
  }
}

/** The one command that is named; all of them for help and for what is misspelt. */
async function commandsFor(args: readonly string[]): Promise<readonly Command[]> {
  const named = Object.keys(COMMANDS).find((name) => args[0] === name);
  const wanted = named === undefined ? Object.values(COMMANDS) : [COMMANDS[named]];
  return Promise.all(wanted.flatMap((load) => (load === undefined ? [] : [load()])));
}

function basicParser(): ReturnType<typeof yargs> {
  return (
    yargs()
      .scriptName('counterproof')
      .usage(
        '$0 COMMAND\n\nProves that a test pins a change: which tests notice, which do not move.',
      )
      .version(version)
      .help()
      .alias('help', 'h')
      // Messages are quoted by scripts and reviews; they do not follow the locale.
      .locale('en')
      .parserConfiguration({
        'populate--': true,
        'parse-numbers': false,
        'parse-positional-numbers': false,
        'camel-case-expansion': false,
        'greedy-arrays': false,
      })
      .strict()
      .demandCommand(1, 'Which command?')
      .recommendCommands()
      .wrap(Math.min(process.stdout.columns || 80, 100))
      .exitProcess(false)
      .fail((message, error) => {
        // yargs throws its own kind of error for some usage errors, and answers with text for others.
        if (error !== undefined && error.name !== 'YError') throw error;
        throw new UsageError(message === '' ? error.message : message);
      })
  );
}
