import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLane } from '../lane/create.js';
import type { Collection, LaneDescription, LaneProblem } from '../lane/lane.js';
import { ok, type Result } from '../result.js';
import type { LaneConfig } from '../spec/model.js';
import { baselineLimits } from './limits.js';

export interface CollectRequest {
  readonly tree: string;
  readonly root: string;
  readonly lane: LaneConfig;
  readonly python: string | null;
  readonly signal: AbortSignal;
}

export interface LaneSelection {
  readonly description: LaneDescription;
  readonly collection: Collection;
}

/** What a lane selects in the tree as it lies. Runs no test body, writes nothing into the tree. */
export async function collectLane(
  request: CollectRequest,
): Promise<Result<LaneSelection, LaneProblem>> {
  const { lane, signal } = request;
  const runner = createLane(request);
  const description = await runner.describe();
  if (!description.ok) return description;
  const scratch = await mkdtemp(join(tmpdir(), 'cp-'));
  try {
    const collection = await runner.collect({
      step: 'baseline',
      scope: 'lane',
      without: [],
      targets: [],
      probes: [],
      limits: baselineLimits(lane.limits),
      scratch,
      log: join(scratch, 'log'),
      signal,
      onProgress: () => undefined,
    });
    return ok({ description: description.value, collection });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
