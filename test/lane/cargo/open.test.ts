/** Opening a lane: what is found out before anything is built, and what is refused with a way out. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCargoLane } from '../../../src/lane/cargo/open.js';
import { findToolchain } from '../../../src/lane/cargo/toolchain.js';
import type { RunRequest } from '../../../src/lane/lane.js';
import { createNonce, runProcess } from '../../../src/lane/process.js';
import type { CargoLane } from '../../../src/spec/model.js';
import { script, tools } from '../pytest/detect-support.js';
import { aLane } from './builders.js';
import { createCrate, manifest, type Crate } from './crates.js';

const FILES = {
  'Cargo.toml': manifest('jail', '[features]\nfancy = []\n'),
  'src/lib.rs': '',
  'tests/stop.rs': '',
};

const open = (
  crate: Crate,
  lane: Partial<CargoLane> = {},
  env: Readonly<Record<string, string | undefined>> = {},
) =>
  openCargoLane({
    tree: crate.folder,
    root: crate.folder,
    lane: aLane(lane),
    env: Object.fromEntries(
      Object.entries({ ...process.env, XDG_CACHE_HOME: crate.cache, ...env }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    slot: 0,
  });

describe('a lane that can be opened', () => {
  test('says its command, toolchain and versions', async () => {
    const opened = await open(createCrate(FILES), {
      packages: ['jail'],
      features: ['fancy'],
      select: 'stop',
      args: ['--offline', '--', '--nocapture'],
    });
    expect(opened.ok && (await opened.value.describe())).toEqual({
      ok: true,
      value: {
        command:
          'cargo test -p jail --lib --test * --features fancy --offline stop -- --nocapture'.split(
            ' ',
          ),
        from: '`cargo` in PATH',
        versions: {
          cargo: expect.stringMatching(/^1\.\d+\.\d+/),
          rustc: expect.stringMatching(/^1\.\d+\.\d+/),
        },
        tool: expect.stringMatching(/^\/.*\/cargo$/),
        seeds: {},
      },
    });
  });

  test.each(['rust-toolchain', 'rust-toolchain.toml'])('names %s, which chose', async (name) => {
    const crate = createCrate({ [name]: '1.80.0', 'deep/er/x': '' });
    const bin = tools(crate.cache);
    script(path.join(bin, 'cargo'), 'echo "cargo 1.80.0 (376290515 2024-07-16)"');
    script(path.join(bin, 'rustc'), 'printf "rustc 1.80.0\\nhost: a-b-c\\nrelease: 1.80.0\\n"');
    const found = await findToolchain({
      toolchain: null,
      cwd: path.join(crate.folder, 'deep/er'),
      env: { PATH: bin },
      signal: new AbortController().signal,
      runProcess,
      createNonce,
    });
    expect(found).toEqual({
      ok: true,
      value: {
        cargo: ['cargo'],
        rustc: ['rustc'],
        tool: path.join(bin, 'cargo'),
        versions: { cargo: '1.80.0', rustc: '1.80.0' },
        host: 'a-b-c',
        from: name,
      },
    });
  });

  test('runs `prepare` and `build`, with their last words where they fail', async () => {
    const crate = createCrate(FILES);
    const opened = await open(crate, { prepare: 'echo no >&2; exit 3', build: ['false'] });
    if (!opened.ok) throw new Error(opened.error.message);
    const { signal } = new AbortController();
    expect(await opened.value.prepare(signal)).toEqual({
      ok: false,
      error: { message: '`prepare` of lane unit failed: exit 3: no', hint: null },
    });
    expect(await opened.value.build(signal)).toEqual([
      { stage: 'build', file: null, line: null, message: '`build` failed: exit 1' },
    ]);
    expect(await opened.value.compile([{ path: 'src/lib.rs', bytes: Buffer.from('{') }])).toEqual([
      null,
    ]);
  });
});

describe('a lane that cannot', () => {
  test.each([
    [
      'for want of a package',
      { packages: ['jial'] },
      'there is no package `jial` in this workspace',
      'Did you mean `jail`?',
    ],
    [
      'for want of a test',
      { targets: ['test:stpo'] },
      'there is no integration test `stpo` in jail',
      'Did you mean `stop`?',
    ],
    [
      'for want of a feature',
      { features: ['fanci'] },
      'there is no feature `fanci` in jail',
      'Did you mean `fancy`?',
    ],
    [
      'for want of a manifest',
      { cwd: '..' },
      expect.stringMatching(/^there is no Cargo\.toml in \/.*, nor above it$/),
      'Name the folder of the workspace with `cwd` in the lane.',
    ],
    [
      'because it has two targets',
      { args: ['--target', 'a-b-c', '--target=d-e-f'] },
      'a lane builds for one target, and this one has a-b-c, d-e-f',
      'Make a lane for each, with one `--target` in its `args`.',
    ],
    [
      'for want of a toolchain',
      { toolchain: 'no such one' },
      expect.stringMatching(
        /^`cargo \+no such one --version|^`cargo \+no such one` cannot be used: /,
      ),
      expect.stringContaining('rustup toolchain install'),
    ],
  ] as const)('%s', async (_, lane, message, hint) => {
    expect(await open(createCrate(FILES), lane as Partial<CargoLane>)).toEqual({
      ok: false,
      error: { message, hint },
    });
  });

  test('for want of cargo', async () => {
    const crate = createCrate(FILES);
    expect(await open(crate, {}, { PATH: crate.cache })).toEqual({
      ok: false,
      error: {
        message: 'there is no `cargo` in PATH',
        hint: 'Install Rust with rustup, or put the folder of cargo in PATH.',
      },
    });
  });

  test('with a manifest that cargo does not understand', async () => {
    const opened = await open(createCrate({ ...FILES, 'Cargo.toml': '[package' }));
    expect(opened).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^cargo metadata: .*Cargo\.toml/) },
    });
  });

  test('with a cargo that does not start', async () => {
    const crate = createCrate(FILES);
    const bin = tools(crate.cache);
    script(path.join(bin, 'cargo'), 'echo "error: out of order" >&2; exit 1');
    expect(await open(crate, {}, { PATH: bin })).toEqual({
      ok: false,
      error: { message: '`cargo` cannot be used: out of order', hint: null },
    });
  });
});

describe('a lock file', () => {
  const git = (crate: Crate, ...args: readonly string[]): void => {
    execFileSync('git', [...args], { cwd: crate.folder });
  };
  const lock = 'version = 4\n\n[[package]]\nname = "jail"\nversion = "0.1.0"\n';

  test.each([
    ['that git tracks is not to be written', { 'Cargo.lock': lock }, ['-f', 'Cargo.lock'], true],
    ['that git does not track may be', { 'Cargo.lock': lock }, ['Cargo.toml'], false],
    ['that is not there is made', {}, ['Cargo.toml'], false],
  ] as const)('%s', async (_, more, tracked, isLocked) => {
    const crate = createCrate({ ...FILES, ...more, 'Cargo.toml': manifest('jail') });
    git(crate, 'init', '-q');
    git(crate, 'add', ...tracked);
    // A lock file that does not fit is refused only where it is not to be written.
    crate.write({ 'Cargo.toml': manifest('jail').replace('0.1.0', '0.2.0') });
    const opened = await open(crate);
    if (!opened.ok) throw new Error(opened.error.message);
    const found = await opened.value.collect(request(crate));
    expect(found.ending).toMatchObject(
      isLocked
        ? { kind: 'broken', causes: [{ message: expect.stringContaining('--locked') }] }
        : { kind: 'empty' },
    );
  });

  test('that cargo made is told of once, and goes with the lane', async () => {
    const crate = createCrate({ ...FILES, 'tests/stop.rs': '#[test] fn stops() {}\n' });
    const opened = await open(crate);
    if (!opened.ok) throw new Error(opened.error.message);
    const notes = [];
    for (const step of ['baseline', 'mutated'] as const)
      notes.push((await opened.value.run({ ...request(crate), step })).notes);
    const said = expect.stringContaining('Cargo.lock, which was not there before') as string;
    expect(notes).toEqual([[said], []]);
    const lockfile = path.join(crate.folder, 'Cargo.lock');
    expect(existsSync(lockfile)).toBe(true);
    await opened.value.close?.();
    expect(existsSync(lockfile)).toBe(false);
  });
});

function request(crate: Crate): RunRequest {
  const scratch = path.join(crate.cache, 'scratch');
  mkdirSync(scratch, { recursive: true });
  return {
    step: 'baseline',
    scope: 'lane',
    without: [],
    targets: [],
    probes: [],
    limits: { stepMs: 60_000, testMs: 60_000, memoryBytes: 2 ** 33, outputBytes: 2 ** 20 },
    scratch,
    log: path.join(crate.cache, 'log'),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
}
