/** Repositories with a fix on a branch, built commit by commit. */
import type { ProveRecord } from '../../src/record/schema.js';
import { createProject, type Files, type Proven, type TestProject } from './project.js';

const SETTINGS: Files = {
  'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
};

/** A project on a branch `fix`, one commit ahead of `main`. */
export function createFix(before: Files, fix: Files, subject = 'fix: it'): TestProject {
  const project = createProject({ ...SETTINGS, ...before });
  project.git('switch', '-q', '-c', 'fix');
  project.write(fix);
  project.git('add', '-A');
  project.git('commit', '-q', '-m', subject);
  return project;
}

export function answerOf({ record }: Proven): ProveRecord {
  if (record.prove === undefined) throw new Error('the record has no answer of prove');
  return record.prove;
}

/** `1 src/a.py:3 held by test_a`, a line for each change of source. */
export const changesTold = (run: Proven): readonly string[] =>
  answerOf(run)
    .changes.filter((change) => change.class === 'source')
    .map(({ id, file, line, status, heldBy, joined }) => {
      const by = heldBy.length === 0 ? '' : ` by ${heldBy.map(last).join(', ')}`;
      const together = joined.length === 0 ? '' : ` with ${joined.join('+')}`;
      return `${id} ${file}${line === null ? '' : `:${line}`} ${status}${together}${by}`;
    });

/** `new test_a failed`, a line for each test of the range. */
export const testsTold = (run: Proven): readonly string[] =>
  answerOf(run).tests.map(({ test, kind, withoutFix }) => `${kind} ${last(test)} ${withoutFix}`);

const last = (test: string): string => test.split('::').at(-1) ?? test;
