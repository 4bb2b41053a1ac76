import { describe, expect, test } from 'vitest';
import { readMetadata, unnamedPackages } from '../../../src/lane/cargo/metadata.js';

const packageOf = (name: string, folder: string, id = `path+file://${folder}#0.1.0`) => ({
  name,
  id,
  manifest_path: `${folder}/Cargo.toml`,
  features: { default: ['a'], a: [] },
  targets: [{ name, kind: ['lib'], src_path: `${folder}/src/lib.rs` }],
  dependencies: [
    { name: 'serde', rename: 'wire', optional: true },
    { name: 'core', rename: null, kind: 'dev', path: '/w/core' },
  ],
  more: 'that nobody asks for',
});

const metadata = (more: object = {}): string =>
  JSON.stringify({
    packages: [
      packageOf('core', '/w/core'),
      packageOf('app', '/w/app'),
      packageOf('root', '/w'),
      packageOf('serde', '/registry/serde', 'registry+https://example.org#serde@1.0.0'),
    ],
    workspace_root: '/w',
    workspace_members: [
      'path+file:///w/core#0.1.0',
      'path+file:///w/app#0.1.0',
      'path+file:///w#0.1.0',
    ],
    workspace_default_members: ['path+file:///w/core#0.1.0'],
    ...more,
  });

test('members alone are kept; what older cargos leave out has its default', () => {
  const read = readMetadata(metadata());
  expect(read?.packages.map(({ name }) => name)).toEqual(['core', 'app', 'root']);
  expect(read?.packages[0]).toMatchObject({
    manifest: '/w/core/Cargo.toml',
    features: ['default', 'a'],
    targets: [{ test: true, doctest: true, requiredFeatures: [], source: '/w/core/src/lib.rs' }],
    dependencies: [
      { package: 'serde', key: 'wire', optional: true, folder: null, isDevelopment: false },
      { package: 'core', key: 'core', optional: false, folder: '/w/core', isDevelopment: true },
    ],
  });
});

test.each([
  ['nothing', ''],
  ['no object', '[]'],
  ['another object', '{"packages": 1}'],
])('%s is no metadata', (_, text) => {
  expect(readMetadata(text)).toBeNull();
});

describe('the packages of a command that names none', () => {
  test.each([
    ['a member in its own folder', {}, '/w/app/Cargo.toml', ['app']],
    ['the defaults at the top', {}, '/w/Cargo.toml', ['core']],
    [
      'the package at the top, where an older cargo names no defaults',
      { workspace_default_members: undefined },
      '/w/Cargo.toml',
      ['root'],
    ],
    [
      'every member of a virtual workspace',
      {
        workspace_default_members: undefined,
        workspace_members: ['path+file:///w/core#0.1.0', 'path+file:///w/app#0.1.0'],
      },
      '/w/Cargo.toml',
      ['core', 'app'],
    ],
  ])('%s', (_, more, manifest, expected) => {
    const workspace = readMetadata(metadata(more));
    const found = workspace === null ? [] : unnamedPackages(workspace, manifest);
    expect(found.map(({ name }) => name)).toEqual(expected);
  });
});
