/** What the real cargo refuses, as breakages with a place. */
import { describe, expect, test } from 'vitest';
import { createCrate, manifest, openBuilder } from './crates.js';

const LIB = '#![deny(warnings)]\npub fn two() -> u32 {\n    2\n}\n';
const FILES = {
  'Cargo.toml': manifest('jail', 'build = "build.rs"\n[features]\nextra = []\n'),
  'build.rs': 'fn main() {}\n',
  'src/lib.rs': LIB,
};

const endingOf = async (building: ReturnType<Awaited<ReturnType<typeof openBuilder>>['build']>) => {
  const built = await building;
  return built.ok ? null : built.error.ending;
};

const place = { stage: 'build', file: 'src/lib.rs' };

test('each refusal names its file, line and code; what is put right is built again', async () => {
  const { build, mutate, load } = await openBuilder(createCrate(FILES));
  expect(await endingOf(build('src/lib.rs'))).toBeNull();
  const broken = async (lib: string) => {
    await mutate({ 'src/lib.rs': lib });
    return endingOf(build('src/lib.rs'));
  };
  expect(await broken(LIB.replace('    2', '    "x"'))).toEqual({
    kind: 'broken',
    causes: [{ ...place, line: 3, message: 'E0308: mismatched types' }],
  });
  expect(await broken(LIB.replace('{\n', '\n'))).toMatchObject({
    kind: 'broken',
    causes: [{ ...place, line: 4 }],
  });
  expect(await broken(LIB.replace('    2', '    let x = 1; 2'))).toEqual({
    kind: 'broken',
    causes: [{ ...place, line: 3, message: 'unused_variables: unused variable: `x`' }],
  });
  expect(
    await broken(`${LIB}extern "C" { fn nowhere(); }\n#[test] fn t() { unsafe { nowhere() } }\n`),
  ).toMatchObject({
    kind: 'broken',
    causes: [
      { stage: 'build', file: null, line: null, message: expect.stringMatching(/^linking with/) },
    ],
  });
  const many = `${LIB}${Array.from({ length: 7 }, (_, i) => `pub fn f${i}() -> u32 { "" }\n`).join('')}`;
  expect(await broken(many)).toMatchObject({
    causes: [
      { line: 5 },
      { line: 6 },
      { line: 7 },
      { line: 8 },
      { line: 9 },
      { message: 'and 2 more' },
    ],
  });
  expect(load('src/lib.rs')).toBeUndefined();
  await mutate({ 'build.rs': 'fn main() { panic!("no compiler") }\n', 'src/lib.rs': LIB });
  expect(await endingOf(build('src/lib.rs'))).toMatchObject({
    kind: 'broken',
    causes: [
      {
        stage: 'build',
        file: null,
        message: expect.stringMatching(/^failed to run custom build command for `jail/),
      },
    ],
  });
  await mutate({ 'build.rs': FILES['build.rs'] });
  expect(await endingOf(build('src/lib.rs'))).toBeNull();
  expect(load('src/lib.rs')).toMatchObject({ proof: 'rebuilt' });
});

test('a cap on lints lets a mutant be judged that trips over one', async () => {
  const crate = createCrate({ ...FILES, 'src/lib.rs': LIB.replace('    2', '    let x = 1; 2') });
  const { build } = await openBuilder(crate, { capLints: 'warn', env: { RUSTFLAGS: '' } });
  expect(await endingOf(build('src/lib.rs'))).toBeNull();
});

test('a manifest that cargo does not understand is no build, and is quoted', async () => {
  const { build, mutate } = await openBuilder(createCrate(FILES));
  await mutate({ 'Cargo.toml': '[package\n' });
  expect(await endingOf(build())).toMatchObject({
    kind: 'broken',
    causes: [{ stage: 'configure', message: expect.stringContaining('Cargo.toml') }],
  });
});

test('a target that needs a feature is refused and the feature named, not left out', async () => {
  const crate = createCrate({
    ...FILES,
    'Cargo.toml': `${FILES['Cargo.toml']}[[test]]\nname = "needy"\nrequired-features = ["extra"]\n`,
    'tests/needy.rs': '#[test] fn t() {}\n',
    'tests/plain.rs': '#[test] fn t() {}\n',
  });
  const refused = await openBuilder(crate);
  expect(await endingOf(refused.build())).toMatchObject({
    kind: 'broken',
    causes: [
      {
        stage: 'configure',
        message: expect.stringMatching(/`needy` in package `jail` requires the features: `extra`/),
      },
    ],
  });
  const given = await openBuilder(crate, { features: ['extra'] });
  expect(await endingOf(given.build())).toBeNull();
  const without = await openBuilder(crate, { targets: ['lib', 'test:plain'] });
  expect(await endingOf(without.build())).toBeNull();
});

describe('a build that is ended', () => {
  test('by a signal is cancelled', async () => {
    const { builder } = await openBuilder(createCrate(FILES));
    const order = { probes: [], memoryBytes: null, scratch: '/', signal: AbortSignal.abort() };
    expect(await endingOf(builder.ensure([], order))).toEqual({ kind: 'cancelled' });
  });
});
