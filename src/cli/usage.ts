import { didYouMean } from '../spec/distance.js';
import { CommandError } from './exit.js';

/** What yargs has to say about a command line; worded anew by `usageText`. */
export class UsageError extends CommandError {
  override readonly name: string = 'UsageError';
}

export interface KnownOptions {
  /** Names of the options that the command takes, without dashes. */
  readonly options: readonly string[];
  /** Options of other commands that mean nothing to it, each with what to do instead. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/**
 * yargs' message in our words: an unknown option is named as it was written, beside the nearest
 * one that there is.
 *
 * @param args the command line, without node and the script
 */
export function usageText(message: string, args: readonly string[], known: KnownOptions): string {
  const unknown = /^Unknown arguments?: (?<names>.+)$/s.exec(message)?.groups?.['names'];
  if (unknown !== undefined)
    return unknown
      .split(', ')
      .map((name) => unknownText(name, args, known))
      .join('\n');
  const missing = /^Not enough arguments following: (?<name>.+)$/s.exec(message)?.groups?.['name'];
  if (missing !== undefined) return `${dashed(missing)}: its value is missing`;
  return message;
}

function unknownText(
  name: string,
  args: readonly string[],
  { options, elsewhere }: KnownOptions,
): string {
  const written = args.find(
    (arg) => arg.startsWith('-') && arg.replace(/^-+/, '').startsWith(name),
  );
  if (written === undefined) return `${name}: this command takes no such argument`;
  const instead = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  if (instead !== undefined) return `${args[0]} takes no ${dashed(name)}: ${instead}`;
  const hint = didYouMean(
    dashed(name),
    options.map((option) => dashed(option)),
  );
  return `There is no option ${dashed(name)}.${hint === null ? '' : ` ${hint}`}`;
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
