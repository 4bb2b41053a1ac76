import { expect, it } from 'vitest';
import { createProject, prove, verdicts } from '../support/project.js';
import { sdist } from '../support/sdist.js';

/** A src layout whose package is not installed, parametrized fixtures, warnings as errors. */
const CONFIG = `version: 1
lanes:
  tests: { runner: pytest, args: ["-o", "pythonpath=src"] }
`;

const SPEC = `version: 1
lane: tests
mutations:
  - id: keep-the-padding
    file: src/itsdangerous/encoding.py
    replace: { find: '.rstrip(b"=")', with: "" }
    flips: any
    controls: ["tests/test_itsdangerous/test_encoding.py::test_int_bytes"]
  - id: keys-can-fail
    role: liveness
    file: src/itsdangerous/signer.py
    within: "def derive_key"
    raise: true
  - id: a-second-of-grace
    why: Its tests need freezegun, which is not installed; so nothing notices.
    file: src/itsdangerous/timed.py
    replace: { find: "age < 0:", with: "age < -1:" }
    flips: any
  - id: bracket-lost
    file: src/itsdangerous/encoding.py
    replace: { find: "def want_bytes(", with: "def want_bytes((" }
    flips: any
`;

it('proves mutations of itsdangerous 2.2.0, and leaves its tree as it was', async () => {
  const project = createProject({
    ...(await sdist('itsdangerous', '2.2.0')),
    'counterproof.yaml': CONFIG,
    'mutations/signing.yaml': SPEC,
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({
    'keep-the-padding': 'pinned',
    'keys-can-fail': 'pinned',
    'a-second-of-grace': 'survived',
    'bracket-lost': 'broken',
  });
  expect(run.exitCode).toBe(1);
  const [lane] = run.record.lanes;
  expect(lane).toMatchObject({ alive: { by: 'keys-can-fail' }, closing: { equal: true } });
  expect(lane?.collectionErrors[0]).toMatchObject({
    file: 'tests/test_itsdangerous/test_timed.py',
    message: expect.stringContaining('freezegun') as string,
  });
  expect(run.proof('keep-the-padding').flips.expected.length).toBeGreaterThan(1);
  expect(run.proof('keep-the-padding').controls).toMatchObject([{ held: true }]);
  expect(run.proof('a-second-of-grace').reach).toMatchObject({ state: 'unreached' });
  expect(run.proof('bracket-lost').steps).toMatchObject([{ step: 'baseline' }]);
  expect(project.snapshot()).toEqual(before);
  expect(project.git('status', '--porcelain')).toBe('');
});
