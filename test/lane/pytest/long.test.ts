import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { laneOver, project } from '../pytest-harness.js';

/** Three lines each: more than the arguments that a call can have. */
const TESTS = 50_000;

/** The lines that a session of as many tests leaves. */
function* lines(nonce: string): Generator<string> {
  let n = 0;
  const line = (event: string, fields: object): string => {
    n += 1;
    const from = { nonce, pid: 1, who: '1', n, in: null, session: '1.1', worker: null };
    return JSON.stringify({ ...from, event, ...fields });
  };
  yield line('configure', {
    rootdir: '/',
    prefix: '',
    inifile: null,
    args: [],
    markexpr: '',
    keyword: '',
    projectMarkexpr: null,
    plugins: [],
    xdist: false,
    pycachePrefix: null,
    executable: null,
    seeds: {},
    notes: [],
    bodiless: null,
  });
  const ids = Array.from({ length: TESTS }, (_, index) => `test_a.py::test_a[${String(index)}]`);
  yield line('collected', { ids });
  yield line('selected', { ids });
  yield line('collection-finish', {});
  const report = { when: 'call', outcome: 'passed', spent: 0, wasxfail: null, subtest: null };
  for (const id of ids) {
    yield line('start', { id });
    yield line('report', { id, ...report, at: null, message: null, broken: null });
    yield line('end', { id, spent: 0 });
  }
  yield line('finish', { exit: 0, reason: '', modules: [] });
  yield line('unconfigure', {});
}

const NOTHING = { head: Buffer.alloc(0), tail: Buffer.alloc(0), dropped: 0 };

it('a run of 50,000 tests is told like any other', async () => {
  const tree = project({});
  const lane = laneOver(tree, { python: 'python3' } as never, {
    interpreter: null,
    runProcess: ({ env, nonce }) => {
      const events = path.join(env['COUNTERPROOF_DIR'] ?? '', 'events.jsonl');
      appendFileSync(events, `${[...lines(nonce)].join('\n')}\n`);
      const times = { durationMs: 1, stdout: NOTHING, stderr: NOTHING, leftovers: [] };
      return Promise.resolve({ kind: 'exited', code: 0, ...times });
    },
  });

  const run = await lane.run();

  expect(run.ending).toEqual({ kind: 'complete' });
  expect(run.results).toHaveLength(TESTS);
});
