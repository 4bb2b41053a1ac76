import { didYouMean } from '../spec/distance.js';
import { CommandError } from './exit.js';

/** What yargs has to say about a command line; worded anew by `usageText`. */
export class UsageError extends CommandError {
  override readonly name: string = 'UsageError';
}

/**
 * yargs' message in our words: an unknown option is named as it was written, beside the nearest
 * one that there is.
 *
 * @param args the command line, without node and the script
 * @param known names of the options that the command takes, without dashes
 */
export function usageText(
  message: string,
  args: readonly string[],
  known: readonly string[],
): string {
  const unknown = /^Unknown arguments?: (?<names>.+)$/s.exec(message)?.groups?.['names'];
  if (unknown !== undefined)
    return unknown
      .split(', ')
      .map((name) => unknownText(name, args, known))
      .join('\n');
  const missing = /^Not enough arguments following: (?<name>.+)$/s.exec(message)?.groups?.['name'];
  if (missing !== undefined) return missingText(dashed(missing), args);
  const given = /^Invalid values:.*Given: "(?<word>.*)", Choices: (?<choices>.+)$/s.exec(message);
  const choices = given?.groups?.['choices']?.split(', ').map((word) => word.slice(1, -1));
  const hint = didYouMean(given?.groups?.['word'] ?? '', choices ?? []);
  return hint === null ? message : `${message}\n${hint}`;
}

/** A word that begins with a dash is an option to yargs, whatever it follows. */
function missingText(option: string, args: readonly string[]): string {
  const text = `${option}: its value is missing`;
  const next = args[args.indexOf(option) + 1];
  return args.includes(option) && next?.startsWith('-') === true
    ? `${text}; one that begins with a dash is written ${option}=${next}`
    : text;
}

function unknownText(name: string, args: readonly string[], known: readonly string[]): string {
  const written = args.find(
    (arg) => arg.startsWith('-') && arg.replace(/^-+/, '').startsWith(name),
  );
  if (written === undefined) return `${name}: this command takes no such argument`;
  const hint = didYouMean(
    dashed(name),
    known.map((option) => dashed(option)),
  );
  return `There is no option ${dashed(name)}.${hint === null ? '' : ` ${hint}`}`;
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
