import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../src/proof/evidence.js';
import { endingOf, type EndingFacts } from '../../../src/lane/junit/ending.js';
import type { ProcessEnd } from '../../../src/lane/process.js';
import { gathered, suite } from './support.js';

const output = { head: Buffer.alloc(0), tail: Buffer.alloc(0), dropped: 0 };
const ended = { durationMs: 1, stdout: output, stderr: output, leftovers: [] };

const exit = (code: number, said = ''): ProcessEnd => ({
  kind: 'exited',
  code,
  ...ended,
  stderr: { ...output, head: Buffer.from(said) },
});

const GREEN = suite('<testcase name="a" time="0.001"/>', '<testcase name="b" time="0.001"/>');
const RED = suite('<testcase name="a"><failure/></testcase>', '<testcase name="b"/>');
const ONE_RED = suite('<testcase name="a"><failure/></testcase>');
const KNOWN = ['unit::a', 'unit::b'];

type Facts = Partial<Omit<EndingFacts, 'gathered' | 'reports'>> & {
  readonly xml?: readonly string[];
  readonly reports?: Partial<EndingFacts['reports']>;
};

async function ending({ xml = [GREEN], reports, ...more }: Facts): Promise<Ending> {
  return endingOf({
    end: exit(0),
    step: 'mutated',
    known: KNOWN,
    ...more,
    gathered: await gathered(xml),
    reports: {
      read: xml.map(() => 'report.xml'),
      stale: [],
      faults: [],
      where: '{report}',
      ...reports,
    },
  });
}

describe('a run', () => {
  it.each<readonly [string, Facts]>([
    ['that passed', {}],
    [
      'that failed, with a failure by name and every test of the baseline',
      { end: exit(1), xml: [RED] },
    ],
    ['whose exit code is good though a test failed', { xml: [RED] }],
    [
      'that passed without a test of the baseline, which is gone then',
      { xml: [suite('<testcase name="a"/>')] },
    ],
    [
      'that fails in the baseline, with a failure by name',
      { end: exit(1), xml: [RED], known: null, step: 'baseline' },
    ],
    [
      'that failed, with other tests than the baseline',
      { end: exit(1), xml: [RED, suite('<testcase name="c"/>')] },
    ],
    [
      'that failed over a file that could not be collected, with every test of the baseline',
      {
        end: exit(1),
        xml: [
          GREEN,
          '<testsuite name="x.ts"><testcase classname="x.ts" name="x.ts"><failure/></testcase></testsuite>',
        ],
      },
    ],
  ])('%s is complete', async (_what, facts) => {
    expect(await ending(facts)).toEqual({ kind: 'complete' });
  });

  it.each<readonly [string, Facts, Partial<Record<'kind' | 'why' | 'how' | 'without', unknown>>]>([
    ['was interrupted', { end: { kind: 'cancelled', ...ended } }, { kind: 'cancelled' }],
    [
      'could not be started',
      { end: { kind: 'not-started', code: 'ENOENT', message: 'no such file' }, xml: [] },
      { kind: 'broken' },
    ],
    [
      'ran into the time limit, also with a whole report',
      { end: { kind: 'timeout', limitMs: 9, ...ended } },
      { kind: 'timeout' },
    ],
    [
      'took too much memory',
      { end: { kind: 'out-of-memory', limitBytes: 9, peakBytes: 10, ...ended } },
      { kind: 'out-of-memory' },
    ],
    [
      'died, also with a whole report',
      { end: { kind: 'signalled', signal: 'SIGSEGV', ...ended } },
      { kind: 'crashed', how: 'SIGSEGV' },
    ],
    [
      'failed without a report',
      { end: exit(2, 'config.ts: no such plugin'), xml: [] },
      { kind: 'crashed', how: 'exit 2 without a report; it said: config.ts: no such plugin' },
    ],
    [
      'failed without a report in the baseline',
      { end: exit(2), xml: [], step: 'baseline', known: null },
      { kind: 'no-channel', why: expect.stringContaining('exit 2') as unknown },
    ],
    [
      'passed without a report',
      { xml: [] },
      { kind: 'no-channel', why: expect.stringContaining('{report}') as unknown },
    ],
    [
      'wrote no report beside an old one',
      { xml: [], reports: { stale: ['out.xml'], where: 'out.xml' } },
      {
        kind: 'no-channel',
        why: expect.stringContaining('out.xml is older than this run') as unknown,
      },
    ],
    [
      'wrote a report that is not whole, and failed',
      { end: exit(1), xml: [RED], reports: { faults: ['out.xml:9:1: unclosed tag: testsuite'] } },
      { kind: 'incomplete', why: expect.stringContaining('out.xml:9:1') as unknown },
    ],
    [
      'wrote a report that is not whole, and passed',
      { reports: { faults: ['out.xml:9:1: unclosed tag: testsuite'] } },
      { kind: 'incomplete' },
    ],
    ['has no test in its report', { xml: [suite()] }, { kind: 'empty' }],
    [
      'failed, and has no test in its report',
      { end: exit(1, 'No test files found'), xml: [suite()] },
      { kind: 'empty', why: expect.stringContaining('No test files found') as unknown },
    ],
    [
      'failed, though no test did',
      { end: exit(1, 'Unhandled Rejection\nJUNIT report written to /tmp/report.xml\n') },
      { kind: 'incomplete', why: expect.stringContaining('Unhandled Rejection') as unknown },
    ],
    [
      'failed in the baseline, though no test did',
      { end: exit(1), step: 'baseline', known: null },
      { kind: 'incomplete' },
    ],
    [
      'failed, and lacks a test of the baseline',
      { end: exit(1), xml: [ONE_RED] },
      { kind: 'incomplete', without: ['unit::b'] },
    ],
    [
      'failed, and lists a test that did not run',
      {
        end: exit(1),
        xml: [
          suite(
            '<testcase name="a" time="0.00123"><failure/></testcase>',
            '<testcase name="b" time="0"/>',
          ),
        ],
      },
      { kind: 'incomplete', without: ['unit::b'] },
    ],
    [
      'failed, and counts a failure that has no name',
      {
        end: exit(1),
        xml: [
          `<testsuite name="unit" failures="2"><testcase name="a"><failure/></testcase><testcase name="b"/></testsuite>`,
        ],
      },
      {
        kind: 'incomplete',
        why: 'the report of unit counts 2 failures, but names 1 (exit 1)',
      },
    ],
    [
      'passed, and counts a failure that no case has',
      {
        xml: [
          '<testsuites failures="1"><testsuite name="unit" failures="1"><testcase name="a"/><testcase name="b"/></testsuite></testsuites>',
        ],
      },
      { kind: 'incomplete', why: 'the report of unit counts 1 failure, but names none (exit 0)' },
    ],
    [
      'counts an error in all, and names no test',
      { xml: ['<testsuites errors="1"/>'], known: null, step: 'baseline' },
      { kind: 'incomplete', why: 'the report counts 1 failure, but names none (exit 0)' },
    ],
  ])('that %s is no evidence', async (_what, facts, expected) => {
    expect(await ending(facts)).toMatchObject(expected);
  });
});
