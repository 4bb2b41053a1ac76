/**
 * All that is asked of `@vitest/runner` but for the filter by tags: collection, order and concurrency are the
 * runner's; slots, cancellation, limits and verdicts are ours. Nothing is read back from its
 * states: a cancelled file reports `pass`, and a finished body may read `skip`.
 */
import { startTests, test, type VitestRunner } from '@vitest/runner';
import { asOneError } from '../slot/all-of.js';

/** One lane: its bodies run between the two halves of `around`. */
export interface EngineFile {
  readonly name: string;
  /** Opens and closes the lane; must call `runBodies` at most once. Must not throw. */
  readonly around: (runBodies: () => Promise<void>) => Promise<void>;
  readonly bodies: readonly Body[];
}

interface Body {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface EngineOptions {
  readonly concurrency: number;
  /** Called at once with what a body or `around` threw, while others may still run. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * The runner keeps 2.5 KB of each test that it was given, and begins all of them at once and lets
 * them wait: of 10,000 it held 35 MB, and left another 100 MB behind. Between two calls a slot
 * waits for the others, so a batch is large.
 */
const AT_ONCE = 500;

/**
 * Runs files one after another, and the bodies of a file up to `concurrency` at a time.
 *
 * @throws Error at the end, of all that bodies or `around` threw: bugs of ours, since their
 *   expected failures are values
 */
export async function runFiles(
  files: readonly EngineFile[],
  { concurrency, onFault }: EngineOptions,
): Promise<void> {
  const faults: unknown[] = [];
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      faults.push(error);
      onFault(error);
    }
  };
  // The runner's own timers are unref'ed: without a live handle Node would leave with code 13.
  const alive = setInterval(() => undefined, 60_000);
  try {
    for (const { name, around, bodies } of files)
      await guarded(() =>
        around(async () => {
          for (let from = 0; from < bodies.length; from += AT_ONCE)
            await runBodies(name, bodies.slice(from, from + AT_ONCE), concurrency, guarded);
        }),
      );
  } finally {
    clearInterval(alive);
  }
  if (faults.length > 0) throw asOneError(faults);
}

/** Returns when all bodies have ended, even if the runner gave up on one of them. */
async function runBodies(
  name: string,
  bodies: readonly Body[],
  concurrency: number,
  guarded: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  const runner: VitestRunner = {
    config: {
      root: '/',
      setupFiles: [],
      name: undefined,
      passWithNoTests: true,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
      maxConcurrency: concurrency,
      // 0 switches the limit off: without it everything asynchronous times out at once, and a
      // timed-out body would run on while the next one starts. Limits are the lane's own.
      testTimeout: 0,
      hookTimeout: 0,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      strictTags: false,
    } as unknown as VitestRunner['config'],
    importFile() {
      for (const body of bodies) {
        test(body.name, { concurrent: concurrency > 1 }, () => {
          const running = guarded(body.run);
          inFlight.add(running);
          return running;
        });
      }
    },
    onTaskUpdate: () => Promise.resolve(),
  };
  await startTests([`/${name}`], runner);
  await Promise.allSettled(inFlight);
}
