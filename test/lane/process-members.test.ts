import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { onLinux } from './process/support.js';
import {
  commandLine,
  environmentValue,
  processIds,
  readStat,
} from '../../src/lane/process/proc.js';
import { membersOf } from '../../src/lane/process/members.js';
import { belongsToRun, belongsToTree, runMark } from '../../src/lane/process/nonce.js';
import { rememberStrangers, type ProcessTable } from '../../src/lane/process/strangers.js';

const table = { ids: [1], newest: 0, forks: 0 };
const standIn: ProcessTable = {
  processIds: () => table.ids,
  newestId: () => table.newest,
  forkCount: () => table.forks,
};

const now = (ids: number[], newest: number, forks: number): void => {
  Object.assign(table, { ids, newest, forks });
};

describe('strangers are left out of the next look', () => {
  test('those that were here before the run began', () => {
    now([1, 50, 90], 100, 1_000);
    const strangers = rememberStrangers('everybody', standIn);
    now([1, 50, 90, 101], 101, 1_001);
    expect(strangers.others()).toEqual([101]);
  });

  test('but for a leader that was forked ahead of its run', () => {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const leader = child.pid ?? 0;
    try {
      const strangers = rememberStrangers('everybody');
      const members = membersOf({ leader, owns: () => false }, strangers);
      expect(members.look().map(({ pid }) => pid)).toEqual([leader]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('and none where nobody was known', () => {
    now([1, 50], 100, 1_000);
    expect(rememberStrangers('nobody', standIn).others()).toEqual([1, 50]);
  });

  test('a number that may have been given anew is looked at again', () => {
    now([1, 150], 100, 1_000);
    const strangers = rememberStrangers('everybody', standIn);
    now([1, 150], 160, 1_060);
    expect(strangers.others()).toEqual([150]);
  });

  test('after the numbers started again everybody is looked at', () => {
    now([1, 50], 100, 1_000);
    const strangers = rememberStrangers('everybody', standIn);
    now([1, 50], 60, 1_500);
    expect(strangers.others()).toEqual([1, 50]);
  });

  test('after as many forks as could be a whole turn, too', () => {
    now([1, 50], 100, 1_000);
    const strangers = rememberStrangers('everybody', standIn);
    now([1, 50], 101, 40_000);
    expect(strangers.others()).toEqual([1, 50]);
  });

  test('one that has gone and come back is looked at', () => {
    now([1, 50], 100, 1_000);
    const strangers = rememberStrangers('everybody', standIn);
    now([1], 100, 1_000);
    expect(strangers.others()).toEqual([]);
    now([1, 50], 100, 1_001);
    expect(strangers.others()).toEqual([50]);
  });

  test('one that was judged since', () => {
    now([1], 100, 1_000);
    const strangers = rememberStrangers('everybody', standIn);
    now([1, 101], 101, 1_001);
    expect(strangers.others()).toEqual([101]);
    strangers.add(101);
    expect(strangers.others()).toEqual([]);
  });
});

test.each([
  ['A=1\0COUNTERPROOF_RUN=abc\0B=2\0', 'abc'],
  ['COUNTERPROOF_RUN=abc', 'abc'],
  ['X_COUNTERPROOF_RUN=no\0COUNTERPROOF_RUN=yes\0', 'yes'],
  ['X=COUNTERPROOF_RUN=no\0', null],
  ['COUNTERPROOF_RUN=\0', ''],
  ['', null],
])('the value in %j is %j', (environment, value) => {
  expect(environmentValue(Buffer.from(environment), 'COUNTERPROOF_RUN')).toBe(value);
});

test.each([
  ['abc', 'abc', true],
  ['abc/def', 'abc', true],
  ['abcd', 'abc', false],
  ['abc', 'abc/def', false],
  ['outer/abc/def', 'abc', true],
  ['outer/xabc', 'abc', false],
])('%s belongs to %s: %s', (value, nonce, expected) => {
  expect(belongsToRun(value, nonce)).toBe(expected);
});

describe.runIf(onLinux)('the real /proc', () => {
  test('knows this process', () => {
    expect(processIds()).toContain(process.pid);
    expect(readStat(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(commandLine(process.pid)).toMatch(/node/);
  });

  test('a process that is not there', () => {
    expect(readStat(2 ** 22 + 1)).toBeNull();
    expect(commandLine(2 ** 22 + 1)).toBe('[?]');
  });
});

test.each([
  [runMark('/tree', 'run-1'), true],
  [`outer/${runMark('/tree', 'run-2')}/lane`, true],
  [runMark('/tree/below', 'run-1'), false],
  ['lane', false],
])('%s belongs to a run on /tree: %s', (value, expected) => {
  expect(belongsToTree(value, '/tree')).toBe(expected);
});
