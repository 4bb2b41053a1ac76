/** Pieces of cargo lanes and workspaces, for tables. */
import type { Artifact } from '../../../src/lane/cargo/messages.js';
import type { Package, Target, Workspace } from '../../../src/lane/cargo/metadata.js';
import type { Unit } from '../../../src/lane/cargo/units.js';
import type { CargoLane } from '../../../src/spec/model.js';

export const aLane = (more: Partial<CargoLane> = {}): CargoLane => ({
  name: 'unit',
  runner: 'cargo',
  select: null,
  args: [],
  build: null,
  prepare: null,
  env: {},
  cwd: '.',
  slots: 'auto',
  limits: { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: 2 ** 20 },
  quarantine: [],
  where: null,
  packages: [],
  targets: [],
  features: [],
  noDefaultFeatures: false,
  allFeatures: false,
  profile: null,
  toolchain: null,
  capLints: null,
  harness: 'libtest',
  ...more,
});

export const aTarget = (kind: string, name: string, more: Partial<Target> = {}): Target => ({
  name,
  kind: [kind],
  source: `/w/${name}.rs`,
  test: true,
  doctest: kind === 'lib',
  requiredFeatures: [],
  ...more,
});

export const aPackage = (
  name: string,
  targets: readonly Target[],
  more: Partial<Package> = {},
): Package => ({
  name,
  id: `path+file:///w/${name}#0.1.0`,
  manifest: `/w/${name}/Cargo.toml`,
  features: [],
  targets,
  dependencies: [],
  ...more,
});

export const aWorkspace = (...packages: readonly Package[]): Workspace => ({
  root: '/w',
  packages,
  defaults: packages.map(({ id }) => id),
});

export const anArtifact = (more: Partial<Artifact> = {}): Artifact => ({
  packageId: 'path+file:///w/jail#0.1.0',
  manifest: '/w/jail/Cargo.toml',
  target: { name: 'jail', kind: ['lib'], source: '/w/jail/src/lib.rs' },
  test: false,
  files: ['/t/debug/deps/libjail-0123456789abcdef.rlib'],
  executable: null,
  fresh: false,
  ...more,
});

export const aUnit = (label: string, inputs: readonly string[], fresh: boolean): Unit => ({
  artifact: anArtifact({ fresh }),
  label,
  inputs: new Set(inputs),
});
