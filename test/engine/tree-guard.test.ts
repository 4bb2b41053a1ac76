import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTreeGuard } from '../../src/engine/tree-guard.js';

async function bench() {
  const tree = mkdtempSync(join(tmpdir(), 'cp-guard-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  const write = (text: string): void => writeFileSync(join(tree, 'a.py'), text);
  write('original');
  const guard = await openTreeGuard(tree, ['a.py']);
  onTestFinished(guard.close);
  await guard.expect(['a.py']);
  return { guard, write };
}

/** A look begins a few turns after it was asked for. */
async function untilUnderWay(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test('a mutant that is taken away, or put in place, during a look is nobody else', async () => {
  const { guard, write } = await bench();
  guard.inPlace(['a.py']);
  write('the mutant');
  const first = guard.check('now');
  await untilUnderWay();
  guard.inPlace([]);
  expect(await first).toEqual([]);

  write('original');
  const second = guard.check('now');
  guard.inPlace(['a.py']);
  write('the mutant');
  await untilUnderWay();
  guard.inPlace([]);
  expect(await second).toEqual([]);
});

test('what is not ours stays found, also once it is put back', async () => {
  const { guard, write } = await bench();
  write("somebody's");
  expect(await guard.check('now')).toEqual(['a.py']);
  write('original');
  expect(await guard.check('now')).toEqual(['a.py']);
});
