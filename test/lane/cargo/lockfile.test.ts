import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLockfile, type Lockfile } from '../../../src/lane/cargo/lockfile.js';

function bench() {
  const base = mkdtempSync(path.join(tmpdir(), 'cp-lock-'));
  onTestFinished(() => {
    rmSync(base, { recursive: true, force: true });
  });
  const workspace = path.join(base, 'workspace');
  const builds = path.join(base, 'builds');
  for (const folder of [workspace, builds]) mkdirSync(folder);
  const file = path.join(workspace, 'Cargo.lock');
  return {
    file,
    builds,
    open: (): Lockfile => openLockfile(workspace, builds),
    write: (text: string): void => {
      writeFileSync(file, text);
    },
  };
}

test('one that cargo wrote is said, and goes, with what was noted of it', () => {
  const { file, builds, open, write } = bench();
  const lockfile = open();
  expect(lockfile.notes()).toEqual([]);
  write('cargo');
  lockfile.look();
  expect(lockfile.notes().join()).toContain('was not there before');
  write('cargo, of a mutated manifest');
  lockfile.look();
  lockfile.takeAway();
  lockfile.takeAway();
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(builds)).toEqual([]);
});

test('one that was there stays, whatever a build makes of it', () => {
  const { file, open, write } = bench();
  write('somebody');
  const lockfile = open();
  write('cargo');
  lockfile.look();
  expect(lockfile.notes()).toEqual([]);
  lockfile.takeAway();
  expect(existsSync(file)).toBe(true);
});

test('one that somebody wrote since the last build stays', () => {
  const { file, open, write } = bench();
  const lockfile = open();
  write('cargo');
  lockfile.look();
  write('somebody');
  lockfile.takeAway();
  expect(existsSync(file)).toBe(true);
});

test('one that a killed run left is known to the next, and goes', () => {
  const { file, open, write } = bench();
  const killed = open();
  write('cargo');
  killed.look();
  const next = open();
  next.look();
  next.takeAway();
  expect(existsSync(file)).toBe(false);
});

test('one that somebody wrote in the place of what a killed run left stays', () => {
  const { file, open, write } = bench();
  const killed = open();
  write('cargo');
  killed.look();
  write('somebody');
  const next = open();
  next.look();
  next.takeAway();
  expect(existsSync(file)).toBe(true);
});
