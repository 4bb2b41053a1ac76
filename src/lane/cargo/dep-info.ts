/** The `.d` files that rustc writes beside what it compiles: which files went into it. */

export interface DepInfo {
  /** As rustc was given them: absolute, or relative to the folder that cargo started it in. */
  readonly inputs: readonly string[];
  /** Variables that `env!` and `option_env!` read while it was compiled; null: not set. */
  readonly env: ReadonlyMap<string, string | null>;
}

const ENV = '# env-dep:';

/**
 * Lines are `OUTPUT: INPUT INPUT …`, and `INPUT:` alone for each input; spaces in names are
 * escaped by a backslash. The names after the colon are taken, of all outputs together.
 */
export function readDepInfo(text: string): DepInfo {
  const inputs = new Set<string>();
  const env = new Map<string, string | null>();
  for (const line of text.split('\n')) {
    if (line.startsWith(ENV)) {
      const [name = '', ...value] = line.slice(ENV.length).split('=');
      env.set(unescaped(name), value.length === 0 ? null : unescaped(value.join('=')));
    } else if (!line.startsWith('#')) {
      for (const name of namesAfterColon(line)) inputs.add(name);
    }
  }
  return { inputs: [...inputs], env };
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

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
