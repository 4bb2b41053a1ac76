/** Edits of test code: what a test does without a line of its own says nothing of the source. */
import { type ClassifyRules, classifyFile } from '../prove/classify.js';
import { innerTests } from '../prove/inner-tests.js';

/**
 * @param path relative to the tree
 * @param line 0-based; null: no line was named
 * @returns what that means and what to do, one sentence; null: it is source
 */
export function testCodeNote(
  path: string,
  bytes: Buffer,
  line: number | null,
  rules: ClassifyRules,
): string | null {
  const isTest =
    classifyFile(path, rules).class === 'test' ||
    (line !== null && innerTests(rules)(path, bytes, line));
  return isTest
    ? 'this is test code: a flip shows that the test runs this line, and nothing of the source; name a line of the source to learn what the tests hold'
    : null;
}
