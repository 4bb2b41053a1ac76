import { expect, test } from 'vitest';
import { createLaunchKeeper, type LaunchQuestion } from '../../../src/lane/cargo/launches.js';
import type { Launch } from '../../../src/lane/cargo/model.js';
import { ok } from '../../../src/result.js';
import { anArtifact } from './builders.js';

const A = '/t/debug/deps/a-0123456789abcdef';
const B = '/t/debug/deps/b-0123456789abcdef';
const SCRIPT = { name: 'build-script-build', kind: ['custom-build'], source: '/w/build.rs' };

const launch = (executable: string): Launch => ({ executable, wrapper: [], cwd: '/w', env: {} });

function keeper(...executables: readonly string[]) {
  let captured = 0;
  const ask = createLaunchKeeper(() => {
    captured += 1;
    const launches = new Map(executables.map((file) => [file, launch(file)]));
    return Promise.resolve(ok({ launches, notes: [] }));
  });
  return { ask, captured: () => captured };
}

const question = (more: Partial<LaunchQuestion> = {}): LaunchQuestion => ({
  executables: [A],
  artifacts: [anArtifact()],
  scripts: 'DATA=1',
  reconfigured: false,
  ...more,
});

test.each([
  ['nothing new', {}, 1],
  ['a manifest or a configuration was written', { reconfigured: true }, 2],
  ['a build script says something else', { scripts: 'DATA=2' }, 2],
  ['a build script was compiled', { artifacts: [anArtifact({ target: SCRIPT })] }, 2],
  ['a build script is fresh', { artifacts: [anArtifact({ target: SCRIPT, fresh: true })] }, 1],
  ['an executable less', { executables: [] }, 1],
  ['another executable', { executables: [A, B] }, 2],
])('with %s, cargo is asked as often as needed', async (_, more, expected) => {
  const { ask, captured } = keeper(A);
  await ask(question());
  await ask(question(more));
  expect(captured()).toBe(expected);
});

test('an executable that cargo would not start breaks the lane, and is named', async () => {
  const { ask, captured } = keeper(A);
  const refused = await ask(question({ executables: [A, B] }));
  expect(refused).toMatchObject({
    ok: false,
    error: { kind: 'broken', causes: [{ message: expect.stringContaining(B) }] },
  });
  await ask(question());
  expect(captured()).toBe(2);
});
