/** Which tests an executable holds, as it lists them itself. */
import { err, ok, type Result } from '../../result.js';

export interface ListedTest {
  /** libtest's own path of it: `tests::stops_at_the_end`, `tests::r#match`. */
  readonly name: string;
  /** Benchmarks run once under `cargo test`, but are no tests. */
  readonly kind: 'test' | 'benchmark';
}

const ENTRY = /^(?<name>.+): (?<kind>test|benchmark)$/;
const TOTAL = /^(?<tests>\d+) tests?, (?<benchmarks>\d+) benchmarks?$/;

/**
 * Reads what `--list` printed, in the order in which the tests will be started. The last line
 * counts them: it tells a whole list from one that was cut, or that something else wrote into.
 * rustdoc prints one such list for each of its kinds of tests.
 */
export function parseList(text: string): Result<readonly ListedTest[], { readonly why: string }> {
  const listed: ListedTest[] = [];
  const counted = { test: 0, benchmark: 0 };
  let totals = 0;
  for (const line of text.split(/\r?\n/)) {
    const entry = ENTRY.exec(line)?.groups;
    const total = TOTAL.exec(line)?.groups;
    if (total !== undefined) {
      totals += 1;
      counted.test += Number(total['tests']);
      counted.benchmark += Number(total['benchmarks']);
    } else if (entry !== undefined) {
      const kind = entry['kind'] === 'benchmark' ? 'benchmark' : 'test';
      listed.push({ name: entry['name'] ?? '', kind });
    }
  }
  if (totals === 0) return err({ why: 'it printed no list of tests' });
  for (const kind of ['test', 'benchmark'] as const) {
    const here = listed.filter((one) => one.kind === kind).length;
    if (here !== counted[kind]) {
      return err({
        why: `it counts ${String(counted[kind])} ${kind}s, but lists ${String(here)}`,
      });
    }
  }
  return ok(listed);
}
