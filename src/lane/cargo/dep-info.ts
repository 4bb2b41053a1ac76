/** The `.d` files that rustc writes beside what it compiles: which files went into it. */

/**
 * Lines are `OUTPUT: INPUT INPUT …`, and `INPUT:` alone for each input; spaces in names are
 * escaped by a backslash. Lines that begin with `#` name variables and checksums.
 *
 * @returns names after the colons, each once, as rustc was given them: absolute, or relative to
 *   the folder that cargo started it in
 */
export function readDepInfo(text: string): readonly string[] {
  const inputs = new Set<string>();
  for (const line of text.split('\n'))
    if (!line.startsWith('#')) for (const name of namesAfterColon(line)) inputs.add(name);
  return [...inputs];
}

/** A colon ends the outputs where a space or nothing follows it: `C:\x.rs` holds one too. */
function namesAfterColon(line: string): readonly string[] {
  const colon = /:(?= |$)/.exec(line);
  if (colon === null) return [];
  return line
    .slice(colon.index + 1)
    .split(/(?<!\\) /)
    .filter((name) => name !== '')
    .map((name) => name.replaceAll('\\ ', ' '));
}
