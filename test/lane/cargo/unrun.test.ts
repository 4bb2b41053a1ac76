import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Package } from '../../../src/lane/cargo/metadata.js';
import { selectTargets } from '../../../src/lane/cargo/selection.js';
import { createUnrunFinder, packageOf } from '../../../src/lane/cargo/unrun.js';
import type { Unit } from '../../../src/lane/cargo/units.js';
import type { CargoLane } from '../../../src/spec/model.js';
import { aLane, anArtifact, aPackage, aTarget, aWorkspace } from './builders.js';

test('the package of a file is the innermost that holds it', () => {
  const [root, core] = [aPackage('root', [], { manifest: '/w/Cargo.toml' }), aPackage('core', [])];
  expect(packageOf('/w/core/src/a.rs', [root, core])?.name).toBe('core');
  expect(packageOf('/w/corelike/a.rs', [root, core])?.name).toBe('root');
  expect(packageOf('/x/a.rs', [root, core])).toBeNull();
});

/** What a lane of `core` alone, or of what it names, leaves out. */
async function unrunIn(
  more: Partial<CargoLane>,
  {
    packages = [],
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
  const found = await createUnrunFinder(lane)(file, place);
  return found.map(({ tests, why }) => `${tests}: ${why}`);
}

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
