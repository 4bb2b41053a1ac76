import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findReports, placeReports } from '../../../src/lane/junit/places.js';
import { temporaryFolder } from './support.js';

const lane = (report: string, more: Partial<Parameters<typeof placeReports>[0]> = {}) => ({
  command: ['run', 'out={report}'],
  args: [],
  env: {},
  report,
  ...more,
});

function folders(): { readonly scratch: string; readonly cwd: string } {
  const base = temporaryFolder();
  const folder = { scratch: path.join(base, 's'), cwd: path.join(base, 'a [project]') };
  mkdirSync(folder.scratch);
  mkdirSync(folder.cwd);
  return folder;
}

describe('the place of a report', () => {
  it('is a path of its own for each step, told to the command wherever it asks', async () => {
    const { scratch, cwd } = folders();
    const { command, env, privatePath } = await placeReports(
      lane('{report}', { args: ['--to', '{report}'], env: { OUT: 'x={report}', KEEP: '1' } }),
      { scratch, cwd },
    );
    expect(path.dirname(privatePath)).toBe(scratch);
    expect(command).toEqual(['run', `out=${privatePath}`, '--to', privatePath]);
    expect(env).toEqual({
      OUT: `x=${privatePath}`,
      KEEP: '1',
      COUNTERPROOF_REPORT: privatePath,
    });
  });

  it('may be a folder, with a pattern for the files in it', async () => {
    const { scratch, cwd } = folders();
    const wanted = lane('{report}/TEST-*.xml');
    const places = await placeReports(wanted, { scratch, cwd });
    for (const name of ['TEST-b.xml', 'TEST-a.xml', 'other.xml'])
      writeFileSync(path.join(places.privatePath, name), '');
    const { fresh } = await findReports(wanted, places, cwd);
    expect(fresh.map((file) => path.basename(file))).toEqual(['TEST-a.xml', 'TEST-b.xml']);
  });

  it('may be taken for the name of a folder by the command', async () => {
    const { scratch, cwd } = folders();
    const places = await placeReports(lane('{report}'), { scratch, cwd });
    mkdirSync(path.join(places.privatePath, 'sub'), { recursive: true });
    writeFileSync(path.join(places.privatePath, 'sub', 'a.xml'), '');
    const { fresh } = await findReports(lane('{report}'), places, cwd);
    expect(fresh.map((file) => path.basename(file))).toEqual(['a.xml']);
  });

  it.each(['out/*.xml', 'out', 'out/a.xml'])(
    'may lie in the tree (%s), where only what this step wrote counts',
    async (report) => {
      const { scratch, cwd } = folders();
      const at = (name: string): string => path.join(cwd, 'out', name);
      mkdirSync(at('.'));
      writeFileSync(at('a.xml'), 'old');
      writeFileSync(at('b.xml'), 'old');
      const places = await placeReports(lane(report), { scratch, cwd });

      const before = await findReports(lane(report), places, cwd);
      expect(before.fresh).toEqual([]);
      expect(before.stale).toContain(at('a.xml'));

      writeFileSync(at('a.xml'), 'new');
      const after = await findReports(lane(report), places, cwd);
      expect(after.fresh).toEqual([at('a.xml')]);
      expect(after.stale).toEqual(report === 'out/a.xml' ? [] : [at('b.xml')]);
      // What is the user's is left alone.
      expect(readFileSync(at('b.xml'), 'utf8')).toBe('old');
    },
  );

  it('counts a report of the same bytes, size and time that was written anew', async () => {
    const { scratch, cwd } = folders();
    const file = path.join(cwd, 'out.xml');
    const time = new Date('2020-01-01');
    writeFileSync(file, 'same');
    utimesSync(file, time, time);
    const places = await placeReports(lane('out.xml'), { scratch, cwd });
    writeFileSync(file, 'same');
    utimesSync(file, time, time);
    expect((await findReports(lane('out.xml'), places, cwd)).fresh).toEqual([file]);
  });

  it('is nowhere where nothing was written', async () => {
    const { scratch, cwd } = folders();
    for (const report of ['{report}', 'out.xml', 'out/**/*.xml']) {
      const places = await placeReports(lane(report), { scratch, cwd });
      expect(await findReports(lane(report), places, cwd)).toEqual({ fresh: [], stale: [] });
    }
  });
});
