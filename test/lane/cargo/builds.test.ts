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

describe('after a run that was killed while its mutant stood built', () => {
  /** The original is back as recovery puts it back: with its old time. */
  async function killed(crate: Crate) {
    date(crate, 'src/lib.rs', 1_577_836_800);
    const { build, mutate } = await openBuilder(crate);
    const before = await sumsOf(build('src/lib.rs'));
    await mutate({ 'src/lib.rs': MUTANT });
    expect(await sumsOf(build('src/lib.rs'))).not.toEqual(before);
    crate.write({ 'src/lib.rs': LIB });
    date(crate, 'src/lib.rs', 1_577_836_800);
    return before;
  }

  test('the next run builds the original, though that is under no proof in it', async () => {
    const crate = jail();
    const before = await killed(crate);
    const next = await openBuilder(crate);
    expect(await sumsOf(next.build('src/orphan.rs'))).toEqual(before);
    expect(statSync(path.join(crate.folder, 'src/lib.rs')).mtimeMs).toBe(1_577_836_800_000);
  });

  test('the next run builds the original, where that is under proof', async () => {
    const crate = jail();
    const before = await killed(crate);
    const next = await openBuilder(crate);
    expect(await sumsOf(next.build('src/lib.rs'))).toEqual(before);
  });
});

describe('what was built of a mutant in another profile', () => {
  const PROFILE = `${manifest('jail')}\n[profile.test]\nopt-level = 1\n`;
  const OLD = 1_577_836_800;

  /** As in an overlay, where an original is back with its own time. */
  async function put(
    crate: Crate,
    { mutate }: Awaited<ReturnType<typeof openBuilder>>,
    files: Readonly<Record<string, string>>,
  ): Promise<void> {
    await mutate(files);
    for (const name of ['src/lib.rs', 'Cargo.toml']) date(crate, name, OLD);
  }

  test('is not taken for one of the original where another mutation changes that', async () => {
    const crate = jail();
    const first = await openBuilder(crate);
    const before = await sumsOf(first.build('src/lib.rs'));
    await put(crate, first, { 'src/lib.rs': MUTANT });
    expect(await sumsOf(first.build('src/lib.rs'))).not.toEqual(before);
    await put(crate, first, { 'src/lib.rs': LIB });
    await put(crate, first, { 'Cargo.toml': PROFILE });
    await sumsOf(first.build('Cargo.toml'));
    await put(crate, first, { 'Cargo.toml': manifest('jail') });
    expect(await sumsOf(first.build('Cargo.toml'))).toEqual(before);
  });

  test('nor by a later run', async () => {
    const crate = jail();
    const first = await openBuilder(crate);
    await sumsOf(first.build('Cargo.toml'));
    await put(crate, first, { 'Cargo.toml': PROFILE });
    const before = await sumsOf(first.build('Cargo.toml'));
    await put(crate, first, { 'src/lib.rs': MUTANT });
    expect(await sumsOf(first.build('src/lib.rs'))).not.toEqual(before);
    await put(crate, first, { 'Cargo.toml': manifest('jail'), 'src/lib.rs': LIB });
    await sumsOf(first.build('Cargo.toml'));
    date(crate, 'src/lib.rs', OLD);

    const next = await openBuilder(crate);
    await sumsOf(next.build('Cargo.toml'));
    await put(crate, next, { 'Cargo.toml': PROFILE });
    expect(await sumsOf(next.build('Cargo.toml'))).toEqual(before);
  });
});

test('what somebody edited between two runs is built, and keeps its time', async () => {
  const crate = jail();
  const before = await sumsOf((await openBuilder(crate)).build('src/lib.rs'));
  crate.write({ 'src/lib.rs': MUTANT });
  const { mtimeMs } = statSync(path.join(crate.folder, 'src/lib.rs'));
  const next = await openBuilder(crate);
  expect(await sumsOf(next.build('src/orphan.rs'))).not.toEqual(before);
  expect(statSync(path.join(crate.folder, 'src/lib.rs')).mtimeMs).toBe(mtimeMs);
});

const WORKSPACE = {
  'Cargo.toml':
    '[workspace]\nmembers = ["core", "app", "iso"]\nexclude = ["ext"]\nresolver = "2"\n',
  'core/Cargo.toml': manifest('my-core', '[features]\nfancy = []\n'),
  'core/src/lib.rs':
    'pub mod used;\n#[cfg(windows)] mod win;\n#[cfg(feature = "fancy")] mod fancy;\n',
  'core/src/used.rs': 'pub fn two() -> u32 { 2 }\n',
  'core/src/win.rs': '',
  'core/src/fancy.rs': '',
  'core/src/orphan.rs': '',
  'app/Cargo.toml': manifest(
    'app',
    '[dependencies]\nmy-core = { path = "../core" }\next = { path = "../ext" }\n',
  ),
  'app/build.rs':
    'fn main() { println!("cargo:rerun-if-changed=told.txt"); println!("cargo:rustc-env=TOLD={}", std::fs::read_to_string("told.txt").unwrap().trim()); }\n',
  'app/told.txt': 'told\n',
  'app/src/lib.rs':
    'pub const CONF: &str = include_str!("conf.json");\npub const TOLD: &str = env!("TOLD");\npub fn four() -> u32 { my_core::used::two() * ext::two() }\n',
  'app/src/conf.json': '{}\n',
  'app/src/bin/tool.rs': 'fn main() { println!("{}", app::four()); }\n',
  'app/tests/it.rs':
    '#[test] fn it() { assert_eq!(app::four(), 4); assert!(std::fs::read_to_string("data.txt").is_ok()); }\n',
  'app/data.txt': 'read when it runs\n',
  'iso/Cargo.toml': manifest('iso'),
  'iso/src/lib.rs': '',
  'ext/Cargo.toml': manifest('ext'),
  'ext/src/lib.rs': 'pub fn two() -> u32 { 2 }\n',
};

test('only an input of a unit that was rebuilt is proven, whatever else was rebuilt beside it', async () => {
  const crate = createCrate(WORKSPACE);
  const app = await openBuilder(crate, { packages: ['app'] });
  const names = Object.keys(WORKSPACE).filter((name) => !name.endsWith('Cargo.toml'));
  await sumsOf(app.build(...names));
  // Everything is written, so that every unit is rebuilt.
  await app.mutate(Object.fromEntries(names.map((name) => [name, `${contentOf(name)}\n`])));
  await sumsOf(app.build(...names));
  expect(Object.fromEntries(names.map((name) => [name, app.load(name)?.by ?? null]))).toEqual({
    'core/src/lib.rs': 'my-core (lib)',
    'core/src/used.rs': 'my-core (lib)',
    'core/src/win.rs': null,
    'core/src/fancy.rs': null,
    'core/src/orphan.rs': null,
    'app/build.rs': 'app (build script)',
    'app/told.txt': null,
    'app/src/lib.rs': 'app (lib test), app (lib)',
    'app/src/conf.json': 'app (lib test), app (lib)',
    'app/src/bin/tool.rs': 'app::bin/tool (bin test), app::bin/tool (bin)',
    'app/tests/it.rs': 'app::it (test)',
    'app/data.txt': null,
    'iso/src/lib.rs': null,
    'ext/src/lib.rs': 'ext (lib)',
  });
  expect(Object.fromEntries(names.flatMap((name) => ofReason(name, app.load(name)?.why)))).toEqual({
    'core/src/win.rs': 'core/src/lib.rs leaves it out: #[cfg(windows)] mod win;',
    'core/src/fancy.rs': 'core/src/lib.rs leaves it out: #[cfg(feature = "fancy")] mod fancy;',
    'core/src/orphan.rs': 'no `mod orphan;` declares it',
    'app/told.txt': 'a build script reads it, and cargo does not tell whether that was run again',
    'app/data.txt': 'nothing that was compiled includes it',
    'iso/src/lib.rs': 'its package iso is not in the build of this lane',
  });
  const fancy = await openBuilder(crate, { packages: ['my-core'], features: ['fancy'] });
  await sumsOf(fancy.build('core/src/fancy.rs'));
  expect(fancy.load('core/src/fancy.rs')).toMatchObject({ proof: 'rebuilt' });
});

const contentOf = (name: string): string =>
  Object.entries(WORKSPACE).find(([known]) => known === name)?.[1] ?? '';

const ofReason = (name: string, why: string | undefined): readonly (readonly [string, string])[] =>
  why === undefined ? [] : [[name, why]];
