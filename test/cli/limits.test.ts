import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProject, prove, startCli, verdicts, type TestProject } from '../support/project.js';
import { followMemory, processesBelow } from '../support/proc.js';
import { config, spec, swap } from '../support/specs.js';
import type { RunRecord } from '../../src/record/schema.js';

const FILES = {
  'calc.py': 'def a():\n    return 1\n\n\ndef b():\n    return 2\n',
  'test_calc.py': `import calc


def test_a():
    assert calc.a() == 1


def test_b():
    assert calc.b() == 2


def test_c():
    assert True
`,
};

const HANG = 'import subprocess, time; subprocess.Popen(["sleep", "600"]); time.sleep(600)';
const HOARD = 'x = b"x" * (900 << 20); import time; time.sleep(600)';

describe('a mutant that runs into a limit', () => {
  it('is no evidence, names its test, leaves no process, and does not touch the next', async () => {
    const project = createProject({
      ...FILES,
      ...config({ limits: { test: '5s', memory: '600MB' } }),
      ...spec([
        swap('hang', 'calc.py', ['return 2', HANG], { flips: 'test_calc.py::test_b' }),
        swap('hoard', 'calc.py', ['return 2', HOARD], { flips: 'test_calc.py::test_b' }),
        swap('after', 'calc.py', ['return 1', 'return 7'], {
          flips: 'test_calc.py::test_a',
          controls: ['test_calc.py::test_b', 'test_calc.py::test_c'],
        }),
      ]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ hang: 'timeout', hoard: 'out-of-memory', after: 'pinned' });
    expect(run.exitCode).toBe(3);
    for (const id of ['hang', 'hoard']) {
      const { reason, flips, files } = run.proof(id);
      expect(reason).toContain('test_calc.py::test_b');
      expect(flips.expected).toEqual([]);
      expect(files[0]?.restored).toBe(files[0]?.baseline);
    }
    expect(processesBelow(project.folder)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });

  it('is named where the limit is that of the whole step', async () => {
    const project = createProject({
      ...FILES,
      ...config({ limits: { step: '10s', test: '10m' } }),
      ...spec([swap('hang', 'calc.py', ['return 2', HANG], { flips: 'test_calc.py::test_b' })]),
    });
    const before = project.snapshot();

    const run = await prove(project);

    expect(verdicts(run)).toEqual({ hang: 'timeout' });
    expect(run.proof('hang').reason).toContain('test_calc.py::test_b');
    expect(run.proof('hang').steps.find(({ step }) => step === 'mutated')).toMatchObject({
      complete: false,
      counts: { passed: 1, timeout: 1 },
    });
    expect(processesBelow(project.folder)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  });
});

describe('a mutant that floods its output', () => {
  const flood = (megabytes: number): string =>
    `import os; [os.write(1, b"x" * 1048575 + b"\\n") for _ in range(${megabytes})]; return 7`;

  it.each([
    // pytest itself holds what it captures, several times over.
    { name: 'captured by pytest', args: [], megabytes: 100 },
    { name: 'let through', args: ['-s'], megabytes: 1024 },
  ])('is pinned as ever, and nothing of ours grows: $name', async ({ args, megabytes }) => {
    const project = createProject({
      ...FILES,
      ...config({ args, limits: { output: '256KiB', test: '10m' } }),
      ...spec([
        swap('flood', 'calc.py', ['return 2', flood(megabytes)], { flips: 'test_calc.py::test_b' }),
      ]),
    });
    const before = project.snapshot();

    const { child, ended } = await startCli(project, [
      'run',
      '--json',
      '--report',
      'markdown=r.md',
    ]);
    const peak = followMemory(child.pid ?? 0);
    const { stdout, exitCode } = await ended;
    const most = peak();

    const { proofs } = JSON.parse(stdout) as RunRecord;
    expect(proofs.map(({ id, verdict }) => [id, verdict])).toEqual([['flood', 'pinned']]);
    expect(exitCode).toBe(0);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(400e6);
    expect(stdout.length).toBeLessThan(100_000);
    expect(statSync(join(project.folder, 'r.md')).size).toBeLessThan(60_000);
    expect(bytesBelow(project)).toBeLessThan(2e6);
    expect(readFileSync(join(project.folder, 'r.md'), 'utf8')).toContain('flood');
    expect(new Map([...project.snapshot()].filter(([name]) => name !== 'r.md'))).toEqual(before);
  });
});

/** Everything that the run keeps. */
const bytesBelow = (project: TestProject): number =>
  readdirSync(join(project.folder, '.counterproof'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
