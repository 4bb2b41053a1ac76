import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StampedEvent } from '../../src/record/events.js';
import { recordSchema } from '../../src/record/schema.js';
import { CALC, CONFIG, MINUS, THRICE, specOf } from '../support/calc.js';
import { counterproof, createProject, prove } from '../support/project.js';
import { SHELL_FILES } from '../support/shell-lane.js';
import { accepts } from '../spec/json-schema-check.js';

const FILES = { ...CALC, ...CONFIG, 'mutations/calc.yaml': specOf(MINUS + THRICE) };

describe('the record', () => {
  it('is all of stdout with --json, and stands in the runs folder; reports go beside it', async () => {
    const project = createProject(FILES);
    // Twenty runs of the past; the oldest makes room for the new one.
    const runs = join(project.folder, '.counterproof/runs');
    const stamps = Array.from({ length: 20 }, (_, n) => `20200101-0000${String(n + 10)}-999999`);
    for (const stamp of stamps) {
      mkdirSync(join(runs, stamp), { recursive: true });
      writeFileSync(join(runs, stamp, 'record.json'), '{}\n');
    }
    mkdirSync(join(runs, 'mine'));
    const reports = ['markdown=calc.py/m.md', 'json=new/folder/r.json', 'terminal=t.txt'];

    const run = await prove(project, [
      'run',
      '--color',
      ...reports.flatMap((report) => ['--report', report]),
    ]);

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

    // A report that cannot be written is said, and costs neither the verdict nor the others.
    expect(run.stderr).toContain('Cannot write the report calc.py/m.md');
    expect(project.read('new/folder/r.json').toString()).toBe(run.stdout);
    expect(project.read('t.txt').toString()).toMatch(/2 of 2 pinned, .*exit 0/);
    expect(project.read('t.txt').toString()).not.toContain('\u001B');
    // Nothing of ours is in git's way.
    expect(project.git('status', '--porcelain')).toBe('?? new/\n?? t.txt\n');
    expect(readdirSync(project.state)).toEqual([]);
  });

  it('goes into the folder that --out names; a report without a path takes over stdout', async () => {
    const project = createProject(FILES);
    const args = ['run', '--out', 'ci out', '--report', 'markdown', '--no-progress'];
    const run = await counterproof(project, args);
    expect(run.stdout).toMatch(/^<!-- counterproof:[0-9a-f]{16} -->\n/);
    expect(run.stdout).not.toMatch(/exit 0$/m);
    expect(run.stderr).toBe('');

    const out = join(project.folder, 'ci out');
    const record = recordSchema.parse(JSON.parse(readFileSync(join(out, 'record.json'), 'utf8')));
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
        // All tests, and once more those that flipped.
        'step-started',
        'step-finished',
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
      record.proofs.map(({ id, verdict }) => [id, verdict]),
    );
    expect(events.at(0)).toMatchObject({ declared: ['minus', 'thrice'] });
    expect(events.at(-1)).toMatchObject({ exitCode: 0, complete: true, summary: { pinned: 2 } });
  });

  it('is not pointed at where it could not be written, and the run fails', async () => {
    const project = createProject(FILES);
    const out = join(dirname(project.folder), 'out');
    project.write({
      'test_calc.py': `${CALC['test_calc.py']}

def test_writes_over_the_record():
    import pathlib, shutil
    out = pathlib.Path(${JSON.stringify(out)})
    if out.is_dir():
        shutil.rmtree(out)
        out.write_text('')
`,
    });
    project.git('commit', '-qam', 'writes');
    const run = await counterproof(project, ['run', '--isolation', 'in-place', '--out', out]);
    expect(run.exitCode).toBe(70);
    expect(run.stdout).toMatch(/2 of 2 pinned.* exit 70$/m);
    expect(run.stdout).not.toContain('record in');
    const last = run.stderr.trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^counterproof: The record was not kept\. Cannot write .*record\.json/);
  });

  it('has each mutation as it is measured, before those that share its restored run', async () => {
    const project = createProject(SHELL_FILES);
    const out = join(dirname(project.folder), 'out');
    await prove(project, ['run', '--out', out]);
    const told = readFileSync(join(out, 'events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as StampedEvent)
      .flatMap((event) => {
        if (event.type === 'proof-finished') return [`${event.proof.id} proven`];
        return event.type === 'mutation-measured' ? [event.id] : [];
      });
    expect(told).toEqual(['minus', 'thrice', 'minus proven', 'thrice proven']);
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
  });
});
