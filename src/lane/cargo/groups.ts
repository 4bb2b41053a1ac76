/** The lists of all executables of a lane, each asked once for its bytes. */
import type { Breakage } from '../../proof/evidence.js';
import { ok, type Result } from '../../result.js';
import { listTests, selectTests, type GroupSelection } from './collect.js';
import { listDocTests } from './doctests.js';
import type { ListedTest } from './list.js';
import type { TestBinary } from './model.js';
import { commonOf, docRequest, launchOf, type Step } from './step.js';

export interface BinaryGroup extends GroupSelection {
  readonly binary: TestBinary;
}

export interface Groups {
  readonly binaries: readonly BinaryGroup[];
  /** Executables that could not list their tests. */
  readonly errors: readonly Breakage[];
}

/** Lists remembered: those of the baseline, and of the mutants of the moment. */
const MOST_LISTS = 64;

export async function listBinaries(step: Step): Promise<Groups | 'cancelled'> {
  const binaries: BinaryGroup[] = [];
  const errors: Breakage[] = [];
  for (const binary of step.request.binaries) {
    const listed = await listOf(step, binary);
    if (listed.ok) {
      const isProbe = step.request.unfiltered?.has(binary.id) === true;
      const options = isProbe ? { ...step.options, words: [], skip: [] } : step.options;
      const group = selectTests({ id: binary.id, tests: listed.value }, options);
      binaries.push({ ...group, binary });
    } else if (listed.error === 'cancelled') {
      return 'cancelled';
    } else {
      errors.push(listed.error);
    }
  }
  return { binaries, errors };
}

async function listOf(
  step: Step,
  binary: TestBinary,
): Promise<Result<readonly ListedTest[], Breakage | 'cancelled'>> {
  // The whole target is one test, named after it.
  if (!binary.harness) return ok([{ name: binary.name, kind: 'test' }]);
  const { lists } = step;
  const known = lists.get(binary.sha256);
  if (known !== undefined) return ok(known);
  const which = step.options.ignored === 'only' ? 'ignored' : 'all';
  const listed = await listTests(listRequest(step, binary), step.processes, which);
  if (listed.ok) {
    const [oldest] = lists.keys();
    if (lists.size >= MOST_LISTS && oldest !== undefined) lists.delete(oldest);
    lists.set(binary.sha256, listed.value);
  }
  return listed;
}

/** Names of the executable's tests that are `#[ignore]`d; empty where it does not say. */
export async function listIgnored(step: Step, binary: TestBinary): Promise<readonly string[]> {
  if (!binary.harness) return [];
  const listed = await listTests(listRequest(step, binary), step.processes, 'ignored');
  return listed.ok ? listed.value.map(({ name }) => name) : [];
}

const listRequest = (step: Step, binary: TestBinary) => ({
  ...commonOf(step),
  timeMs: step.remainingMs(),
  binary,
  launch: launchOf(step, binary),
});

export interface DocGroups {
  readonly groups: readonly GroupSelection[];
  readonly errors: readonly Breakage[];
}

export async function listDocs(step: Step): Promise<DocGroups | 'cancelled'> {
  const groups: GroupSelection[] = [];
  const errors: Breakage[] = [];
  for (const doc of step.request.doctests) {
    const listed = await listDocTests(docRequest(step, doc), step.processes);
    if (listed.ok) groups.push(listed.value);
    else if (listed.error === 'cancelled') return 'cancelled';
    else errors.push(listed.error);
  }
  return { groups, errors };
}
