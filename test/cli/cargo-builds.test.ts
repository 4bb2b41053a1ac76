/** A workspace of crates: what its lane's build holds, and what only looks as if it did. */
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import {
  createProject,
  prove,
  spec,
  verdicts,
  type Files,
  type Proven,
} from '../support/project.js';

const manifest = (name: string, more = ''): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;

const locked = (name: string, ...dependencies: readonly string[]): string =>
  [
    '[[package]]',
    `name = "${name}"`,
    'version = "0.1.0"',
    ...(dependencies.length === 0
      ? []
      : ['dependencies = [', ...dependencies.map((each) => ` "${each}",`), ']']),
    '',
  ].join('\n');

const FILES: Files = {
  '.gitignore': 'target/\n',
  'Cargo.toml':
    '[workspace]\nmembers = ["app", "core", "iso"]\nexclude = ["ext"]\nresolver = "2"\n',
  'Cargo.lock': [
    'version = 4\n',
    locked('app', 'core-of-app', 'ext'),
    locked('core-of-app'),
    locked('ext'),
    locked('iso'),
  ].join('\n'),
  'core/Cargo.toml': manifest('core-of-app', '[features]\nfancy = []\n'),
  'core/src/lib.rs':
    'pub mod used;\n#[cfg(windows)]\nmod win;\n#[cfg(feature = "fancy")]\nmod fancy;\n',
  'core/src/used.rs': 'pub fn two() -> u32 {\n    2\n}\n\npub fn uncalled() -> u32 {\n    7\n}\n',
  'core/src/win.rs': 'pub const W: u32 = 1;\n',
  'core/src/fancy.rs': 'pub const F: u32 = 1;\n',
  'core/src/orphan.rs': 'pub const O: u32 = 1;\n',
  'app/Cargo.toml': manifest(
    'app',
    '[dependencies]\ncore-of-app = { path = "../core" }\next = { path = "../ext" }\n',
  ),
  'app/build.rs': [
    'fn main() {',
    '    println!("cargo:rerun-if-changed=told.txt");',
    '    let told = std::fs::read_to_string("told.txt").unwrap();',
    '    println!("cargo:rustc-env=TOLD={}", told.trim());',
    '}',
    '',
  ].join('\n'),
  'app/told.txt': 'told\n',
  'app/src/lib.rs': [
    'pub const CONF: &str = include_str!("conf.json");',
    'pub const TOLD: &str = env!("TOLD");',
    '',
    'pub fn four() -> u32 {',
    '    core_of_app::used::two() * ext::two()',
    '}',
    '',
    '#[cfg(test)]',
    'mod tests {',
    '    #[test]',
    '    fn four() {',
    '        assert_eq!(super::four(), 4);',
    '    }',
    '',
    '    #[test]',
    '    fn conf() {',
    '        assert!(super::CONF.contains("yes"));',
    '    }',
    '',
    '    #[test]',
    '    fn told() {',
    '        assert_eq!(super::TOLD, "told");',
    '    }',
    '}',
    '',
  ].join('\n'),
  'app/src/conf.json': '{ "a": "yes" }\n',
  'app/data.txt': 'as it was\n',
  'app/tests/it.rs':
    '#[test]\nfn data() {\n    assert_eq!(std::fs::read_to_string("data.txt").unwrap(), "as it was\\n");\n}\n',
  'iso/Cargo.toml': manifest('iso'),
  'iso/src/lib.rs': 'pub const I: u32 = 1;\n',
  'ext/Cargo.toml': manifest('ext'),
  'ext/src/lib.rs': 'pub fn two() -> u32 {\n    2\n}\n',
};

const replace = (id: string, file: string, find: string, other: string, ...flips: string[]) => ({
  id,
  file,
  replace: { find, with: other },
  flips,
});

const MUTATIONS = [
  replace('dependency', 'core/src/used.rs', '    2', '    3', 'app tests::four'),
  replace('outside', 'ext/src/lib.rs', '    2', '    3', 'app tests::four'),
  replace('included', 'app/src/conf.json', 'yes', 'no', 'app tests::conf'),
  replace('at-run-time', 'app/data.txt', 'was', 'is', 'app::it data'),
  replace('told', 'app/told.txt', 'told', 'else', 'app tests::told'),
  replace('uncalled', 'core/src/used.rs', '    7', '    8', 'app tests::four'),
  replace('off-by-target', 'core/src/win.rs', '= 1', '= 2', 'app tests::four'),
  replace('off-by-feature', 'core/src/fancy.rs', '= 1', '= 2', 'app tests::four'),
  replace('orphan', 'core/src/orphan.rs', '= 1', '= 2', 'app tests::four'),
  replace('unrelated', 'iso/src/lib.rs', '= 1', '= 2', 'app tests::four'),
  replace('no-type', 'core/src/used.rs', '    2', '    ""', 'app tests::four'),
];

const PROVEN = { dependency: 'pinned', outside: 'pinned', included: 'pinned' };
const BY_EFFECT = { 'at-run-time': 'pinned', told: 'pinned' };
const NOT_BUILT = {
  'off-by-target': 'core/src/lib.rs leaves it out: #[cfg(windows)] mod win;',
  'off-by-feature': 'core/src/lib.rs leaves it out: #[cfg(feature = "fancy")] mod fancy;',
  orphan: 'no `mod orphan;` declares it',
  unrelated: 'its package iso is not in the build of this lane',
};

function expectEveryVerdict(run: Proven): void {
  expect(run.exitCode).toBe(1);
  expect(verdicts(run)).toEqual({
    ...PROVEN,
    ...BY_EFFECT,
    ...Object.fromEntries(Object.keys(NOT_BUILT).map((id) => [id, 'not-loaded'])),
    uncalled: 'survived',
    'no-type': 'broken',
  });
  for (const id of Object.keys(PROVEN)) {
    expect(run.proof(id).loaded.proof).toBe('rebuilt');
    expect(sumsOf(run, id, 'mutated')).not.toEqual([]);
    expect(sumsOf(run, id, 'restored')).toEqual([]);
  }
  for (const id of Object.keys(BY_EFFECT)) expect(run.proof(id).loaded.proof).toBe('by-effect');
  expect(sumsOf(run, 'at-run-time', 'mutated')).toEqual([]);
  for (const [id, why] of Object.entries(NOT_BUILT))
    expect(run.proof(id).facts[0]).toMatch(ending(`: ${why}`));
  expect(run.proof('uncalled')).toMatchObject({ loaded: { proof: 'rebuilt' } });
  expect(run.proof('uncalled').facts).toContain(
    'No test executable changed: nothing that is linked into one uses these bytes.',
  );
  expect(run.proof('no-type').facts).toEqual(['core/src/used.rs:2: E0308: mismatched types']);
  for (const { files } of run.record.proofs)
    for (const { baseline, restored } of files) expect(restored).toBe(baseline);
}

const ending = (text: string): RegExp =>
  new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);

const sumsOf = (run: Proven, id: string, step: string): readonly unknown[] | undefined =>
  run.proof(id).steps.find((each) => each.step === step)?.executables?.sums;

describe('a lane of one package in a workspace', () => {
  it('proves what it builds, names what it does not, and gives the same answer when it is warm', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: cargo, packages: [app] } }\n',
      'mutations/all.yaml': spec(MUTATIONS),
    });
    for (const file of Object.keys(FILES))
      utimesSync(join(project.folder, file), 1_577_836_800, 1_577_836_800);
    const before = project.snapshot();
    const shared = join(project.state, 'shared target');
    // Each of these would make the run another one, or a wrong one, if it came through.
    const env = {
      CARGO_TARGET_DIR: shared,
      CARGO_BUILD_BUILD_DIR: shared,
      CARGO_INCREMENTAL: '0',
      CARGO_TERM_COLOR: 'always',
      CARGO_TERM_QUIET: 'true',
      RUSTC_WRAPPER: '/nonexistent/wrapper',
      RUSTFLAGS: '-C debuginfo=1',
      RUST_TEST_NOCAPTURE: '1',
      RUST_BACKTRACE: 'full',
    };

    const cold = await prove(project, ['run'], { env });
    expectEveryVerdict(cold);
    expect(project.snapshot()).toEqual(before);
    const warm = await prove(project, ['run'], { env });
    expectEveryVerdict(warm);
    expect(project.snapshot()).toEqual(before);

    const [lane] = warm.record.lanes;
    expect(lane).toMatchObject({ runner: 'cargo', selected: 4, collected: 4 });
    expect(lane?.command).toEqual(['cargo', 'test', '-p', 'app', '--lib', '--test', '*']);
    expect(existsSync(shared)).toBe(false);
    const targets = fastGlob.sync('cache/counterproof/*/cargo/unit/target', {
      cwd: project.state,
      onlyDirectories: true,
    });
    expect(targets).toHaveLength(1);
  });
});

describe('a probe file', () => {
  it('is built and run whatever the lane selects, and is gone afterwards', async () => {
    const project = createProject({
      ...FILES,
      'counterproof.yaml':
        'version: 1\nlanes: { unit: { runner: cargo, packages: [app], targets: [lib], select: conf } }\n',
      'mutations/probed.yaml': spec([
        {
          ...replace('probed', 'ext/src/lib.rs', '    2', '    3', 'app::probe outer'),
          probes: [
            {
              path: 'app/tests/probe.rs',
              content: '#[test]\nfn outer() {\n    assert_eq!(app::four(), 4);\n}\n',
            },
          ],
        },
        replace('without', 'app/src/conf.json', 'yes', 'no', 'app tests::conf'),
      ]),
    });
    const before = project.snapshot();
    const run = await prove(project);
    expect(verdicts(run)).toEqual({ probed: 'pinned', without: 'pinned' });
    expect(run.record.lanes.map(({ probes, selected }) => [probes, selected])).toEqual(
      expect.arrayContaining([
        [['app/tests/probe.rs'], 2],
        [[], 1],
      ]),
    );
    expect(project.snapshot()).toEqual(before);
  });
});
