import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Dependency, Package } from '../../../src/lane/cargo/metadata.js';
import { selectTargets } from '../../../src/lane/cargo/selection.js';
import { createUnrunFinder } from '../../../src/lane/cargo/unrun.js';
import type { Unit } from '../../../src/lane/cargo/units.js';
import type { CargoLane } from '../../../src/spec/model.js';
import { aLane, anArtifact, aPackage, aTarget, aWorkspace } from './builders.js';

const on = (name: string, more: Partial<Dependency> = {}): Dependency => ({
  package: name,
  key: name,
  optional: false,
  folder: `/w/${name}`,
  isDevelopment: false,
  ...more,
});

const lib = (name: string, ...dependencies: readonly Dependency[]): Package =>
  aPackage(name, [aTarget('lib', name, { source: `/w/${name}/src/lib.rs` })], { dependencies });

const CORE = lib('core');
const APP = lib('app', on('core'));
const TOP = lib('top', on('app'));
const TESTED = lib('tested', on('core', { isDevelopment: true }));
const BEHIND = lib('behind', on('tested'));
const NAMESAKE = lib('namesake', on('core', { folder: null }));
const ALL = [CORE, APP, TOP, TESTED, BEHIND, NAMESAKE];

/** What a lane of `core` alone, or of what it names, leaves out. */
async function unrunIn(
  more: Partial<CargoLane>,
  {
    packages = ALL,
    units = [],
    file = '/w/core/src/lib.rs',
  }: {
    readonly packages?: readonly Package[];
    readonly units?: readonly Unit[];
    readonly file?: string;
  } = {},
): Promise<readonly string[]> {
  const lane = aLane(more);
  const workspace = aWorkspace(...packages);
  const selection = selectTargets(lane, workspace, packages.slice(0, 1));
  if (!selection.ok) throw new Error(selection.error.message);
  const place = { workspace, selection: selection.value, units };
  const found = await createUnrunFinder(lane, '/w', {})(file, place);
  return found.map(({ tests, why }) => `${tests}: ${why}`);
}

describe('tests of other members', () => {
  test('are named with what runs them', async () => {
    expect(await unrunIn({})).toEqual([
      'tests of app, top, tested: they depend on core, and are not in the lane (`-- --workspace` behind `try` and `prove`, or `packages: [core, app, top, tested]` in a lane of counterproof.yaml, runs them)',
    ]);
    const where = { file: 'counterproof.yaml', line: 1, col: 1 };
    expect(await unrunIn({ packages: ['core', 'app', 'top'], where })).toEqual([
      'tests of tested: it depends on core, and is not in the lane (`-- --workspace` behind `try` and `prove`, or `packages: [core, app, top, tested]` in the lane, runs them)',
    ]);
  });

  test('are none where the lane has them all, or nobody depends on the edit', async () => {
    expect(await unrunIn({ args: ['--workspace'] })).toEqual([]);
    expect(await unrunIn({ packages: ['top'] }, { file: '/w/top/src/lib.rs' })).toEqual([]);
    expect(await unrunIn({}, { file: '/elsewhere/src/lib.rs' })).toEqual([]);
  });

  test('are those of the edited package too', async () => {
    const [said] = await unrunIn({ packages: ['app', 'top', 'tested'] });
    expect(said).toMatch(/^tests of core: it is not in the lane/);
  });

  test('are left out by the option that does so', async () => {
    const args = ['--workspace', '--exclude', 'app', '--exclude=tested'];
    expect(await unrunIn({ args })).toEqual([
      'tests of app, tested: they depend on core, and are not in the lane (`--exclude` in `args` leaves them out)',
    ]);
  });
});

describe('doctests', () => {
  const DOCUMENTED = '/// ```\n/// assert!(true);\n/// ```\npub fn f() {}\n';

  function crate(text: string): {
    readonly file: string;
    readonly packages: readonly Package[];
    readonly units: readonly Unit[];
  } {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cp-unrun-')));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const file = path.join(folder, 'src', 'lib.rs');
    mkdirSync(path.dirname(file));
    writeFileSync(file, text);
    const manifest = path.join(folder, 'Cargo.toml');
    const target = aTarget('lib', 'core', { source: file });
    const artifact = anArtifact({ manifest, target });
    return {
      file,
      packages: [aPackage('core', [target], { manifest })],
      units: [{ artifact, label: 'core (lib)', inputs: new Set([file]) }],
    };
  }

  test('of the edited crate are named with what runs them', async () => {
    expect(await unrunIn({}, crate(DOCUMENTED))).toEqual([
      'doctests of core: there may be some, and the lane has no `doc` (`targets: [lib, bins, tests, doc]` in a lane of counterproof.yaml runs them)',
    ]);
    const [said] = await unrunIn({ targets: ['lib'] }, crate(DOCUMENTED));
    expect(said).toContain('`targets: [lib, doc]`');
  });

  test('are not spoken of where there are none, or the lane runs them', async () => {
    expect(await unrunIn({}, crate('pub fn f() {}\n'))).toEqual([]);
    expect(await unrunIn({ targets: ['lib', 'doc'] }, crate(DOCUMENTED))).toEqual([]);
  });

  test('are none where the library has `doctest = false`', async () => {
    const { packages, ...rest } = crate(DOCUMENTED);
    const off = packages.map((each) => ({
      ...each,
      targets: each.targets.map((target) => ({ ...target, doctest: false })),
    }));
    expect(await unrunIn({}, { ...rest, packages: off })).toEqual([]);
  });
});
