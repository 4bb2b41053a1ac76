/**
 * libtest's `--logfile`: one line for each test, written when it ended, in a file that no test
 * prints to. It is the only channel of a stable toolchain that a test's own output cannot forge.
 */

export interface LogVerdict {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What libtest adds of its own: why it is ignored, why a `should_panic` failed. May have several lines. */
  readonly reason: string | null;
}

export interface LogReader {
  /** Takes more of the file; gives the tests that ended with it. */
  readonly push: (text: string) => readonly LogVerdict[];
}

const HEAD = /^(?<word>ok|failed|ignored)(?:: (?<reason>.*))? (?<name>\S+)$/s;
const OUTCOMES: Readonly<Record<string, LogVerdict['outcome']>> = {
  ok: 'passed',
  failed: 'failed',
  ignored: 'skipped',
};

/**
 * A reason may hold line breaks (`failed: panic did not contain expected string⏎ … NAME`), so an
 * entry ends where a line ends in the name of a listed test, and not before. Names have no spaces.
 *
 * @param names All that the executable lists.
 */
export function readLogfile(names: ReadonlySet<string>): LogReader {
  let rest = '';
  let entry = '';
  const take = (line: string): LogVerdict | null => {
    entry = entry === '' ? line : `${entry}\n${line}`;
    const groups = HEAD.exec(entry)?.groups;
    const name = groups?.['name'] ?? '';
    if (groups !== undefined && names.has(name)) {
      entry = '';
      const outcome = OUTCOMES[groups['word'] ?? ''] ?? 'failed';
      return { name, outcome, reason: groups['reason'] ?? null };
    }
    // Only a reason may go on in the next line.
    if (!/^(?:failed|ignored): /.test(entry)) entry = '';
    return null;
  };
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      // A test that starts its own executable with our arguments empties the file, and the next
      // line of ours then stands behind a hole of NULs.
      return lines
        .map((line) => take(line.replace(/^\0+/, '')))
        .filter((verdict) => verdict !== null);
    },
  };
}
