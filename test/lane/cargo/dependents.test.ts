import { describe, expect, test } from 'vitest';
import {
  createResolver,
  crateOf,
  dependentsOf,
  packageOf,
  type Resolved,
} from '../../../src/lane/cargo/dependents.js';
import { readLockGraph } from '../../../src/lane/cargo/lock-graph.js';
import type { Dependency, Package } from '../../../src/lane/cargo/metadata.js';
import { aPackage, aWorkspace } from './builders.js';
import { createCrate, manifest } from './crates.js';

const on = (name: string, more: Partial<Dependency> = {}): Dependency => ({
  package: name,
  key: name,
  optional: false,
  folder: `/w/${name}`,
  isDevelopment: false,
  ...more,
});

const member = (name: string, ...dependencies: readonly Dependency[]): Package =>
  aPackage(name, [], { dependencies });

const names = (packages: readonly Package[]): readonly string[] => packages.map(({ name }) => name);

const NOTHING: Resolved = { locked: [], overriding: new Set() };

describe('as manifests name folders', () => {
  const CORE = member('core');
  const APP = member('app', on('core'));
  const TOP = member('top', on('app'));
  const TESTED = member('tested', on('core', { isDevelopment: true }));
  const BEHIND = member('behind', on('tested'));
  const NAMESAKE = member('namesake', on('core', { folder: null }));
  const ALL = [CORE, APP, TOP, TESTED, BEHIND, NAMESAKE];

  test('members depend on a package, by way of others too, and for their tests alone', () => {
    expect(names(dependentsOf(CORE, ALL, NOTHING))).toEqual(['app', 'top', 'tested']);
    expect(names(dependentsOf(TOP, ALL, NOTHING))).toEqual([]);
  });

  test('those that need each other are each told once', () => {
    const one = member('one', on('two', { isDevelopment: true }));
    const two = member('two', on('one'));
    expect(names(dependentsOf(one, [one, two], NOTHING))).toEqual(['two']);
    expect(names(dependentsOf(two, [one, two], NOTHING))).toEqual(['one']);
  });

  test('the package of a file is the innermost that holds it', () => {
    const root = aPackage('root', [], { manifest: '/w/Cargo.toml' });
    expect(packageOf('/w/core/src/a.rs', [root, CORE])?.name).toBe('core');
    expect(packageOf('/w/corelike/a.rs', [root, CORE])?.name).toBe('root');
    expect(packageOf('/x/a.rs', [root, CORE])).toBeNull();
  });
});

interface Entry {
  readonly name: string;
  readonly version?: string;
  readonly source?: string;
  readonly replace?: string;
  readonly dependencies?: readonly string[];
}

const REGISTRY = 'registry+https://github.com/rust-lang/crates.io-index';

const lockOf = (...entries: readonly Entry[]): string =>
  entries
    .map(
      ({ version = '1.0.0', dependencies = [], ...rest }) =>
        `[[package]]\n${Object.entries({ ...rest, version })
          .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
          .join('')}dependencies = ${JSON.stringify(dependencies)}\n`,
    )
    .join('\n');

describe('as the lock file has it', () => {
  const from = (name: string, more: Partial<Dependency> = {}) =>
    on(name, { folder: null, ...more });
  const usersOf = (name: string, packages: readonly Package[], lock: string, paths = ['']) =>
    names(
      dependentsOf({ name, manifest: `/w/${name}/Cargo.toml` }, packages, {
        locked: readLockGraph(lock),
        overriding: new Set(paths),
      }),
    );

  test('what `[patch]` puts in place of a dependency is used, also by packages from elsewhere', () => {
    const app = member('app', from('dep'));
    const behind = member('behind', from('mid'));
    const apart = member('apart', from('other'));
    const lock = lockOf(
      { name: 'app', dependencies: ['dep'] },
      { name: 'apart', dependencies: ['other'] },
      { name: 'behind', dependencies: ['mid'] },
      { name: 'dep' },
      { name: 'mid', source: REGISTRY, dependencies: ['dep'] },
      { name: 'other', source: REGISTRY },
    );
    expect(usersOf('dep', [app, behind, apart], lock)).toEqual(['app', 'behind']);
  });

  test('for tests alone, and no further', () => {
    const app = member('app', from('dep', { isDevelopment: true }));
    const both = member('both', from('dep', { isDevelopment: true }), from('dep'));
    const top = member('top', on('app'));
    const lock = lockOf(
      { name: 'app', dependencies: ['dep'] },
      { name: 'both', dependencies: ['dep'] },
      { name: 'dep' },
      { name: 'top', dependencies: ['app'] },
    );
    const all = [app, both, top, member('end', on('both'))];
    expect(usersOf('dep', all, lock)).toEqual(['app', 'both', 'end']);
  });

  test('one of several of a name', () => {
    const app = member('app', from('dep'));
    const old = member('old', from('dep'));
    const lock = lockOf(
      { name: 'app', dependencies: ['dep 2.0.0'] },
      { name: 'dep', source: REGISTRY },
      { name: 'dep', version: '2.0.0' },
      { name: 'old', dependencies: ['dep 1.0.0'] },
    );
    expect(usersOf('dep', [app, old], lock)).toEqual(['app']);
  });

  test('what `[replace]` and `paths` put in place', () => {
    const app = member('app', from('dep'));
    const lock = lockOf(
      { name: 'app', dependencies: [`dep 1.0.0 (${REGISTRY})`] },
      { name: 'dep' },
      { name: 'dep', source: REGISTRY, replace: 'dep 1.0.0' },
    );
    expect(usersOf('dep', [app], lock)).toEqual(['app']);
    const plain = lockOf({ name: 'app', dependencies: ['dep'] }, { name: 'dep', source: REGISTRY });
    expect(usersOf('dep', [app], plain, ['dep'])).toEqual(['app']);
    expect(usersOf('dep', [app], plain)).toEqual([]);
  });

  test('nothing is known of a text that is none', () => {
    expect(readLockGraph('[[package]]\nname = 1\n')).toEqual([]);
    expect(readLockGraph('<<<<<<<')).toEqual([]);
  });
});

describe('the package of a file', () => {
  test('need not be a member where the build takes it from its folder', async () => {
    const crate = createCrate({
      'Cargo.toml': '[workspace]\nmembers = ["app"]\n',
      'Cargo.lock': lockOf({ name: 'app', dependencies: ['dep'] }, { name: 'dep' }),
      'app/Cargo.toml': manifest('app'),
      'app/fixture/Cargo.toml': manifest('fixture'),
      'dep/Cargo.toml': manifest('dep'),
      'over/Cargo.toml': manifest('over'),
      '.cargo/config.toml': 'paths = ["over", "nothing"]\n',
    });
    const app = aPackage('app', [], { manifest: `${crate.folder}/app/Cargo.toml` });
    const workspace = { ...aWorkspace(app), root: crate.folder };
    const resolved = await createResolver(crate.folder, {})(workspace);
    const nameOf = async (file: string) =>
      (await crateOf(`${crate.folder}/${file}`, [app], resolved))?.name;
    expect(await nameOf('dep/src/lib.rs')).toBe('dep');
    expect(await nameOf('over/src/lib.rs')).toBe('over');
    expect(await nameOf('app/src/lib.rs')).toBe('app');
    expect(await nameOf('app/fixture/src/lib.rs')).toBe('app');
    expect(await nameOf('elsewhere/src/lib.rs')).toBeUndefined();
  });
});
