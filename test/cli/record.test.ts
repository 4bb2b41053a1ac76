import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StampedEvent } from '../../src/record/events.js';
import { recordSchema } from '../../src/record/schema.js';
import { CALC, CONFIG, MINUS, THRICE, specOf } from '../support/calc.js';
import { counterproof, createProject, prove } from '../support/project.js';
import { accepts } from '../spec/json-schema-check.js';

const FILES = { ...CALC, ...CONFIG, 'mutations/calc.yaml': specOf(MINUS + THRICE) };

describe('the record', () => {
  it('is all of stdout with --json, fits its schemas, and stands in the runs folder', async () => {
    const project = createProject(FILES);
    // Twenty runs of the past; the oldest makes room for the new one.
    const runs = join(project.folder, '.counterproof/runs');
    const stamps = Array.from({ length: 20 }, (_, n) => `20200101-0000${String(n + 10)}-999999`);
    for (const stamp of stamps) {
      mkdirSync(join(runs, stamp), { recursive: true });
      writeFileSync(join(runs, stamp, 'record.json'), '{}\n');
    }
    mkdirSync(join(runs, 'mine'));

    const run = await prove(project);

    expect(run.exitCode).toBe(0);
    expect(recordSchema.safeParse(run.record).error?.issues ?? []).toEqual([]);
    const schema = await counterproof(project, ['schema', 'record']);
    expect(accepts(JSON.parse(schema.stdout), run.record)).toBe(true);
    expect(accepts(JSON.parse(schema.stdout), { ...run.record, exitCode: 'x' })).toBe(false);

    const kept = readdirSync(runs).toSorted();
    expect(kept).toHaveLength(21);
    expect(kept).toContain('mine');
    expect(kept).not.toContain(stamps[0]);
    const newest = kept.at(-2) ?? '';
    expect(newest).toMatch(/^\d{8}-\d{6}-\d+$/);
    expect(readFileSync(join(runs, newest, 'record.json'), 'utf8')).toBe(run.stdout);
    // Nothing of it is in git's way.
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('goes into the folder that --out names, beside events that tell the whole run', async () => {
    const project = createProject(FILES);
    const run = await prove(project, ['run', '--out', 'ci out']);
    const out = join(project.folder, 'ci out');
    expect(readFileSync(join(out, 'record.json'), 'utf8')).toBe(run.stdout);
    expect(existsSync(join(project.folder, '.counterproof/runs'))).toBe(false);

    const events = readFileSync(join(out, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as StampedEvent);
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'lane-started',
      'lane-described',
      'step-started',
      'step-finished',
      ...['minus', 'thrice'].flatMap(() => [
        'mutation-started',
        'step-started',
        'step-finished',
        'step-started',
        'step-finished',
        'proof-finished',
      ]),
      // The last restored run is the whole lane, and closes it.
      'run-finished',
    ]);
    const told = events.flatMap((event) => (event.type === 'proof-finished' ? [event.proof] : []));
    expect(told.map(({ id, verdict }) => [id, verdict])).toEqual(
      run.record.proofs.map(({ id, verdict }) => [id, verdict]),
    );
    expect(events.at(0)).toMatchObject({ declared: ['minus', 'thrice'] });
    expect(events.at(-1)).toMatchObject({ exitCode: 0, complete: true, summary: { pinned: 2 } });
  });

  it('is on stdout whatever the verdict, and nothing is there with a usage error', async () => {
    const project = createProject({
      ...FILES,
      'mutations/calc.yaml': specOf(MINUS.replace('a + b', 'b + a')),
    });
    const none = await prove(project);
    expect(none.exitCode).toBe(3);
    expect(none.record.exitCode).toBe(3);
    const usage = await counterproof(project, ['run', '--json', '--jobs', '9']);
    expect(usage).toMatchObject({ exitCode: 2, stdout: '' });
    const empty = await counterproof(project, ['run', '--json', '--only', 'nothing']);
    expect(empty).toMatchObject({ exitCode: 5, stdout: '' });
  });
});

describe('reports', () => {
  it('take the place of the terminal report, or go into files beside it, several at once', async () => {
    const project = createProject(FILES);
    const before = project.snapshot();
    const both = await counterproof(project, [
      'run',
      '--report',
      'markdown=m.md',
      '--report',
      'json=r.json',
      '--report',
      'terminal=t.txt',
      '--color',
    ]);
    expect(both.exitCode).toBe(0);
    expect(both.stdout).toContain('\u001B[32m');
    expect(both.stdout).toMatch(/2 of 2 pinned, .*exit 0/);
    expect(project.read('m.md').toString()).toMatch(/^<!-- counterproof:[0-9a-f]{16} -->\n/);
    const record: unknown = JSON.parse(project.read('r.json').toString());
    expect(recordSchema.safeParse(record).success).toBe(true);
    expect(project.read('t.txt').toString()).not.toContain('\u001B');

    const inPlace = await counterproof(project, ['run', '--report', 'markdown', '--no-progress']);
    expect(inPlace.stdout).toMatch(/^<!-- counterproof:/);
    expect(inPlace.stdout).not.toMatch(/exit 0$/m);
    expect(inPlace.stderr).toBe('');
    for (const name of ['m.md', 'r.json', 't.txt']) expect(before.has(name)).toBe(false);
  });

  it('that cannot be written are said, and cost neither the verdict nor the record', async () => {
    const project = createProject(FILES);
    const run = await counterproof(project, [
      'run',
      '--json',
      '--report',
      'markdown=calc.py/m.md',
      '--report',
      'json=new/folder/r.json',
    ]);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('Cannot write the report calc.py/m.md');
    expect(project.read('new/folder/r.json').toString()).toBe(run.stdout);
    expect(recordSchema.safeParse(JSON.parse(run.stdout)).success).toBe(true);
  });
});
