import { oneAfterAnother } from '../workspace/serial.js';
import { walk } from '../workspace/walk.js';
import { openWatch } from '../workspace/watch.js';

/** Sees that the tree stays what it was while it is measured. */
export interface TreeGuard {
  /**
   * Tree-relative paths that are not what they were when the guard was opened, files that we
   * have in place at the moment left out.
   *
   * @param when `due`: asks the disk only where the last look was cheap or long ago
   */
  readonly check: (when: 'now' | 'due') => Promise<readonly string[]>;
  /** Whether a tree-relative path is one of those that it looks at. */
  readonly covers: (path: string) => boolean;
  /** Files that edits will land in: their sums are taken, before anything is written. */
  readonly expect: (paths: readonly string[]) => Promise<void>;
  /** Exactly these paths hold something of ours now; the proof looks at their sums itself. */
  readonly inPlace: (paths: readonly string[]) => void;
  /**
   * Ends what `expect` began. What a baseline rewrites with the bytes that were there is no
   * change, and is compared by sum ever after; from now on a new time alone is one, because
   * other bytes may have stood there in between.
   */
  readonly baselineDone: () => Promise<void>;
  /** When the last look began that found nothing amiss, by `performance.now()`. */
  readonly cleanSince: () => number;
  readonly close: () => void;
}

/** A look that cost less than this is repeated after every mutation. */
const CHEAP_MS = 50;
/** However long a step takes, the tree is looked at this often. */
const PERIOD_MS = 20_000;

/**
 * @param tracked tree-relative; null: no git, so every file counts
 * @param unchanged which of some files are known to hold what they held when the guard was opened
 */
export async function openTreeGuard(
  tree: string,
  tracked: readonly string[] | null,
  unchanged: (paths: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<TreeGuard> {
  const files = new Set(tracked ?? (await walk(tree)));
  const own = new Set<string>();
  let standing: readonly string[] = [];
  /** What stood at any time during a look: it may have read a file's sum just then. */
  let stood = new Set<string>();
  const watch = await openWatch({
    tree,
    files: [...files],
    own: () => own,
  });
  let lastLook = performance.now();
  let cleanSince = lastLook;
  let lastCost = 0;
  /** What a look between steps found; it stays found, even if somebody puts it back. */
  const found = new Set<string>();
  const none: ReadonlySet<string> = new Set();
  let isBaseline = true;

  const look = async (): Promise<void> => {
    const started = performance.now();
    stood = new Set(standing);
    const moved = (await watch.changed()).filter((path) => !stood.has(path));
    const same = isBaseline && moved.length > 0 ? await unchanged(moved) : none;
    for (const path of moved) (same.has(path) ? own : found).add(path);
    if (same.size > 0) await watch.snapshot();
    if (found.size === 0) cleanSince = started;
    lastLook = performance.now();
    lastCost = lastLook - started;
  };
  // A look beside a half-taken snapshot would find every file changed.
  const inTurn = oneAfterAnother();
  const timer = setInterval(() => {
    // What keeps a look from its answer keeps the next `check` too, which can say so.
    inTurn(look).catch(() => undefined);
  }, PERIOD_MS);
  timer.unref();

  return {
    async check(when) {
      const due = lastCost < CHEAP_MS || performance.now() - lastLook > PERIOD_MS;
      if (when === 'now' || due) await inTurn(look);
      return [...found].toSorted();
    },
    expect(paths) {
      for (const path of paths) own.add(path);
      isBaseline = true;
      return inTurn(() => watch.snapshot());
    },
    async baselineDone() {
      await inTurn(look);
      isBaseline = false;
    },
    inPlace(paths) {
      standing = paths;
      for (const path of paths) stood.add(path);
    },
    covers: (path) => files.has(path),
    cleanSince: () => cleanSince,
    close() {
      clearInterval(timer);
    },
  };
}
