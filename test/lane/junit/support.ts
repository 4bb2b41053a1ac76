/** Reports by the few words that a test is about. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { gather, type Gathered } from '../../../src/lane/junit/gather.js';
import { targetNames } from '../../../src/lane/junit/broken.js';
import { readReport, type JunitCase, type ReportEnd } from '../../../src/lane/junit/report.js';

/** Absolute path of the project in which every report of these tests was written. */
export const ROOT = '/home/me/project';

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cp-junit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Read extends ReportEnd {
  readonly cases: readonly JunitCase[];
}

export async function read(content: string | Buffer): Promise<Read> {
  const file = path.join(temporaryFolder(), 'report.xml');
  writeFileSync(file, content);
  const cases: JunitCase[] = [];
  const end = await readReport(file, (found) => cases.push(found));
  return { ...end, cases };
}

/** All that reports of one step come to; `targets` are the files under proof. */
export async function gathered(
  reports: readonly string[],
  targets: readonly string[] = [],
): Promise<Gathered> {
  const gathering = gather({
    roots: [ROOT],
    targets: targetNames(
      targets.map((name) => ({ path: name })),
      { tree: ROOT, cwd: ROOT },
    ),
    placeIn: () => null,
  });
  for (const report of reports) {
    const { cases, suiteFaults } = await read(report);
    cases.forEach(gathering.take);
    gathering.takeFaults(suiteFaults);
  }
  return gathering.done();
}

/** A case with nothing but what the test says of it. */
export const caseOf = (more: Partial<JunitCase>): JunitCase => ({
  suites: [],
  file: null,
  classname: null,
  name: null,
  time: null,
  status: null,
  marks: [],
  ...more,
});

export const suite = (...content: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="unit">${content.join('')}</testsuite></testsuites>\n`;
