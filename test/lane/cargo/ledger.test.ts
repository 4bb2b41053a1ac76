import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/lane/cargo/ledger.js';

interface Place {
  readonly folder: string;
  readonly target: string;
  readonly lib: string;
  readonly used: string;
}

function place(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), 'cp-ledger-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const target = path.join(folder, 'target');
  mkdirSync(target);
  const [lib, used] = [path.join(folder, 'lib.rs'), path.join(folder, 'used.rs')];
  for (const file of [lib, used]) writeFileSync(file, 'as it was');
  return { folder, target, lib, used };
}

const open = ({ folder, target }: Place) => openLedger(folder, target);

async function built(): Promise<Place> {
  const here = place();
  const ledger = await open(here);
  await ledger.begin([here.lib]);
  await ledger.finish([here.lib, here.used], new Map());
  return here;
}

test('after a build nothing has changed, for this run and the next', async () => {
  const here = await built();
  expect(await (await open(here)).changed()).toEqual([]);
});

test('a file that changed behind its time is found', async () => {
  const here = await built();
  writeFileSync(here.used, 'another');
  utimesSync(here.used, 0, 0);
  expect(await (await open(here)).changed()).toEqual([here.used]);
});

test('a file that changed between two builds is known by what the second was made from', async () => {
  const here = await built();
  writeFileSync(here.used, 'edited');
  const second = await open(here);
  expect(await second.changed()).toEqual([here.used]);
  await second.begin([here.lib]);
  await second.finish([here.lib, here.used], new Map());
  expect(await (await open(here)).changed()).toEqual([]);
  // Back to what the first build was made from: the second stands built.
  writeFileSync(here.used, 'as it was');
  expect(await (await open(here)).changed()).toEqual([here.used]);
});

test('a file that changes with every build is known by what the last one was made from', async () => {
  const here = await built();
  const ledger = await open(here);
  await ledger.changed();
  for (const text of ['from the mutant', 'as it was', 'from another!!']) {
    writeFileSync(here.used, text);
    await ledger.begin([here.lib]);
    await ledger.finish([here.lib, here.used], new Map());
    expect(await (await open(here)).changed()).toEqual([]);
  }
  // The same size and time as what was built last.
  writeFileSync(here.used, 'from the mutant');
  expect(await (await open(here)).changed()).toEqual([here.used]);
});

test('a file that is gone is found', async () => {
  const here = await built();
  rmSync(here.used);
  expect(await (await open(here)).changed()).toEqual([here.used]);
});

test('what a build was begun with is not known any more until it has succeeded', async () => {
  const here = await built();
  await (await open(here)).begin([here.lib]);
  // Killed here. The bytes are those of the last build, but another may have been made of others.
  const next = await open(here);
  expect(await next.changed()).toEqual([here.lib]);
  await next.finish([], new Map());
  expect(await next.changed()).toEqual([]);
});

test('a written file that no unit has as an input is kept in sight too', async () => {
  const here = await built();
  const data = path.join(here.folder, 'data.txt');
  writeFileSync(data, 'mutated');
  const ledger = await open(here);
  await ledger.begin([data]);
  await ledger.finish([here.lib], new Map());
  writeFileSync(data, 'restored');
  expect(await (await open(here)).changed()).toEqual([data]);
});

test('what a build script generates is no file that could change behind the builds', async () => {
  const here = await built();
  const generated = path.join(here.target, 'out', 'generated.rs');
  mkdirSync(path.dirname(generated), { recursive: true });
  writeFileSync(generated, 'of one build');
  await (await open(here)).finish([here.lib, generated], new Map());
  writeFileSync(generated, 'of the next');
  expect(await (await open(here)).changed()).toEqual([]);
});

test.each([
  ['that is damaged', '{"version": 1, "files"'],
  ['of another version', '{"version": 2, "builtAt": 0, "files": {}}'],
])('a ledger %s takes the builds with it', async (_, text) => {
  const here = await built();
  writeFileSync(path.join(here.folder, 'inputs.json'), text);
  expect(await (await open(here)).changed()).toEqual([]);
  expect(existsSync(here.target)).toBe(false);
});

test('builds without a ledger go', async () => {
  const here = place();
  await open(here);
  expect(existsSync(here.target)).toBe(false);
});

test('the time of the last build is that of its beginning or its end, whichever is known', async () => {
  const here = place();
  const before = Date.now();
  const ledger = await open(here);
  expect(ledger.builtAt()).toBe(0);
  await ledger.begin([]);
  expect(ledger.builtAt()).toBeGreaterThanOrEqual(before);
  expect((await open(here)).builtAt()).toBe(ledger.builtAt());
});
