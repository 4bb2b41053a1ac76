import { expect, it } from 'vitest';
import type { ProofRecord } from '../../src/record/schema.js';
import { mutantsOf, type Mutant } from '../support/mutants.js';
import { junitName, runPlain, type Outcomes } from '../support/plain-loop.js';
import { cliEnvironment, createProject, prove } from '../support/project.js';
import { sdist } from '../support/sdist.js';

/** Published projects with fast tests: package, version, where the source lies, arguments. */
const PROJECTS = [
  ['toolz', '1.0.0', /^toolz\/(?!tests|sandbox|_version)[^/]*\.py$/, ['toolz/tests']],
  ['inflection', '0.5.1', /^inflection\/.*\.py$/, ['test_inflection.py']],
  ['cachetools', '5.5.0', /^src\/.*\.py$/, ['tests', '-o', 'pythonpath=src']],
  ['h11', '0.14.0', /^h11\/(?!tests)[^/]*\.py$/, ['h11/tests']],
  ['parse', '1.20.2', /^parse\.py$/, ['tests']],
] as const;
const MOST = 24;

/** The edit by its line: patches are what reviews have, and context makes their place unique. */
function patchOf({ file, line, with: changed }: Mutant, before: string): string {
  const lines = before.split('\n');
  const [from, to] = [Math.max(0, line - 21), Math.min(lines.length, line + 20)];
  const body = lines
    .slice(from, to)
    .flatMap((text, at) => (from + at === line - 1 ? [`-${text}`, `+${changed}`] : [` ${text}`]));
  const span = `${from + 1},${to - from}`;
  return [`--- a/${file}`, `+++ b/${file}`, `@@ -${span} +${span} @@`, ...body, ''].join('\n');
}

const specOf = (mutants: readonly Mutant[], sources: ReadonlyMap<string, string>): string =>
  JSON.stringify({
    version: 1,
    mutations: mutants.map((mutant) => ({
      id: mutant.id,
      patch: patchOf(mutant, sources.get(mutant.file) ?? ''),
      flips: 'any',
    })),
  });

/** Tests that did otherwise than in the untouched copy; null: pytest could not run. */
function movedIn(before: Outcomes, after: Outcomes): readonly string[] | null {
  if (before === null || after === null) return null;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((test) => before.get(test) !== after.get(test))
    .toSorted();
}

const flipsOf = ({ flips }: ProofRecord): readonly string[] =>
  [...flips.expected, ...flips.also].map(({ test }) => junitName(test)).toSorted();

/** What the verdict says, in the words of the plain loop. */
function told(proof: ProofRecord): unknown {
  switch (proof.verdict) {
    case 'pinned':
      return flipsOf(proof);
    case 'survived':
    case 'not-loaded':
      return [];
    default:
      return proof.verdict;
  }
}

it.each(PROJECTS)(
  '%s %s: every verdict is what a plain loop says',
  async (name, version, source, args) => {
    const files = await sdist(name, version);
    const sources = new Map(
      Object.entries(files)
        .filter(([path]) => source.test(path))
        .map(([path, content]) => [path, content.toString()]),
    );
    const mutants = mutantsOf(sources, MOST);
    const lane = { runner: 'pytest', paths: [args[0]], args: args.slice(1) };
    const project = createProject({
      ...files,
      'counterproof.yaml': JSON.stringify({ version: 1, lanes: { tests: lane } }),
      'mutations/all.yaml': specOf(mutants, sources),
    });
    const env = await cliEnvironment(project);
    const plain = { folder: project.folder, env, args };
    const before = project.snapshot();

    const run = await prove(project);

    expect(project.snapshot()).toEqual(before);
    const baseline = await runPlain(plain);
    expect(baseline?.size).toBeGreaterThan(10);
    const verdicts = new Map<string, number>();
    for (const mutant of mutants) {
      const proof = run.proof(mutant.id);
      verdicts.set(proof.verdict, (verdicts.get(proof.verdict) ?? 0) + 1);
      if (proof.group === 'no-evidence' && proof.verdict !== 'not-loaded') continue;
      const moved = movedIn(baseline, await runPlain({ ...plain, edit: mutant }));
      const what = `${mutant.id} ${proof.verdict}: ${mutant.file}:${mutant.line} ${mutant.with.trim()}`;
      expect([what, told(proof)]).toEqual([what, moved]);
    }
    process.stderr.write(`${name}: ${JSON.stringify([...verdicts])}\n`);
  },
);
