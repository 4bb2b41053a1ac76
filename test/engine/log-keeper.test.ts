import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Draft } from '../../src/engine/draft.js';
import { createLogKeeper, type LogBounds } from '../../src/engine/log-keeper.js';
import type { StepEvidence } from '../../src/proof/evidence.js';
import { evidence, step } from '../proof/build.js';

/** Mutations that share one restored run, each with a log of its own. */
function bench(bounds: LogBounds) {
  const folder = mkdtempSync(join(tmpdir(), 'cp-logs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keeper = createLogKeeper(folder, bounds);
  const logged = (name: string, of: 'mutated' | 'restored'): StepEvidence => {
    writeFileSync(join(folder, name), 'x'.repeat(100));
    return { ...step(of), log: name };
  };
  return {
    left: () => readdirSync(folder).toSorted(),
    settle: async (group: Readonly<Record<string, boolean>>) => {
      const names = Object.keys(group);
      const restored = logged(`${names[0]}-restored`, 'restored');
      const drafts = names.map(
        (name) => evidence({ mutated: logged(name, 'mutated'), restored }) as Draft,
      );
      await keeper.settled(
        drafts.map((draft, index) => ({ draft, stands: group[names[index] ?? ''] === true })),
      );
      return drafts.map(({ mutated, restored: back }) => [mutated?.log, back?.log]);
    },
  };
}

it('logs of what stands go, but for the first ones; those of all others stay', async () => {
  const { settle, left } = bench({ standing: 1, bytes: 1e6 });
  expect(await settle({ a: true, b: true })).toEqual([
    ['a', 'a-restored'],
    [null, 'a-restored'],
  ]);
  expect(await settle({ c: true, d: true })).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(await settle({ e: true, f: false })).toEqual([
    [null, 'e-restored'],
    ['f', 'e-restored'],
  ]);
  expect(left()).toEqual(['a', 'a-restored', 'e-restored', 'f']);
});

it('logs of all others go too, where they are too much', async () => {
  const { settle, left } = bench({ standing: 0, bytes: 150 });
  await settle({ a: false });
  await settle({ b: false });
  await settle({ c: false });
  expect(left()).toEqual(['a', 'a-restored']);
});
