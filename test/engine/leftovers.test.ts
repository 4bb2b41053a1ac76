import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLeftoverWatch } from '../../src/engine/leftovers.js';

function bench() {
  const tree = mkdtempSync(join(tmpdir(), 'cp-leftovers-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  const watch = createLeftoverWatch(tree, new Set());
  const write = (name: string, text: string): void => writeFileSync(join(tree, name), text);
  return { watch, write };
}

test('a file that every run writes is a leftover only while its content is another', async () => {
  const { watch, write } = bench();
  await watch.begin();
  write('last', 'good');
  await watch.baselineDone();

  write('last', 'still good, then bad');
  expect(await watch.since()).toEqual(['last']);
  write('last', 'good');
  expect(await watch.since()).toEqual([]);
  write('new', '');
  expect(await watch.since()).toEqual(['new']);
});

test('a file that differs from run to run of one tree is none from then on', async () => {
  const { watch, write } = bench();
  await watch.begin();
  write('report', 'took 1 s');
  write('last', 'good');
  await watch.baselineDone();

  write('report', 'took 22 s');
  expect(await watch.since()).toEqual(['report']);
  write('report', 'took 333 s');
  await watch.restoredGreen();
  write('report', 'took 4444 s');
  write('last', 'a bad state');
  expect(await watch.since()).toEqual(['last']);
});
