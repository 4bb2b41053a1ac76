/**
 * What rustdoc prints of a package's doctests. There is no other channel: rustdoc runs one or
 * two libtests in turn, and a log file would be overwritten by the second. Its text is safe
 * where it counts: each doctest is a process of its own, whose output rustdoc shows only in the
 * section of a failed one, after all verdicts.
 */

export interface DocVerdict {
  /** With its line: `src/lib.rs - add (line 3)`. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly reason: string | null;
}

export interface DocOutput {
  readonly verdicts: readonly DocVerdict[];
  /** Why these are not all; null: each run announced itself, gave as many verdicts, and ended. */
  readonly gap: string | null;
}

const RUNNING = /^running (?<count>\d+) tests?$/;
const VERDICT =
  /^test (?<name>.+ \(line \d+\))(?: - .+?)? \.\.\. (?<word>ok|FAILED|ignored)(?:, (?<reason>.*))?$/;
const RESULT = /^test result: (?:ok|FAILED)\. \d+ passed; /;
const OUTCOMES = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' } as const;

export function readDocOutput(stdout: string): DocOutput {
  const verdicts: DocVerdict[] = [];
  let runs = 0;
  let open: { announced: number; seen: number; failures: boolean } | null = null;
  const gaps: string[] = [];
  const close = (how: 'counted' | 'cut off'): void => {
    if (open === null) return;
    const { announced, seen } = open;
    if (seen !== announced) gaps.push(`${String(seen)} of ${String(announced)} doctests ended`);
    else if (how === 'cut off') gaps.push('rustdoc ended before it counted its doctests');
    open = null;
  };
  for (const line of stdout.split(/\r?\n/)) {
    const announced = RUNNING.exec(line)?.groups?.['count'];
    if (open === null) {
      if (announced === undefined) continue;
      runs += 1;
      open = { announced: Number(announced), seen: 0, failures: false };
    } else if (RESULT.test(line)) {
      close('counted');
    } else if (line === 'failures:') {
      open.failures = true;
    } else if (!open.failures) {
      const found = VERDICT.exec(line)?.groups;
      if (found === undefined) continue;
      open.seen += 1;
      verdicts.push({
        name: found['name'] ?? '',
        outcome: OUTCOMES[wordOf(found['word'])],
        reason: found['reason'] ?? null,
      });
    }
  }
  close('cut off');
  if (runs === 0) gaps.push('rustdoc ran no doctests');
  const names = verdicts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) gaps.push(`${twice} has two verdicts`);
  return { verdicts, gap: gaps[0] ?? null };
}

const wordOf = (word: string | undefined): keyof typeof OUTCOMES =>
  word === 'ok' || word === 'ignored' ? word : 'FAILED';

const PLACED = /^(?<item>.*?)(?: -)? \(line (?<line>\d+)\)$/;

/** `src/lib.rs` and 3 of `src/lib.rs - add (line 3)`. */
export function docPlace(name: string): { readonly file: string; readonly line: number } | null {
  const found = PLACED.exec(name)?.groups;
  if (found === undefined) return null;
  return { file: (found['item'] ?? '').split(' - ')[0] ?? '', line: Number(found['line']) };
}

/**
 * Names that stay when a line is put in above them: the line is dropped, and the second of an
 * item becomes `src/lib.rs - add #2`. In the order of files and lines; rustdoc's own order is
 * that of strings, and that of the ends.
 */
export function stableDocNames(names: readonly string[]): ReadonlyMap<string, string> {
  const placed = names.map((name) => {
    const found = PLACED.exec(name)?.groups;
    const item = found?.['item'] ?? name;
    return { name, item, file: item.split(' - ')[0] ?? '', line: Number(found?.['line'] ?? 0) };
  });
  const stable = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const { name, item } of placed.toSorted(inSource)) {
    const times = (seen.get(item) ?? 0) + 1;
    seen.set(item, times);
    stable.set(name, times === 1 ? item : `${item} #${String(times)}`);
  }
  return stable;
}

interface Placed {
  readonly file: string;
  readonly line: number;
}

function inSource(a: Placed, b: Placed): number {
  if (a.file === b.file) return a.line - b.line;
  return a.file < b.file ? -1 : 1;
}
