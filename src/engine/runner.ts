/**
 * The only module that knows `@vitest/runner`: collection, order and concurrency are the
 * runner's; slots, cancellation, limits and verdicts are ours. Nothing is read back from its
 * states: a cancelled file reports `pass`, and a finished body may read `skip`.
 */
import { aroundAll, startTests, test, type VitestRunner } from '@vitest/runner';

/** One lane: its bodies run between the two halves of `around`. */
export interface EngineFile {
  readonly name: string;
  /** Opens and closes the lane; must call `runBodies` at most once. Must not throw. */
  readonly around: (runBodies: () => Promise<void>) => Promise<void>;
  readonly bodies: readonly { readonly name: string; readonly run: () => Promise<void> }[];
}

export interface EngineOptions {
  readonly concurrency: number;
}

/**
 * Runs files one after another, and the bodies of a file up to `concurrency` at a time.
 *
 * @throws the first error that a body or `around` threw: a bug of ours, since their expected
 *   failures are values
 */
export async function runFiles(
  files: readonly EngineFile[],
  { concurrency }: EngineOptions,
): Promise<void> {
  const byPath = new Map(files.map((file, index) => [`/${index}/${file.name}`, file]));
  const faults: unknown[] = [];
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      faults.push(error);
    }
  };

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
    importFile(path) {
      const file = byPath.get(path);
      if (file === undefined) throw new Error(`Internal error: unknown engine file ${path}`);
      const inFlight = new Set<Promise<void>>();
      aroundAll(async (runSuite) => {
        await guarded(() =>
          file.around(async () => {
            await runSuite();
            // The runner may give up on a body that still runs; the lane must not close on it.
            await Promise.allSettled(inFlight);
          }),
        );
      }, 0);
      for (const body of file.bodies) {
        test(body.name, { concurrent: concurrency > 1 }, () => {
          const running = guarded(body.run);
          inFlight.add(running);
          return running;
        });
      }
    },
    onTaskUpdate: () => Promise.resolve(),
  };

  // The runner's own timers are unref'ed: without a live handle Node would leave with code 13.
  const alive = setInterval(() => undefined, 60_000);
  try {
    await startTests([...byPath.keys()], runner);
  } finally {
    clearInterval(alive);
  }
  if (faults.length > 0) throw faults[0];
}
