/** The lanes of a project that configures none: one for each kind of project that its root is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CargoLane, LaneConfig, PytestLane } from './model.js';
import { PYTHON_PROJECT_FILES, RUST_PROJECT_FILES } from './project.js';

export const OUTPUT_BYTES = 16 * 2 ** 20;

const NOTHING_SAID = {
  select: null,
  args: [],
  build: null,
  prepare: null,
  env: {},
  cwd: '.',
  slots: 'auto',
  limits: { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: OUTPUT_BYTES },
  quarantine: [],
  where: null,
} as const;

/** pytest with nothing but defaults. */
export const implicitLane = (): PytestLane => ({
  ...NOTHING_SAID,
  name: 'pytest',
  runner: 'pytest',
  paths: [],
  command: 'auto',
  warm: 'auto',
});

/** cargo with nothing but defaults. */
const implicitCargoLane = (): CargoLane => ({
  ...NOTHING_SAID,
  name: 'cargo',
  runner: 'cargo',
  packages: [],
  targets: [],
  features: [],
  noDefaultFeatures: false,
  allFeatures: false,
  profile: null,
  toolchain: null,
  capLints: null,
  harness: 'libtest',
});

export interface ProjectKinds {
  readonly pytest: boolean;
  readonly cargo: boolean;
}

/** What kinds of project a folder is; pytest where nothing says otherwise. */
export function projectKinds(root: string): ProjectKinds {
  const has = (file: string): boolean => existsSync(join(root, file));
  const cargo = RUST_PROJECT_FILES.some(has);
  return { cargo, pytest: !cargo || PYTHON_PROJECT_FILES.some(has) };
}

/** `pytest`, `cargo`, or both where the root holds both. */
export function implicitLanes(root: string): readonly LaneConfig[] {
  const kinds = projectKinds(root);
  return [...(kinds.pytest ? [implicitLane()] : []), ...(kinds.cargo ? [implicitCargoLane()] : [])];
}

/** Whether no file declares these lanes. */
export const areImplicit = (lanes: readonly LaneConfig[]): boolean =>
  lanes.every(({ where }) => where === null);
