/** What a lane asks of libtest: its filter, and what it gives after `--`. */
import { err, ok, type Result } from '../../result.js';

export interface TestOptions {
  /** A test is selected if one of them is in its name; none: every test is. */
  readonly words: readonly string[];
  /** A test with one of them in its name is not. */
  readonly skip: readonly string[];
  /** How many tests run at once; null: as RUST_TEST_THREADS says, or as many as there are cores. */
  readonly threads: number | null;
  /** Whether tests with `#[ignore]` are run: not, with the others, or they alone. */
  readonly ignored: 'left' | 'also' | 'only';
  /** Given, and without effect here. */
  readonly dropped: readonly string[];
}

/** They change what is printed, and verdicts come by another way. `--shuffle` would change who runs beside whom. */
const WITHOUT_EFFECT = new Set([
  '--nocapture',
  '--no-capture',
  '--show-output',
  '--quiet',
  '-q',
  '--test',
  '--shuffle',
]);

/**
 * @param select Cargo's own filter; words apart by white space are alternatives, as rustdoc takes them.
 * @param given What stands after `--` in the lane's arguments.
 * @returns the argument that cannot be had here.
 */
export function readTestOptions(
  select: string | null,
  given: readonly string[],
): Result<TestOptions, string> {
  const words = (select ?? '').split(/\s+/).filter((word) => word !== '');
  const skip: string[] = [];
  const dropped: string[] = [];
  let threads: number | null = null;
  let ignored: TestOptions['ignored'] = 'left';
  for (let at = 0; at < given.length; at += 1) {
    const whole = given[at] ?? '';
    const equals = whole.startsWith('--') ? whole.indexOf('=') : -1;
    const name = equals === -1 ? whole : whole.slice(0, equals);
    const value = (): string => {
      if (equals !== -1) return whole.slice(equals + 1);
      at += 1;
      return given[at] ?? '';
    };
    if (name === '--skip') {
      const part = value();
      if (part === '') return err(whole);
      skip.push(part);
    } else if (name === '--test-threads') {
      const count = value();
      if (!/^[1-9]\d{0,4}$/.test(count)) return err(`${name} ${count}`.trim());
      threads = Number(count);
    } else if (name === '--ignored') ignored = 'only';
    else if (name === '--include-ignored') ignored = 'also';
    else if (name === '--color') dropped.push(`${name} ${value()}`);
    else if (WITHOUT_EFFECT.has(whole)) dropped.push(whole);
    else if (whole.startsWith('-')) return err(whole);
    else words.push(whole);
  }
  return ok({ words, skip, threads, ignored, dropped });
}

/** libtest's own rule. */
export const isSelected = (
  name: string,
  { words, skip }: Pick<TestOptions, 'words' | 'skip'>,
): boolean =>
  (words.length === 0 || words.some((word) => name.includes(word))) &&
  !skip.some((part) => name.includes(part));

const IGNORED = { left: [], also: ['--include-ignored'], only: ['--ignored'] } as const;

/** Beside the names of the tests that are wanted. */
export const ignoredWords = ({ ignored }: TestOptions): readonly string[] => IGNORED[ignored];

/** For rustdoc, which is asked for all that is selected at once. */
export const allWords = (options: TestOptions): readonly string[] => [
  ...options.words,
  ...options.skip.map((part) => `--skip=${part}`),
  ...ignoredWords(options),
  ...(options.threads === null ? [] : [`--test-threads=${String(options.threads)}`]),
];

/** All that rustdoc has, whatever a filter says. */
export const listWords = ({ ignored }: TestOptions): readonly string[] => [
  '--list',
  ...(ignored === 'only' ? ['--ignored'] : []),
];
