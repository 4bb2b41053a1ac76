import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProject, prove, verdicts, type TestProject } from '../support/project.js';

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const EXAMPLE = folderOf('sampling-params');
const RUST_EXAMPLE = folderOf('stop-jail');
const NOT_OURS = new Set(['.counterproof', '__pycache__', '.pytest_cache', 'target']);

function filesOf(folder: string): Readonly<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(path)) {
      if (NOT_OURS.has(name)) continue;
      const full = join(path, name);
      if (statSync(full).isDirectory()) visit(full);
      else files[relative(folder, full)] = readFileSync(full);
    }
  };
  visit(folder);
  return files;
}

const FILES = filesOf(EXAMPLE);

/** Mutations of some specs, with the verdict that each of them names as its own. */
function expectedVerdicts(folder: string, files = FILES): Readonly<Record<string, string>> {
  const specs = Object.entries(files).filter(
    ([path]) => path.startsWith(folder) && /^[^/]*\.yaml$/.test(path.slice(folder.length)),
  );
  const mutations = specs.flatMap(
    ([, text]) =>
      (parse(text.toString()) as { mutations: readonly { id: string; 'x-expect': string }[] })
        .mutations,
  );
  return Object.fromEntries(mutations.map((each) => [each.id, each['x-expect']]));
}

const example = (): TestProject => createProject(FILES);

describe('the example', () => {
  it('is proven with the numbers of its README', async () => {
    const project = example();
    const before = project.snapshot();

    const run = await prove(project);

    expect(run.exitCode).toBe(0);
    expect(run.record.summary).toMatchObject({ declared: 9, graded: 9, pinned: 7, accepted: 2 });
    const flips = Object.fromEntries(
      run.record.proofs.map(({ id, flips: { expected }, verdict }) => [
        id,
        [verdict, expected.length],
      ]),
    );
    expect(flips).toEqual({
      'rename-pause-route': ['pinned', 1],
      'always-send-min-new-tokens': ['pinned', 1],
      'never-send-min-new-tokens': ['pinned', 1],
      'return-at-the-first-listed': ['pinned', 2],
      'drop-hidden-ids': ['pinned', 1],
      'drop-tail-position': ['pinned', 2],
      'stream-can-fail': ['pinned', 8],
      'forget-running-requests': ['survived', 0],
      'abort-finished-requests': ['survived', 0],
    });

    const [lane] = run.record.lanes;
    expect(lane).toMatchObject({ collected: 128, selected: 111, deselected: 17 });
    expect(lane?.files.filter(({ selected }) => selected > 0)).toHaveLength(7);
    expect(lane?.preExisting).toHaveLength(2);
    expect(lane?.collectionErrors.map(({ file }) => file)).toEqual(['tests/test_weight_cache.py']);
    expect(lane?.alive).toMatchObject({ by: 'stream-can-fail' });
    expect(lane?.closing?.equal).toBe(true);

    const same = { passed: 39, skipped: 1 };
    for (const { controls, id } of run.record.proofs) {
      if (id === 'stream-can-fail') continue;
      const control = controls.find(({ selector }) => selector === 'tests/test_logprobs.py');
      expect(control, id).toMatchObject({
        held: true,
        counts: { baseline: same, mutated: same, restored: same },
      });
    }
    expect(
      run.proof('return-at-the-first-listed').around.filter(({ moved }) => moved === 2),
    ).toContainEqual(expect.objectContaining({ held: 28, moved: 2 }));
    expect(project.snapshot()).toEqual(before);
  });
});

describe('each trap', () => {
  it('beside the lane of the example has the verdict that it names', async () => {
    const project = example();
    const before = project.snapshot();
    const run = await prove(project, ['run', 'traps/*.yaml']);
    const expected = expectedVerdicts('traps/');
    expect(Object.keys(expected).length).toBeGreaterThanOrEqual(14);
    expect(verdicts(run)).toMatchObject(expected);
    expect(run.exitCode).toBe(1);
    expect(project.snapshot()).toEqual(before);
  });

  it.each(['installed-copy', 'hanging-test', 'mocked-away'])(
    'that is a project of its own has its verdict: %s',
    async (name) => {
      const project = createProject(filesOf(join(EXAMPLE, 'traps', name)));
      const before = project.snapshot();
      const run = await prove(project);
      const expected = expectedVerdicts(`traps/${name}/mutations/`);
      expect(Object.keys(expected).length).toBeGreaterThan(0);
      expect(verdicts(run)).toEqual(expected);
      expect(run.exitCode).toBe(3);
      expect(project.snapshot()).toEqual(before);
    },
  );
});

describe('the example in Rust', () => {
  const files = filesOf(RUST_EXAMPLE);

  it('is proven with the numbers of its README', async () => {
    const project = createProject(files);
    const before = project.snapshot();
    const run = await prove(project);
    expect(run.exitCode).toBe(0);
    const flips = run.record.proofs.map(({ id, verdict, flips: { expected } }) => [
      id,
      [verdict, expected.length],
    ]);
    expect(Object.fromEntries(flips)).toEqual({
      'count-after-the-floor': ['pinned', 1],
      'step-can-fail': ['pinned', 15],
      'never-drained': ['pinned', 2],
      'one-byte-too-early': ['pinned', 7],
      'visible-taken-for-hidden': ['pinned', 2],
      'the-last-added-wins': ['pinned', 2],
    });
    const [lane] = run.record.lanes;
    expect(lane).toMatchObject({ collected: 23, selected: 23, alive: { by: 'step-can-fail' } });
    expect(lane?.closing?.equal).toBe(true);
    expect(run.proof('count-after-the-floor').around).toMatchObject([
      { group: 'jail::stop_behavior floor', held: 3, moved: 1 },
      { group: 'jail::stop_behavior', held: 14, moved: 1 },
    ]);
    expect(project.snapshot()).toEqual(before);
  });

  it('has traps, each with the verdict that it names', async () => {
    const project = createProject(files);
    const before = project.snapshot();
    const run = await prove(project, ['run', 'traps/*.yaml']);
    const expected = expectedVerdicts('traps/', files);
    expect(Object.keys(expected)).toHaveLength(5);
    expect(verdicts(run)).toMatchObject(expected);
    expect(run.exitCode).toBe(1);
    expect(project.snapshot()).toEqual(before);
  });
});
