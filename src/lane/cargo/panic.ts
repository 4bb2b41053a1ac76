/** What a failing test said, cut to one line and one place. It explains a verdict and is never one. */

export interface Panic {
  /** Of several lines: a reader needs `left` and `right`. null: it said nothing. */
  readonly message: string | null;
  /** As the compiler wrote it; null: not said. */
  readonly at: { readonly file: string; readonly line: number } | null;
}

/** `thread 'NAME' (1234) panicked at FILE:LINE:COLUMN:`, the number since Rust 1.91. */
const PANIC = /^thread '(?<thread>.*)'(?: \(\d+\))? panicked at (?<file>.+):(?<line>\d+):\d+:$/;
/** Until Rust 1.72: `thread 'NAME' panicked at 'MESSAGE', FILE:LINE:COLUMN`. */
const OLD_PANIC =
  /^thread '(?<thread>.*)' panicked at '(?<message>.*)', (?<file>.+):(?<line>\d+):\d+$/s;
const NOTE = /^note: run with `RUST_BACKTRACE=/;
/** A `should_panic` that did not, or otherwise than it should. */
const UNMET = /^note: (?<message>test did not panic as expected) at (?<file>.+):(?<line>\d+):\d+$/;

/**
 * @param captured What the test printed, from its own section of the output.
 * @param test Its name, which is that of its thread: a panic in this thread is the one that failed it.
 */
export function panicOf(captured: string, test: string): Panic {
  const lines = captured.split(/\r?\n/);
  const panics = findPanics(lines);
  const own = panics.findLast(({ thread }) => thread === test) ?? panics.at(-1);
  const unmet = lines.map((line) => UNMET.exec(line)?.groups).findLast((found) => found);
  if (unmet !== undefined) {
    return {
      message: unmet['message'] ?? null,
      at: { file: unmet['file'] ?? '', line: Number(unmet['line']) },
    };
  }
  if (own !== undefined) return { message: shortened(own.text), at: own.at };
  const error = lines.findLast((line) => line.startsWith('Error: '));
  const last = lines.findLast((line) => line.trim() !== '' && !NOTE.test(line));
  return { message: error ?? last ?? null, at: null };
}

interface Found {
  readonly thread: string;
  readonly text: readonly string[];
  readonly at: NonNullable<Panic['at']>;
}

function findPanics(lines: readonly string[]): readonly Found[] {
  return lines.flatMap((line, index): readonly Found[] => {
    const groups = PANIC.exec(line)?.groups ?? OLD_PANIC.exec(line)?.groups;
    if (groups === undefined) return [];
    const at = { file: groups['file'] ?? '', line: Number(groups['line']) };
    const thread = groups['thread'] ?? '';
    const message = groups['message'];
    if (message !== undefined) return [{ thread, text: [message], at }];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((each) => NOTE.test(each) || PANIC.test(each));
    return [{ thread, text: end === -1 ? rest : rest.slice(0, end), at }];
  });
}

/** The first line, and what the assertions of the standard library compared. */
function shortened(text: readonly string[]): string | null {
  const first = text.find((line) => line.trim() !== '');
  if (first === undefined) return null;
  const side = (name: string): string | undefined =>
    text.find((line) => line.trimStart().startsWith(`${name}: `))?.trim();
  const [left, right] = [side('left'), side('right')];
  // The text of a long condition comes as the compiler lays it out.
  if (first.startsWith('assertion failed: '))
    return text
      .map((line) => line.trim())
      .join(' ')
      .trim();
  const compared = first.startsWith('assertion ') && left !== undefined && right !== undefined;
  return compared ? `${first} (${left}, ${right})` : first;
}
