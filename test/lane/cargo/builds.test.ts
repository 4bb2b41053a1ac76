/** Builds by the real cargo: what is proven to be built, and what must never be taken for it. */
import { statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { createCrate, manifest, openBuilder, type Crate } from './crates.js';

const LIB = 'pub fn two() -> u32 { 2 }\n#[test] fn is_two() { assert_eq!(two(), 2); }\n';
const MUTANT = LIB.replace('{ 2 }', '{ 3 }');

const jail = (): Crate =>
  createCrate({ 'Cargo.toml': manifest('jail'), 'src/lib.rs': LIB, 'src/orphan.rs': '' });

const date = ({ folder }: Crate, name: string, seconds: number): void => {
  utimesSync(path.join(folder, name), seconds, seconds);
};

const sumsOf = async (building: ReturnType<Awaited<ReturnType<typeof openBuilder>>['build']>) => {
  const built = await building;
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  return Object.fromEntries(built.value.binaries.map(({ id, sha256 }) => [id, sha256]));
};

/** Times, in seconds, that cargo compares files with. */
function fingerprints({ cache }: Crate): readonly number[] {
  return globSync('target/debug/.fingerprint/*/dep-*', { cwd: cache }).map(
    (name) => statSync(path.join(cache, name)).mtimeMs / 1000,
  );
}

describe('a file under proof', () => {
  test('is built in the baseline although an earlier run left it fresh, and in every state after', async () => {
    const crate = jail();
    date(crate, 'src/lib.rs', 1_577_836_800);
    const first = await openBuilder(crate);
    const before = await sumsOf(first.build());

    const { build, load, mutate } = await openBuilder(crate);
    expect(await sumsOf(build('src/lib.rs'))).toEqual(before);
    expect(load('src/lib.rs')).toMatchObject({ proof: 'rebuilt', by: 'jail (lib test)' });
    await mutate({ 'src/lib.rs': MUTANT });
    expect(await sumsOf(build('src/lib.rs'))).not.toEqual(before);
    expect(load('src/lib.rs')).toMatchObject({ proof: 'rebuilt' });
    await mutate({ 'src/lib.rs': LIB });
    expect(await sumsOf(build('src/lib.rs'))).toEqual(before);
    expect(load('src/lib.rs')).toMatchObject({ proof: 'rebuilt' });
  });

  test('is built from the mutant although the mutant came with an old time', async () => {
    const crate = jail();
    const { build, mutate, builder } = await openBuilder(crate);
    const before = await sumsOf(build('src/lib.rs'));
    for (const seconds of [1_577_836_800, 0]) {
      await mutate({ 'src/lib.rs': MUTANT });
      date(crate, 'src/lib.rs', seconds);
      await builder.written(['src/lib.rs']);
      expect(await sumsOf(build('src/lib.rs'))).not.toEqual(before);
      await mutate({ 'src/lib.rs': LIB });
      date(crate, 'src/lib.rs', seconds);
      await builder.written(['src/lib.rs']);
      expect(await sumsOf(build('src/lib.rs'))).toEqual(before);
    }
  });

  test('is built from the mutant although its time is that of the last build', async () => {
    const crate = jail();
    const { build, mutate, builder } = await openBuilder(crate);
    const before = await sumsOf(build('src/lib.rs'));
    const [depInfo] = [...new Set(fingerprints(crate))];
    await mutate({ 'src/lib.rs': MUTANT });
    date(crate, 'src/lib.rs', depInfo ?? 0);
    await builder.written(['src/lib.rs']);
    expect(await sumsOf(build('src/lib.rs'))).not.toEqual(before);
  });

  test('is built in every state although its time lies in the future', async () => {
    const crate = jail();
    const { build, mutate, load } = await openBuilder(crate);
    date(crate, 'src/lib.rs', 4_000_000_000);
    const before = await sumsOf(build('src/lib.rs'));
    await mutate({ 'src/lib.rs': MUTANT });
    date(crate, 'src/lib.rs', 4_000_000_001);
    expect(await sumsOf(build('src/lib.rs'))).not.toEqual(before);
    await mutate({ 'src/lib.rs': LIB });
    date(crate, 'src/lib.rs', 4_000_000_000);
    expect(await sumsOf(build('src/lib.rs'))).toEqual(before);
    expect(load('src/lib.rs')).toMatchObject({ proof: 'rebuilt' });
  });
});
