/** From the tests that are wanted to the arguments by which libtest runs them and no others. */

/** Linux takes 2 MiB of arguments and environment together, macOS 1 MiB. */
const MOST_BYTES = 128 * 1024;

export interface TestArguments {
  readonly words: readonly string[];
  /** What will run, in the order of the list; more than was wanted where the names are too many. */
  readonly runs: readonly string[];
}

/**
 * Names are matched whole (`--exact`): as a filter, `delta` also means `delta_max` and every
 * test of a module `delta`.
 *
 * @param listed All that the executable holds, in its order.
 * @param wanted Some of these, at least one.
 * @param forbidden These must not run, even where more runs than is wanted.
 */
export function testArguments(
  listed: readonly string[],
  wanted: ReadonlySet<string>,
  forbidden: ReadonlySet<string>,
): TestArguments {
  const chosen = listed.filter((name) => wanted.has(name) && !forbidden.has(name));
  if (chosen.length === listed.length) return { words: [], runs: listed };
  const others = listed.filter((name) => !wanted.has(name) || forbidden.has(name));
  const [byName, bySkip] = [size(chosen), size(others)];
  if (byName <= bySkip && byName <= MOST_BYTES) {
    return { words: ['--exact', ...chosen], runs: chosen };
  }
  if (bySkip <= MOST_BYTES) return { words: skipping(others), runs: chosen };
  const left = listed.filter((name) => !forbidden.has(name));
  return left.length === listed.length
    ? { words: [], runs: listed }
    : { words: skipping(listed.filter((name) => forbidden.has(name))), runs: left };
}

const skipping = (names: readonly string[]): readonly string[] => [
  '--exact',
  ...names.flatMap((name) => ['--skip', name]),
];

const size = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Buffer.byteLength(name) + '--skip'.length + 2, 0);
