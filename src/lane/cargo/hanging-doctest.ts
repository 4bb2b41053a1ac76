/** Which doctest it was that did not end: rustdoc says so of none. */
import type { Processes } from './attempt.js';
import { startDocTests, type DocRequest } from './doc-process.js';
import { stableDocNames } from './doc-output.js';
import { parseList } from './list.js';
import { allWords, isSelected, listWords, type TestOptions } from './test-options.js';
import { stdoutOf } from '../words.js';

export interface Hanging {
  /** As `jail::doc src/lib.rs - add`; null: it could be several. */
  readonly test: string | null;
  readonly notes: readonly string[];
}

/**
 * Run one at a time, libtest prints the name of a test before it begins it. So those that had
 * not ended are run once more in that way, and the one that stands there at the end once more
 * by itself, each as long as a test may take.
 *
 * @param stdout what rustdoc printed before its time was up
 * @param ended names, as rustdoc has them, of those with a verdict
 */
export async function findHanging(
  request: DocRequest,
  processes: Processes,
  { stdout, ended }: { readonly stdout: string; readonly ended: ReadonlySet<string> },
): Promise<Hanging> {
  const { doc, options, limits } = request;
  const listed = await namesOf(request, processes);
  const stable = stableDocNames(listed);
  const shown = (name: string): string => `${doc.id} ${stable.get(name) ?? name}`;
  const open = listed.filter((name) => isSelected(name, options) && !ended.has(name));
  const timeMs = Math.min(limits.stepMs, limits.testMs * open.length);
  const first =
    begunIn(stdout) ?? (open.length > 1 ? await runningAt(request, processes, open, timeMs) : null);
  const again = first === null ? null : await runningAt(request, processes, [first], limits.testMs);
  const found = open.length === 1 ? (open[0] ?? null) : first === again ? first : null;
  if (found !== null) return { test: shown(found), notes: [] };
  const notes = [
    open.length === 0
      ? `it cannot be told which doctest of ${doc.id} hung`
      : `one of these hung, or all of them were slow: ${open.map(shown).join(', ')}`,
  ];
  return { test: null, notes };
}

/** Empty: they could not be listed. */
async function namesOf(request: DocRequest, processes: Processes): Promise<readonly string[]> {
  const { options, limits } = request;
  const listing = { ...request, remainingMs: () => limits.stepMs };
  const end = await startDocTests(listing, processes, listWords(options));
  const listed = parseList(stdoutOf(end));
  return end.kind === 'exited' && end.code === 0 && listed.ok
    ? listed.value.map(({ name }) => name)
    : [];
}

/** The test that had begun when the time was up; null: they all ended. */
async function runningAt(
  request: DocRequest,
  processes: Processes,
  names: readonly string[],
  timeMs: number,
): Promise<string | null> {
  const { options } = request;
  const end = await startDocTests({ ...request, remainingMs: () => timeMs }, processes, [
    ...allWords({ ...options, threads: 1, words: wordsFor(names, options) }),
  ]);
  return end.kind === 'timeout' ? begunIn(stdoutOf(end)) : null;
}

function begunIn(stdout: string): string | null {
  const last = stdout.split('\n').at(-1) ?? '';
  return /^test (?<name>.+ \(line \d+\))(?: - .+?)? \.\.\. $/.exec(last)?.groups?.['name'] ?? null;
}

/** `12)` stands in no more names than it must, and has no space; a lane's own filter is kept. */
const wordsFor = (names: readonly string[], { words }: TestOptions): readonly string[] =>
  words.length > 0 ? words : names.map((name) => name.split(' ').at(-1) ?? name);

/**
 * What makes rustdoc leave one doctest out, and no other.
 *
 * @param skip its stable name
 * @returns null: no word of its name is its own
 */
export async function wordsWithout(
  skip: string,
  request: DocRequest,
  processes: Processes,
): Promise<readonly string[] | null> {
  const names = await namesOf(request, processes);
  const stable = stableDocNames(names);
  const own = names.find((name) => stable.get(name) === skip);
  const word = own
    ?.split(' ')
    .find((each) => names.every((name) => name === own || !name.includes(each)));
  return word === undefined ? null : [`--skip=${word}`];
}
