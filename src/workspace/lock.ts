/** One run per tree. A dead holder's lock is broken at once, a living one is named. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lock as properLock } from 'proper-lockfile';
import { z } from 'zod';
import { err, ok, type Result } from '../result.js';
import { readContent } from './checksum.js';
import { codeOf, look, unlinkIfThere } from './durable.js';
import { identify, lifeOf, processIdentity } from './owner.js';
import { prepareOwnFolder } from './own-folder.js';
import { refusalOf } from './refusal.js';

const holderSchema = z.strictObject({
  process: processIdentity,
  command: z.array(z.string()),
  since: z.iso.datetime(),
});

/** Who holds a tree. */
export type Holder = z.infer<typeof holderSchema>;

export interface Lock {
  readonly holder: Holder;
  /** Harmless when done twice. A lock that is not released goes when the process exits. */
  release(): Promise<void>;
}

export type LockProblem =
  /** `heldBy` is null where the holder did not leave its name. */
  | { readonly kind: 'held'; readonly heldBy: Holder | null; readonly message: string }
  | { readonly kind: 'unusable'; readonly message: string };

export interface LockOptions {
  /** The tree's top: real and absolute. */
  readonly tree: string;
  /** For the message that another run will show. */
  readonly command: readonly string[];
  /**
   * The lock was taken away (`git clean -xfd`), or the machine slept through its renewal, and it
   * cannot be had again: another run may be at work by now.
   */
  readonly onCompromised: (why: string) => void;
}

// A holder whose life cannot be looked up (another machine or container) is gone when its lock
// was not renewed for a minute; every other one is asked about by its pid and start time.
const STALE_MS = 60_000;
const UPDATE_MS = 2000;
// Taking a lock is a matter of milliseconds; only one process does it at a time, so that two
// which both see a dead holder cannot break each other's new lock.
const GUARD_STALE_MS = 5000;
const GUARD_RETRIES = {
  retries: 80,
  factor: 1.2,
  minTimeout: 10,
  maxTimeout: 150,
  randomize: true,
};

export function lockTree(options: LockOptions): Promise<Result<Lock, LockProblem>> {
  return underGuard(options.tree, (folder) => lockGuarded(folder, options));
}

async function underGuard<T>(
  tree: string,
  work: (folder: string) => Promise<Result<T, LockProblem>>,
): Promise<Result<T, LockProblem>> {
  const own = await prepareOwnFolder(tree);
  if (!own.ok) return err({ kind: 'unusable', message: own.error });
  const folder = own.value;
  let openGuard;
  try {
    openGuard = await properLock(join(folder, 'guard'), {
      realpath: false,
      stale: GUARD_STALE_MS,
      retries: GUARD_RETRIES,
      onCompromised: () => undefined,
    });
  } catch (error) {
    if (codeOf(error) !== 'ELOCKED') return unusable(folder, error);
    return err(held(await readHolder(folder)));
  }
  try {
    return await work(folder);
  } catch (error) {
    return unusable(folder, error);
  } finally {
    await openGuard().catch(() => undefined);
  }
}

async function lockGuarded(
  folder: string,
  { tree, command, onCompromised }: LockOptions,
): Promise<Result<Lock, LockProblem>> {
  const holder = { process: identify(), command: [...command], since: new Date().toISOString() };
  let released = false;
  let unlock: () => Promise<void> = () => Promise.resolve();

  const take = async (whose: 'anew' | 'our own again'): Promise<Result<null, LockProblem>> => {
    const busy = await clearDead(folder, whose === 'anew' ? null : holder);
    if (busy !== null) return err(held(busy.holder));
    await writeHolder(folder, holder);
    unlock = await properLock(join(folder, 'run'), {
      realpath: false,
      lockfilePath: lockPath(folder),
      stale: STALE_MS,
      update: UPDATE_MS,
      onCompromised: (error) => void regain(error.message),
    });
    return ok(null);
  };

  /** As a rule nobody else wants it: `git clean -xfd` took the folder, or the machine slept. */
  const regain = async (why: string): Promise<void> => {
    if (released) return;
    const again = await underGuard(tree, () => take('our own again'));
    if (released) await unlock().catch(() => undefined);
    else if (!again.ok)
      onCompromised(`the lock of ${folder} was lost: ${why}; ${again.error.message}`);
  };

  const taken = await take('anew');
  if (!taken.ok) return taken;
  return ok({
    holder,
    async release() {
      released = true;
      try {
        await unlock();
      } catch (error) {
        // Whoever finds it on a tree that has become read-only sees that its holder is dead.
        if (codeOf(error) === null) throw error;
      }
    },
  });
}

/** Breaks a lock whose holder is dead, or is `own`. Gives the living holder; null: it is free. */
async function clearDead(
  folder: string,
  own: Holder | null,
): Promise<{ readonly holder: Holder | null } | null> {
  const path = lockPath(folder);
  const there = await look(path);
  if (there === null) return null;
  const holder = await readHolder(folder);
  const isOwn = own !== null && isDeepStrictEqual(own, holder);
  // Name and lock are written under the guard: a lock without a name has no living holder.
  const life = holder === null || isOwn ? 'dead' : lifeOf(holder.process);
  const renewed = Date.now() - Number(there.mtimeMs) < STALE_MS;
  if (life === 'alive' || (life === 'unknown' && renewed)) return { holder };
  await rm(path, { recursive: true });
  return null;
}

const lockPath = (folder: string): string => join(folder, 'run.lock');

function held(holder: Holder | null): LockProblem {
  if (holder === null) {
    return { kind: 'held', heldBy: null, message: 'another counterproof is starting on this tree' };
  }
  const { process: by, command, since } = holder;
  const where = lifeOf(by) === 'unknown' ? ` on ${by.host}` : '';
  return {
    kind: 'held',
    heldBy: holder,
    message: `another run works on this tree: ${command.join(' ')} (pid ${by.pid}${where}, since ${since})`,
  };
}

const unusable = (folder: string, error: unknown): Result<never, LockProblem> => {
  if (codeOf(error) === null) throw error;
  return err({
    kind: 'unusable',
    message: `${folder} cannot be locked: ${refusalOf(error, folder)}`,
  });
};

const holderFile = (folder: string): string => join(folder, 'holder.json');

async function readHolder(folder: string): Promise<Holder | null> {
  const content = await readContent(holderFile(folder));
  if (content === null) return null;
  try {
    return holderSchema.parse(JSON.parse(content.bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/** By rename, so that nobody reads half a name. */
async function writeHolder(folder: string, holder: Holder): Promise<void> {
  const unfinished = `${holderFile(folder)}.new`;
  await unlinkIfThere(unfinished);
  await writeFile(unfinished, `${JSON.stringify(holder)}\n`, { flag: 'wx' });
  await rename(unfinished, holderFile(folder));
}
