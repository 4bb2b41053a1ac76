import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { showFile } from '../git/commit.js';
import { locateMutation } from '../mutation/locate.js';
import { namesInPython } from '../mutation/python-names.js';
import { matchIds, nearestIds } from '../proof/select.js';
import { explain } from '../proof/verdict-text.js';
import { nearest } from '../spec/distance.js';
import type { MutationSpec, Where } from '../spec/model.js';

/** What a lane's real collection found. */
export interface CollectedLane {
  readonly ids: readonly string[];
  readonly deselected: readonly string[];
  readonly idPrefix: string;
}

export interface CheckRequest {
  readonly tree: string;
  readonly root: string;
  readonly mutations: readonly MutationSpec[];
  /** By lane name; null: names are looked up in the files' text alone. */
  readonly collected: ReadonlyMap<string, CollectedLane> | null;
}

/** One reason why a mutation would not run as it is written. */
export interface CheckFinding {
  readonly id: string;
  readonly where: Where;
  readonly reason: string;
  readonly facts: readonly string[];
  readonly next: readonly string[];
}

export interface CheckReport {
  readonly findings: readonly CheckFinding[];
  /** What nobody looked at, a line each. */
  readonly notChecked: readonly string[];
}

/** Whether every edit still lands and every named test is still there. Runs no test, writes nothing. */
export async function checkMutations(request: CheckRequest): Promise<CheckReport> {
  const { tree, root, mutations, collected } = request;
  const findings: CheckFinding[] = [];
  const text = createTextLookup(root);
  const git = { showFile: (rev: string, path: string) => showFile(tree, rev, path) };
  for (const mutation of mutations) {
    const located = await locateMutation(mutation.edits, { tree, root, git });
    if (!located.ok) {
      const words = explain({ code: 'not-applied', problem: located.error });
      findings.push({ id: mutation.id, where: mutation.where, ...words });
    }
    for (const named of namedTests(mutation)) {
      const lane = collected?.get(named.lane);
      const problem =
        lane === undefined ? await text.problemOf(named.test) : collectionProblem(named.test, lane);
      if (problem !== null) findings.push({ id: mutation.id, where: named.where, ...problem });
    }
  }
  return {
    findings,
    notChecked: [
      'whether the tests pass, and whether they notice',
      ...(collected === null
        ? ['parameters of tests, and what the lanes select (--collect asks the real collection)']
        : []),
    ],
  };
}

interface NamedTest {
  readonly test: string;
  readonly lane: string;
  readonly where: Where;
}

function namedTests({ flips, controls, lane }: MutationSpec): readonly NamedTest[] {
  const expected = flips.kind === 'tests' ? flips.tests : [];
  return [
    ...expected.map(({ test, where }) => ({ test, lane, where })),
    ...controls.map((control) => ({
      test: control.tests,
      lane: control.lane ?? lane,
      where: control.where,
    })),
  ];
}

type Problem = Omit<CheckFinding, 'id' | 'where'>;

function collectionProblem(test: string, lane: CollectedLane): Problem | null {
  const { ids, deselected, idPrefix } = lane;
  if (matchIds(test, ids, { idPrefix }).length > 0) return null;
  if (matchIds(test, deselected, { idPrefix }).length > 0)
    return { reason: `the lane leaves ${test} out`, facts: [], next: ['name another lane'] };
  const near = nearestIds(test, ids, 3);
  return {
    reason: `the lane collects no ${test}`,
    facts: near.length === 0 ? [] : [`nearest: ${near.join(', ')}`],
    next: ['correct the name'],
  };
}

/** Looks names up in the text of Python files, each read once. */
function createTextLookup(root: string): {
  readonly problemOf: (test: string) => Promise<Problem | null>;
} {
  const names = new Map<string, ReadonlySet<string> | null>();
  const namesOf = async (file: string): Promise<ReadonlySet<string> | null> => {
    const known = names.get(file);
    if (known !== undefined) return known;
    const found = await readFile(join(root, file)).then(namesInPython, () => null);
    names.set(file, found);
    return found;
  };
  return {
    async problemOf(test) {
      const [file = '', ...scopes] = test.replace(/\[.*$/s, '').split('::');
      // A folder, a pattern or an id of another shape: only the real collection knows.
      if (!file.endsWith('.py') || file.includes('*')) return null;
      const found = await namesOf(file);
      if (found === null)
        return { reason: `there is no file ${file}`, facts: [], next: ['correct the name'] };
      const name = scopes.join('.');
      if (name === '' || name.includes('*') || found.has(name)) return null;
      // A test method may come from a base class in another file.
      const [owner] = scopes;
      if (scopes.length > 1 && owner !== undefined && found.has(owner)) {
        const inherits = found.has(`${owner}(`);
        if (inherits) return null;
      }
      const others = [...found].filter((other) => !other.endsWith('('));
      const near = nearest(name, others).map((other) => [file, ...other.split('.')].join('::'));
      return {
        reason: `${file} has no ${scopes.join('::')}`,
        facts: near.length === 0 ? [] : [`nearest: ${near.join(', ')}`],
        next: ['correct the name'],
      };
    },
  };
}
