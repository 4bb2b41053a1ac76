/** Which tests a range of commits adds or changes. */
import { gitWords } from '../git/words.js';
import { changesOf } from '../prove/changes.js';
import type { ClassifyRules } from '../prove/classify.js';
import { pathOf } from '../prove/fix.js';
import type { RangeProblem } from '../prove/range-problem.js';
import { resolveRange } from '../prove/range.js';
import { readFix } from '../prove/read-fix.js';
import { testsOf, type FixTest } from '../prove/tests-of.js';
import { err, ok, type Result } from '../result.js';

export interface RangeTests {
  /** `main..HEAD, 2 commits "fix: it"`. */
  readonly title: string;
  readonly tests: readonly FixTest[];
  /** Changed files of test code in which no test could be told by its name, relative to the tree. */
  readonly others: readonly string[];
}

/** The tests are those of the tree as it lies. */
export async function rangeTests(
  tree: string,
  written: string,
  rules: ClassifyRules,
): Promise<Result<RangeTests, RangeProblem>> {
  const range = await resolveRange(tree, written);
  if (!range.ok) return err({ ...range.error, hint: ownHint(range.error.hint) });
  const fix = await readFix(tree, range.value);
  if (!fix.ok) {
    const message = `git does not tell what changed: ${gitWords(fix.error)}`;
    return err({ kind: 'unusable', message, hint: null });
  }
  const changes = changesOf(fix.value.files, rules);
  const tests = testsOf(changes, rules.pythonNames);
  const { text, commits, subject } = range.value;
  const known = new Set(tests.map(({ path }) => path));
  return ok({
    title: `${text}, ${commits} commit${commits === 1 ? '' : 's'}${subject === null ? '' : ` "${subject}"`}`,
    tests,
    others: changes
      .filter((change) => change.class === 'test')
      .map(pathOf)
      .filter((path) => !known.has(path)),
  });
}

/** Hints of a range name the command that mostly reads one. */
function ownHint(hint: string | null): string | null {
  if (hint === null || !/counterproof (?:prove (?!--)|prove$)/.test(hint))
    return hint?.includes('counterproof') === true ? null : hint;
  return hint.replaceAll('counterproof prove', 'counterproof lane --changed');
}
