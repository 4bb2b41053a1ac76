/** The environment of a test executable: what cargo gave it, and the same conditions in every step. */
import { availableParallelism } from 'node:os';
import { temporaryVariables } from '../temporary-folder.js';

/**
 * libtest's variables are taken out: RUST_TEST_NOCAPTURE alone glues what tests print to what
 * libtest prints. RUST_TEST_THREADS stays, as tests that share a port need it. A backtrace
 * costs 4 ms for each failing test, and is nothing that a verdict rests on.
 */
export function testEnvironment(
  given: Readonly<Record<string, string>>,
  scratch: string,
): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => isOurs(name))),
    RUST_BACKTRACE: '0',
    ...temporaryVariables(scratch),
  };
}

const isOurs = (name: string): boolean =>
  name === THREADS || (!name.startsWith('RUST_TEST_') && name !== 'RUST_LIB_BACKTRACE');

const THREADS = 'RUST_TEST_THREADS';

/**
 * How many tests run at once, said to libtest in so many words: which tests are in flight is
 * told from their order and this number.
 */
export function threadsOf(env: Readonly<Record<string, string>>): number {
  const given = env[THREADS] ?? '';
  return /^[1-9]\d{0,4}$/.test(given) ? Number(given) : availableParallelism();
}
