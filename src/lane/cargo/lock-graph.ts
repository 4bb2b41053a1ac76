/** `Cargo.lock` as a graph: what cargo took for each dependency, after `[patch]` and `[replace]`. */
import { parse } from 'smol-toml';
import { z } from 'zod';

const locked = z.object({
  name: z.string(),
  version: z.string(),
  source: z.string().optional(),
  replace: z.string().optional(),
  dependencies: z.array(z.string()).default([]),
});

const lockfile = z.object({ package: z.array(locked).default([]) });

type Entry = z.infer<typeof locked>;

export interface LockedPackage {
  readonly name: string;
  /** It lies in a folder that a manifest names, and comes from nowhere else. */
  readonly isLocal: boolean;
  /** For whatever target, feature and purpose; of packages from elsewhere not for their tests. */
  readonly dependencies: readonly LockedPackage[];
}

/** Empty where the text is no lock file. */
export function readLockGraph(text: string): readonly LockedPackage[] {
  const entries = entriesOf(text);
  const packages = new Map<Entry, { -readonly [K in keyof LockedPackage]: LockedPackage[K] }>(
    entries.map((entry) => [
      entry,
      { name: entry.name, isLocal: entry.source === undefined, dependencies: [] },
    ]),
  );
  const byName = new Map<string, Entry[]>();
  for (const entry of entries) byName.set(entry.name, [...(byName.get(entry.name) ?? []), entry]);
  /** `dep`, `dep 1.0.0` or `dep 1.0.0 (registry+…)`: as much as tells it from others. */
  const find = (words: string): LockedPackage | undefined => {
    const [name = '', version, source] = words.split(' ');
    const found = byName
      .get(name)
      ?.filter(
        (entry) =>
          (version === undefined || entry.version === version) &&
          (source === undefined || `(${entry.source ?? ''})` === source),
      );
    // What has a source is written with it where there is another of the same version.
    const entry = found?.find((each) => each.source === undefined) ?? found?.[0];
    if (entry?.replace !== undefined) return find(entry.replace);
    return entry === undefined ? undefined : packages.get(entry);
  };
  for (const [entry, its] of packages)
    its.dependencies = entry.dependencies.map(find).filter((each) => each !== undefined);
  return [...packages.values()];
}

function entriesOf(text: string): readonly Entry[] {
  try {
    const read = lockfile.safeParse(parse(text));
    return read.success ? read.data.package : [];
  } catch {
    return [];
  }
}
