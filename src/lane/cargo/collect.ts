/** The tests of a lane before any of them runs: each executable's list, filtered as cargo would. */
import type { Breakage, Selection } from '../../proof/evidence.js';
import { err, ok, type Result } from '../../result.js';
import type { ProcessEnd } from '../process.js';
import type { Processes } from './attempt.js';
import { parseList, type ListedTest } from './list.js';
import { commandOf } from './launching.js';
import type { Launch, TestBinary } from './model.js';
import { testEnvironment } from './test-environment.js';
import { isSelected, type TestOptions } from './test-options.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from '../words.js';

export interface ListRequest {
  readonly binary: TestBinary;
  readonly launch: Launch;
  readonly scratch: string;
  readonly timeMs: number;
  readonly signal: AbortSignal;
  readonly onProcess: (command: readonly string[], end: ProcessEnd) => void;
}

/** A list of 100,000 tests with long names; it is read whole or not at all. */
const LIST_BYTES = 64 * 1024 * 1024;

/** Asks the executable itself. It starts, so its static constructors run, but no test does. */
export async function listTests(
  request: ListRequest,
  { runProcess, createNonce }: Processes,
  which: 'all' | 'ignored' = 'all',
): Promise<Result<readonly ListedTest[], Breakage | 'cancelled'>> {
  const { binary, launch, scratch, timeMs, signal } = request;
  const options = which === 'ignored' ? ['--list', '--ignored'] : ['--list'];
  const command = commandOf(launch, options);
  const end = await runProcess({
    command,
    cwd: launch.cwd,
    env: testEnvironment(launch.env, scratch),
    stdin: null,
    limits: { timeMs: Math.max(1, timeMs), memoryBytes: null, outputBytes: LIST_BYTES },
    nonce: createNonce(),
    signal,
  });
  if (end.kind === 'cancelled') return err('cancelled');
  const refuse = (why: string): Result<never, Breakage> => {
    request.onProcess(command, end);
    const message = `${binary.id} does not list its tests: ${why}`;
    return err({ stage: 'collect', file: null, line: null, message });
  };
  if (end.kind !== 'exited' || end.code !== 0) {
    const words = lastWords(stderrOf(end));
    return refuse(`${howEnded(end)}${words === null ? '' : `: ${words}`}`);
  }
  const listed = parseList(stdoutOf(end));
  return listed.ok ? ok(listed.value) : refuse(listed.error.why);
}

/** One executable, or one package's doctests, with what it holds. */
export interface ListedGroup {
  readonly id: string;
  /** In the order in which they run. */
  readonly tests: readonly ListedTest[];
}

export interface GroupSelection extends ListedGroup {
  /** Names of tests that cargo's filter leaves. Those that are `#[ignore]`d are among them. */
  readonly selected: readonly string[];
}

export function selectTests(group: ListedGroup, options: TestOptions): GroupSelection {
  const names = group.tests.flatMap(({ name, kind }) => (kind === 'test' ? [name] : []));
  return { ...group, selected: names.filter((name) => isSelected(name, options)) };
}

export const testId = (group: string, name: string): string => `${group} ${name}`;

/** Counts per executable; its id stands where another runner has a file. */
export function selectionOf(groups: readonly GroupSelection[]): Selection {
  const files = groups.map(({ id, tests, selected }) => ({
    file: id,
    collected: tests.filter(({ kind }) => kind === 'test').length,
    selected: selected.length,
  }));
  return {
    collected: files.reduce((sum, { collected }) => sum + collected, 0),
    selected: files.reduce((sum, { selected }) => sum + selected, 0),
    deselected: groups.flatMap(({ id, tests, selected }) => {
      const kept = new Set(selected);
      return tests.flatMap(({ name, kind }) =>
        kind === 'test' && !kept.has(name) ? [testId(id, name)] : [],
      );
    }),
    files,
    idPrefix: '',
    idForm: 'binary',
  };
}
