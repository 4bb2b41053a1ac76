// @ts-check
/** How many tests passed, failed and were skipped, from the reports that runners write. */

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * Vitest's JSON report. A file that failed without a failed test (it could not be imported)
 * counts as one failure: it is in none of Vitest's own sums.
 *
 * @param {string} text
 * @returns {Counts}
 */
export function vitestCounts(text) {
  const report = /** @type {VitestReport} */ (JSON.parse(text));
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * pytest's JUnit XML: the sums stand in the attributes of each test suite. An error (of a
 * fixture or of collection) counts as a failure.
 *
 * @param {string} text
 * @returns {Counts}
 */
export function pytestCounts(text) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, attributes = ''] of text.matchAll(/<testsuite\s([^>]*)>/g)) {
    /** @param {string} name */
    const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
    const failed = number('errors') + number('failures');
    counts.failed += failed;
    counts.skipped += number('skipped');
    counts.passed += number('tests') - failed - number('skipped');
  }
  return counts;
}

/**
 * The record of `npm run sweep`: each proof is one test. What was declared and not measured has
 * failed.
 *
 * @param {string} text
 * @returns {Counts}
 */
export function sweepCounts(text) {
  /**
   * @type {{
   *   selection: { declared: string[] },
   *   proofs: { group: string, accepted: object | null, pulledIn: boolean }[],
   * }}
   */
  const { selection, proofs } = JSON.parse(text);
  const own = proofs.filter(({ pulledIn }) => !pulledIn);
  const stands = own.filter(({ group, accepted }) => group === 'proven' || accepted !== null);
  const wanted = Math.max(own.length, selection.declared.length);
  return { passed: stands.length, failed: wanted - stands.length, skipped: 0 };
}
