import { implicitLane } from '../../src/spec/implicit-lanes.js';
import type { LaneConfig, MutationSpec, Probe } from '../../src/spec/model.js';

const WHERE = { file: 'mutations/a.yaml', line: 1, col: 1 };

export const laneNamed = (name: string): LaneConfig => ({ ...implicitLane(), name });

export const probe = (path: string, content: string): Probe => ({
  path,
  content: Buffer.from(content),
  where: WHERE,
});

export const mutation = (id: string, more: Partial<MutationSpec> = {}): MutationSpec => ({
  id,
  spec: 'mutations/a.yaml',
  why: null,
  role: 'mutation',
  lane: 'unit',
  edits: [],
  flips: { kind: 'any' },
  controls: [],
  exact: false,
  probes: [],
  accept: null,
  tags: [],
  refs: [],
  owner: null,
  where: WHERE,
  ...more,
});
