/** Load proof: from what the recorder saw to what may be claimed. */
import path from 'node:path';
import type { LoadEvidence } from '../../proof/evidence.js';
import type { LoadTarget } from '../lane.js';
import type { EventOf, PytestEvent } from './events.js';
import type { TestProcesses } from './sessions.js';

export interface LoadFacts {
  /** In the order of the plan: an event names a target by its place in it. */
  readonly targets: readonly LoadTarget[];
  readonly events: readonly PytestEvent[];
  readonly processes: TestProcesses;
  /** Absolute path of the tree. */
  readonly tree: string;
  /** `.pyc` files that were executed and are older than the step: nobody in it wrote them. */
  readonly stale: ReadonlySet<string>;
}

type Load = EventOf<'load'>;

/**
 * `compiled` for a file means: a test process (or a child of one) executed it as a module,
 * from bytes that it was seen to compile and that have the expected sum. It is taken back by
 * a module of the same dotted name that came from another file, for there the tests may never
 * have met this one, and by a stale `.pyc` that anything of the session ran.
 */
export function foldLoads(facts: LoadFacts): readonly LoadEvidence[] {
  return facts.targets.map((target, index) => evidenceFor(target, index, facts));
}

function evidenceFor(target: LoadTarget, index: number, facts: LoadFacts): LoadEvidence {
  const loads = facts.events.filter(
    (event): event is Load =>
      event.event === 'load' &&
      event.target === index &&
      // Python that belongs to a wrapper or a build proves nothing about the tests.
      (facts.processes.has(event.who) || event.in !== null),
  );
  const elsewhere = otherFiles(target, index, facts);
  const stale = loads.some((load) => load.pyc !== null && facts.stale.has(load.pyc));
  const isTest = (event: PytestEvent): boolean => facts.processes.has(event.who);
  const proven = loads.filter(
    (load) =>
      target.sha256 !== null &&
      load.sha === target.sha256 &&
      isModuleRun(load, index, loads, facts),
  );
  const there = elsewhere.inTests ?? (proven.some(isTest) ? null : elsewhere.inChildren);
  const proof = proven.find(isTest) ?? proven[0];
  if (proof !== undefined && !stale && there === null) {
    const by = facts.processes.get(proof.who) ?? 'child process';
    return { path: target.path, proof: 'compiled', sha256: proof.sha, elsewhere: null, by };
  }
  const seen = loads.findLast((load) => load.sha !== null);
  return {
    path: target.path,
    proof: stale || loads.some((load) => load.how === 'cached') ? 'cached' : 'none',
    sha256: seen?.sha ?? null,
    elsewhere: there,
    by: null,
  };
}

/**
 * Code that a test `exec`s itself counts only where `sys.modules` has the file in the end
 * (a loader of the project's own), and nothing imported it from a cache.
 */
function isModuleRun(
  load: Load,
  index: number,
  loads: readonly Load[],
  { events }: LoadFacts,
): boolean {
  if (load.via !== 'exec') return true;
  const cached = loads.some((other) => other.who === load.who && other.how === 'cached');
  const held = events.some(
    (event) =>
      (event.event === 'finish' || event.event === 'modules') &&
      event.who === load.who &&
      event.modules[index]?.held === true,
  );
  return held && !cached;
}

function otherFiles(
  target: LoadTarget,
  index: number,
  { events, processes, tree }: LoadFacts,
): { readonly inTests: string | null; readonly inChildren: string | null } {
  let inTests: string | null = null;
  let inChildren: string | null = null;
  for (const event of events) {
    const file = otherFileIn(event, target, index, tree);
    if (file === null) continue;
    if (processes.has(event.who)) inTests ??= file;
    else if (event.in !== null) inChildren ??= file;
  }
  return { inTests, inChildren };
}

function otherFileIn(
  event: PytestEvent,
  target: LoadTarget,
  index: number,
  tree: string,
): string | null {
  if (event.event === 'elsewhere') return event.target === index ? event.file : null;
  if (event.event !== 'finish' && event.event !== 'modules') return null;
  const others = event.modules[index]?.others ?? [];
  return (
    others.find((other) => !other.weak || isAnotherCopy(other.file, target, tree))?.file ?? null
  );
}

/**
 * A name that only fits the path (`utils` for `scripts/utils.py`) may be another file's by
 * right. A file of the same name, outside the tree and the standard library, is an installed copy.
 */
function isAnotherCopy(file: string, target: LoadTarget, tree: string): boolean {
  const stem = path.basename(target.path, '.py');
  const name = path.basename(file);
  const sameName =
    name === `${stem}.py` || (name.startsWith(`${stem}.`) && /\.(so|pyd)$/.test(name));
  const inLibrary = /[\\/]lib[\\/]python\d\.\d+[\\/](?!site-packages|dist-packages)/.test(file);
  const outside = path.relative(tree, file).startsWith('..') || /site-packages/.test(file);
  return sameName && outside && !inLibrary;
}
