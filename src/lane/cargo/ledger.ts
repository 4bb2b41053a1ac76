/** What the builds in a target folder were made from, so that none of them is taken for a later one. */
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { fileSum } from './sums.js';

/**
 * Cargo tells by times alone what it must build, and times lie: a file that came back with its
 * old time, after a run that was killed, leaves the mutant's build in force for good.
 */
export interface Ledger {
  /** Files that are not what the builds were made from, or may not be; the next build sums them anew. */
  readonly changed: () => Promise<readonly string[]>;
  /** When the last build that it knows of had ended, or began, in milliseconds since 1970. */
  readonly builtAt: () => number;
  /** Before a build: until it has succeeded nothing is known of these. */
  readonly begin: (files: readonly string[]) => Promise<void>;
  /**
   * After it: sums of what went into it from outside the target folder, and of what `begin` named;
   * anew of what changed since the last one, as what the lane's own `build` generates does.
   */
  readonly finish: (inputs: Iterable<string>, times: ReadonlyMap<string, bigint>) => Promise<void>;
  /** As `finish` was given them last, of files that held mutants: nanoseconds since 1970. */
  readonly times: () => ReadonlyMap<string, bigint>;
}

const content = z.strictObject({
  version: z.literal(1),
  builtAt: z.number(),
  /** By absolute path; null: it may have changed since. */
  files: z.record(z.string(), z.string().nullable()),
  times: z.record(z.string(), z.string().regex(/^\d+$/)).default({}),
});

/** What stands for a file that is not there. */
const ABSENT = 'absent';

/**
 * @param folder absolute; holds the ledger beside the target folder
 * @param target that target folder, which goes where its ledger cannot be read
 */
export async function openLedger(folder: string, target: string): Promise<Ledger> {
  const file = path.join(folder, 'inputs.json');
  const found = await read(file);
  if (found === null) await rm(target, { recursive: true, force: true });
  const known = new Map(Object.entries(found?.files ?? {}));
  let builtAt = found?.builtAt ?? 0;
  let times = new Map(
    Object.entries(found?.times ?? {}).map(([name, time]) => [name, BigInt(time)]),
  );
  // What a build script generates there is made by the builds themselves, and by nobody else.
  const generated = path.join(await realpath(folder), path.relative(folder, target), path.sep);

  // What the lane's own `build` generates is made anew beside us, so a sum holds for this file alone.
  const seen = new Map<string, string>();
  const isAsSeen = async (name: string): Promise<boolean> =>
    seen.get(name) === (await stampOf(name));
  const sum = async (name: string): Promise<string> => {
    seen.set(name, await stampOf(name));
    return (await fileSum(name)) ?? ABSENT;
  };

  const write = async (): Promise<void> => {
    builtAt = Date.now();
    const text = JSON.stringify({
      version: 1,
      builtAt,
      files: Object.fromEntries(known),
      times: Object.fromEntries([...times].map(([name, time]) => [name, String(time)])),
    });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };

  return {
    async changed() {
      const sums = await Promise.all(
        [...known].map(async ([name, before]) => ({ name, same: (await sum(name)) === before })),
      );
      const changed = sums.filter(({ same }) => !same).map(({ name }) => name);
      for (const name of changed) known.set(name, null);
      return changed;
    },
    builtAt: () => builtAt,
    async begin(names) {
      for (const name of names) known.set(name, null);
      await write();
    },
    times: () => times,
    async finish(inputs, written) {
      times = new Map(written);
      const outside = [...inputs].filter((name) => !name.startsWith(generated));
      const fresh = await Promise.all(
        outside.map(async (name) => typeof known.get(name) !== 'string' || !(await isAsSeen(name))),
      );
      const wanted = new Set(outside.filter((_, index) => fresh[index]));
      for (const [name, before] of known) if (before === null) wanted.add(name);
      const sums = await Promise.all(
        [...wanted].map(async (name) => [name, await sum(name)] as const),
      );
      for (const [name, now] of sums) known.set(name, now);
      await write();
    },
  };
}

/** What no write leaves as it was: the change time cannot be set back. */
async function stampOf(name: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(name, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return ABSENT;
  }
}

/** null: there is none, or none that can be trusted. */
async function read(file: string): Promise<z.infer<typeof content> | null> {
  try {
    const parsed = content.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
