/** What the builds in a target folder were made from, so that none of them is taken for a later one. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { fileSum } from './sums.js';

/**
 * Cargo tells by times alone what it must build, and times lie: a file that came back with its
 * old time, after a run that was killed, leaves the mutant's build in force for good.
 */
export interface Ledger {
  /** Files that are not what the builds were made from, or may not be. */
  readonly changed: () => Promise<readonly string[]>;
  /** Before a build: until it has succeeded nothing is known of these. */
  readonly begin: (files: readonly string[]) => Promise<void>;
  /** After it: sums of what went into it, and of what `begin` named. */
  readonly finish: (inputs: Iterable<string>) => Promise<void>;
}

const content = z.strictObject({
  version: z.literal(1),
  /** By absolute path; null: it may have changed since. */
  files: z.record(z.string(), z.string().nullable()),
});

/** What stands for a file that is not there. */
const ABSENT = 'absent';

/**
 * @param folder absolute; holds the ledger beside the target folder
 * @param target that target folder, which goes where its ledger cannot be read
 */
export async function openLedger(folder: string, target: string): Promise<Ledger> {
  const file = path.join(folder, 'inputs.json');
  let files = await read(file);
  if (files === null) {
    await rm(target, { recursive: true, force: true });
    files = {};
  }
  const known = new Map(Object.entries(files));

  const write = async (): Promise<void> => {
    const text = JSON.stringify({ version: 1, files: Object.fromEntries(known) });
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };

  return {
    async changed() {
      const sums = await Promise.all(
        [...known].map(async ([name, sum]) => ({ name, same: (await sumOf(name)) === sum })),
      );
      return sums.filter(({ same }) => !same).map(({ name }) => name);
    },
    async begin(names) {
      for (const name of names) known.set(name, null);
      await write();
    },
    async finish(inputs) {
      const wanted = new Set([...inputs].filter((name) => typeof known.get(name) !== 'string'));
      for (const [name, sum] of known) if (sum === null) wanted.add(name);
      const sums = await Promise.all([...wanted].map(async (name) => [name, await sumOf(name)] as const));
      for (const [name, sum] of sums) known.set(name, sum);
      if (sums.length > 0) await write();
    },
  };
}

const sumOf = async (name: string): Promise<string> => (await fileSum(name)) ?? ABSENT;

/** null: there is none, or none that can be trusted. */
async function read(file: string): Promise<Readonly<Record<string, string | null>> | null> {
  try {
    const parsed = content.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data.files : null;
  } catch {
    return null;
  }
}
