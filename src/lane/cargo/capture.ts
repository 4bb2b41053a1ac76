/** Writes down how `cargo test` would start each test executable, without starting one. */
import type { Result } from '../../result.js';
import type { LaneProblem } from '../lane.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import type { Launch } from './model.js';

export interface CaptureRequest {
  /**
   * `cargo test` with all that selects, builds and configures the lane; neither `--no-run`, nor
   * `--doc`, nor a `--` with what follows it.
   */
  readonly command: readonly [string, ...string[]];
  /** Absolute: where cargo looks for its configuration from. */
  readonly cwd: string;
  /** Of the build: target folder, CARGO_INCREMENTAL and RUSTFLAGS as in it, or it builds anew. */
  readonly env: Readonly<Record<string, string>>;
  /** The target triple that the lane builds for: `x86_64-unknown-linux-gnu`. */
  readonly triple: string;
  /** What starts the lane's rustc, asked for `--print cfg` where a runner hangs on a cfg. */
  readonly rustc: readonly [string, ...string[]];
  /** An existing private folder. */
  readonly scratch: string;
  readonly timeMs: number;
  readonly signal: AbortSignal;
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}

export interface Capture {
  /** By absolute path of the executable. */
  readonly launches: ReadonlyMap<string, Launch>;
  /** Variables that had to be left out, a runner that could not be known. */
  readonly notes: readonly string[];
}

/**
 * Runs `cargo test` with a runner that notes arguments, folder and environment and starts nothing.
 * A runner that the project configured for the target is found and kept as `wrapper`.
 */
export function captureLaunches(_request: CaptureRequest): Promise<Result<Capture, LaneProblem>> {
  throw new Error('not yet');
}
