import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isAsMarked, markOf } from '../../src/workspace/overlay/upper.js';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function layer(): string {
  const upper = mkdtempSync(join(tmpdir(), 'cp-upper-'));
  made.push(upper);
  mkdirSync(join(upper, 'src'));
  writeFileSync(join(upper, 'src/a.py'), 'A = 1\n');
  // So that a change within one tick of the clock is seen by its time as well.
  for (const name of ['src/a.py', 'src', '.']) utimesSync(join(upper, name), 1, 1);
  return upper;
}

it('a layer that is left alone is as it was marked', async () => {
  const upper = layer();
  expect(await isAsMarked(upper, await markOf(upper))).toBe(true);
});

it.each<[string, (upper: string) => void]>([
  ['a new file', (upper) => writeFileSync(join(upper, 'b'), '')],
  [
    'a new file in a folder of its own',
    (upper) => mkdirSync(join(upper, 'new/deep'), { recursive: true }),
  ],
  ['the same bytes, written anew', (upper) => writeFileSync(join(upper, 'src/a.py'), 'A = 1\n')],
  ['another mode', (upper) => chmodSync(join(upper, 'src/a.py'), 0o600)],
  ['a file that is gone', (upper) => rmSync(join(upper, 'src/a.py'))],
  [
    'a file that came and went',
    (upper) => {
      writeFileSync(join(upper, 'src/b.py'), '');
      rmSync(join(upper, 'src/b.py'));
    },
  ],
])('%s is noticed', async (_, change) => {
  const upper = layer();
  const mark = await markOf(upper);
  change(upper);
  expect(await isAsMarked(upper, mark)).toBe(false);
});

it('what vanished by the time it is looked at is not as it was marked', async () => {
  const upper = layer();
  const mark = await markOf(upper);
  const gone = join(upper, 'gone');
  expect(await markOf(gone)).toBeNull();
  expect(await isAsMarked(gone, mark)).toBe(false);
});

it('a layer that holds more than it pays to look through never is', async () => {
  const upper = layer();
  for (let file = 0; file < 300; file += 1) writeFileSync(join(upper, `src/${file}`), '');
  expect(await isAsMarked(upper, await markOf(upper))).toBe(false);
});
