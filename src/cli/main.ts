import yargs from 'yargs';
import { CommandError, EXIT } from './exit.js';
import { printMessage, printResult } from './output.js';
import type { Command } from './parsed.js';
import { runCommand } from './run.js';
import { tryCommand } from './try.js';
import { version } from './version.js';

const COMMANDS: readonly Command[] = [runCommand, tryCommand];

/**
 * Parses the command line, calls one command, prints what it cannot do, and says how it ended.
 *
 * @param args without node and the script
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.fine;
  const parser = COMMANDS.reduce(
    (made, one) =>
      one.register(made, ['counterproof', ...args], (code) => {
        exitCode = code;
      }),
    basicParser(),
  );
  try {
    await parser.parseAsync([...args], {}, (_error, _parsed, output) => {
      if (output !== '') printResult(`${output}\n`);
    });
    return exitCode;
  } catch (error) {
    if (error instanceof CommandError) {
      printMessage(`${error.message}\n`);
      return error.exitCode;
    }
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    printMessage(
      `Internal error of counterproof ${version}. Your tree: see \`counterproof recover\`.\n${what}\n`,
    );
    return EXIT.internal;
  }
}

function basicParser(): ReturnType<typeof yargs> {
  const parser = yargs()
    .scriptName('counterproof')
    .usage('$0 COMMAND\n\nProves that a test pins a change: which tests notice, which do not move.')
    .version(version)
    .help()
    .alias('help', 'h')
    // Messages are part of what scripts and reviews quote; they do not follow the locale.
    .locale('en')
    .parserConfiguration({
      'populate--': true,
      'duplicate-arguments-array': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'camel-case-expansion': false,
      'greedy-arrays': false,
    })
    .strict()
    .demandCommand(1, 'Which command? `counterproof --help` lists them.')
    .recommendCommands()
    .wrap(Math.min(process.stdout.columns || 80, 100))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new CommandError(`${message}\n\`counterproof --help\` says more.`);
    });
  return parser;
}
