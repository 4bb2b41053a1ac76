import { expect, it } from 'vitest';
import { publishedCrate } from '../support/crates.js';
import { createProject, prove, verdicts } from '../support/project.js';

/** Unit tests in the library, macros in every function, dependencies of its tests from the registry. */
const CONFIG = `version: 1
lanes:
  lib: { runner: cargo, targets: lib, features: serde }
`;

const SPEC = `version: 1
lane: lib
mutations:
  - id: seeks-from-here
    file: src/lib.rs
    within: "fn seek(&mut self, pos: SeekFrom)"
    replace: { find: "inner.seek(pos)", with: "inner.seek({ let _ = pos; SeekFrom::Current(0) })" }
    flips: ["either seek"]
    controls: ["either read_write", "either iter"]
  - id: right-as-left
    why: Only its doctest looks, and this lane has none.
    file: src/lib.rs
    within: "pub fn is_left"
    replace: { find: "Right(_) => false", with: "Right(_) => true" }
    flips: any
  - id: no-such-method
    file: src/iterator.rs
    replace: { find: "for_both!(self, inner => inner.nth(n))", with: "for_both!(self, inner => inner.nth_of(n))" }
    flips: any
`;

it('proves mutations of either 1.15.0, and leaves its tree as it was', async () => {
  const project = createProject({
    ...(await publishedCrate('either', '1.15.0')),
    'counterproof.yaml': CONFIG,
    'mutations/either.yaml': SPEC,
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({
    'seeks-from-here': 'pinned',
    'right-as-left': 'survived',
    'no-such-method': 'broken',
  });
  expect(run.exitCode).toBe(1);
  expect(run.record.lanes).toMatchObject([
    { baseline: { counts: { passed: 7 } }, closing: { equal: true } },
  ]);
  expect(run.proof('seeks-from-here')).toMatchObject({
    flips: { expected: [{ test: 'either seek', to: 'failed', restored: 'passed' }], also: [] },
    controls: [{ held: true }, { held: true }],
  });
  expect(run.proof('right-as-left').reach).toMatchObject({ state: 'unreached' });
  expect(run.proof('no-such-method').reason).toContain('src/iterator.rs:81: E0599');
  expect(project.snapshot()).toEqual(before);
  expect(project.git('status', '--porcelain')).toBe('');
});
