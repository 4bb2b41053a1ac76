import { expect, it } from 'vitest';
import { publishedCrate } from '../support/crates.js';
import { createProject, prove, verdicts } from '../support/project.js';

/** A build script that asks the compiler, unsafe code, integration tests alone, a tracked lock file. */
const CONFIG = `version: 1
lanes:
  tests: { runner: cargo, targets: tests }
`;

const SPEC = `version: 1
lane: tests
mutations:
  - id: requirements-can-fail
    role: liveness
    file: src/eval.rs
    within: "pub(crate) fn matches_req"
    raise: true
  - id: greater-alone
    file: src/eval.rs
    replace: { find: "matches_exact(cmp, ver) || matches_greater(cmp, ver)", with: "matches_greater(cmp, ver)" }
    flips: [{ test: "semver::test_version_req", min: 1 }]
    controls: ["semver::test_version", "semver::test_identifier"]
  - id: any-major
    file: src/eval.rs
    within: "fn matches_exact"
    replace: { find: "ver.major != cmp.major", with: "false" }
    flips: ["semver::test_version_req test_exact"]
    controls: ["semver::test_version"]
  - id: leaks
    why: No test measures what is never given back.
    file: src/identifier.rs
    within: "fn drop(&mut self)"
    replace: { find: "if self.is_empty_or_inline() {", with: "if self.is_empty_or_inline() || true {" }
    flips: any
  - id: no-such-field
    file: src/eval.rs
    replace: { find: "ver.pre == cmp.pre", with: "ver.pre == cmp.prerelease" }
    flips: any
  - id: without-the-feature
    file: src/serde.rs
    replace: { find: "serializer.collect_str(self)", with: 'serializer.collect_str("0.0.0")', count: 3 }
    flips: any
`;

it('proves mutations of semver 1.0.26, and leaves its tree as it was', async () => {
  const project = createProject({
    ...(await publishedCrate('semver', '1.0.26')),
    'counterproof.yaml': CONFIG,
    'mutations/semver.yaml': SPEC,
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({
    'requirements-can-fail': 'pinned',
    'greater-alone': 'pinned',
    'any-major': 'pinned',
    leaks: 'survived',
    'no-such-field': 'broken',
    'without-the-feature': 'not-loaded',
  });
  expect(run.exitCode).toBe(1);
  expect(run.record.lanes).toMatchObject([
    {
      baseline: { counts: { passed: 34 } },
      alive: { by: 'requirements-can-fail' },
      closing: { equal: true },
    },
  ]);
  expect(run.proof('greater-alone').controls).toMatchObject([{ held: true }, { held: true }]);
  expect(run.proof('leaks')).toMatchObject({
    loaded: { proof: 'rebuilt' },
    reach: { state: 'reached' },
  });
  expect(run.proof('no-such-field').reason).toContain('src/eval.rs:61: E0609');
  expect(run.proof('without-the-feature').facts.join()).toContain('#[cfg(feature = "serde")]');
  expect(project.snapshot()).toEqual(before);
  expect(project.git('status', '--porcelain')).toBe('');
});
