/** How a test executable is started: by the project's own runner, where it has one. */
import type { Launch } from './model.js';

export function commandOf(
  { wrapper, executable }: Launch,
  words: readonly string[],
): readonly [string, ...string[]] {
  const [program, ...rest] = [...wrapper, executable];
  return [program, ...rest, ...words];
}
