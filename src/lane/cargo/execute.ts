/** Runs the test executables of a lane, one after another, and folds what they say. */
import type { Collection, LaneRun, RunRequest } from '../lane.js';
import type { ProcessEnd, SpawnRequest } from '../process.js';
import type { Launch, TestBinary } from './model.js';

/** The documentation tests of one package. */
export interface DocTests {
  /** `jail::doc`. */
  readonly id: string;
  /** `cargo test --doc -p jail` with the lane's features and profile; nothing after `--`. */
  readonly command: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** Of the build. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ExecuteRequest {
  /** In the order in which cargo runs them. */
  readonly binaries: readonly TestBinary[];
  /** By absolute path of the executable; one for each binary. */
  readonly launches: ReadonlyMap<string, Launch>;
  /** Empty: the lane has no `doc` target. */
  readonly doctests: readonly DocTests[];
  /** Cargo's substring filter; words apart by white space are alternatives. */
  readonly select: string | null;
  readonly harness: 'libtest' | 'exit-code';
  /** Absolute. Locations of panics are told relative to it. */
  readonly root: string;
  /** Absolute path of the Cargo workspace, to which the compiler's paths are relative. */
  readonly workspace: string;
  /** Text in the panic of the reach mutation; looked for in the step `reach` alone. */
  readonly reachMarker: string;
  readonly run: Pick<
    RunRequest,
    'step' | 'scope' | 'without' | 'limits' | 'scratch' | 'log' | 'signal' | 'onProgress'
  >;
}

/** All but the proof of what was built, which is the build's to give. */
export type ExecutedRun = Omit<LaneRun, 'loads'>;

export interface BinaryRunner {
  /** Runs what `scope` and `without` leave of the lane's tests. Never throws over what a test did. */
  readonly run: (request: ExecuteRequest) => Promise<ExecutedRun>;
  /** Lists the tests that `run` would run, and runs none. */
  readonly collect: (request: ExecuteRequest) => Promise<Collection>;
}

/** One for each lane: it remembers what each executable lists, by the sum of its bytes. */
export function createBinaryRunner(_processes: {
  readonly runProcess: (request: SpawnRequest) => Promise<ProcessEnd>;
  readonly createNonce: () => string;
}): BinaryRunner {
  throw new Error('not yet');
}
