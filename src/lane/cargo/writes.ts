/** Files that were written since they were last built, and what the build of the others showed. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { LoadEvidence, Unrun } from '../../proof/evidence.js';
import { loadEvidence, proveBuild, type WrittenFile } from './loads.js';
import { fileSum } from './sums.js';
import { keepTime, makeNewer, nowNs, timeOf } from './times.js';
import type { Unit } from './units.js';

/** A file as it lies before a build. */
export interface Pending {
  /** Tree-relative. */
  readonly path: string;
  /** Absolute, symlinks of its folder resolved. */
  readonly file: string;
  /** null: absent. */
  readonly sha256: string | null;
}

/** What is to be known of a file that was built, and of one that was not. */
export interface AboutFile {
  readonly whyNoInput: (file: string) => Promise<string>;
  readonly unrun: (file: string) => Promise<readonly Unrun[]>;
}

export interface Writes {
  /** These tree-relative paths may hold other bytes than those that were built. */
  readonly mark: (paths: readonly string[]) => void;
  /** Whether the last build holds what lies in the tree, as far as it was marked. */
  readonly areBuilt: () => boolean;
  readonly isSettled: (path: string) => boolean;
  /** Absolute paths of what is not built yet. */
  readonly files: () => readonly string[];
  /**
   * Gives all others that were ever written the time that they got here last. In an overlay the
   * original comes back with its own, and a build for other features or another profile that
   * was made from the mutant would be taken for one of the original.
   */
  readonly keepTimes: () => Promise<void>;
  /** By absolute path, in nanoseconds since 1970. */
  readonly times: () => ReadonlyMap<string, bigint>;
  /** No build is left that one of these times could be compared with. */
  readonly forgetTimes: () => void;
  /** Gives each of them a time that lies after every build so far, and reads its sum. */
  readonly freshen: () => Promise<readonly Pending[]>;
  /** Units that cargo took for fresh although an input of theirs was pending. */
  readonly overlooked: (pending: readonly Pending[], units: readonly Unit[]) => readonly Unit[];
  /** These were built. */
  readonly settle: (
    pending: readonly Pending[],
    units: readonly Unit[],
    about: AboutFile,
  ) => Promise<void>;
  readonly evidence: (path: string) => LoadEvidence | null;
}

/**
 * @param tree absolute, symlinks resolved
 * @param earlier times that earlier runs gave
 */
export function createWrites(tree: string, earlier: ReadonlyMap<string, bigint>): Writes {
  const times = new Map(earlier);
  const dirty = new Set<string>();
  const settled = new Map<string, LoadEvidence>();

  const absolute = (name: string): string => {
    const file = path.resolve(tree, name);
    try {
      return path.join(realpathSync(path.dirname(file)), path.basename(file));
    } catch {
      return file;
    }
  };

  return {
    mark(paths) {
      for (const name of paths) {
        settled.delete(name);
        dirty.add(name);
      }
    },
    areBuilt: () => dirty.size === 0,
    isSettled: (name) => settled.has(name),
    files: () => [...dirty].map(absolute),
    async keepTimes() {
      const own = new Set([...dirty].map(absolute));
      const others = [...times].filter(([file]) => !own.has(file));
      await Promise.all(others.map(([file, time]) => keepTime(file, time)));
    },
    times: () => times,
    forgetTimes() {
      times.clear();
    },
    freshen: () =>
      Promise.all(
        [...dirty].map(async (name): Promise<Pending> => {
          const file = absolute(name);
          // Documentation tests build too, so that none of ours need have been the last.
          await makeNewer(file, nowNs() - 1n);
          const time = await timeOf(file);
          if (time === null) times.delete(file);
          else times.set(file, time);
          return { path: name, file, sha256: await fileSum(file) };
        }),
      ),
    overlooked(pending, units) {
      const files = new Set(pending.map(({ file }) => file));
      return units.filter(
        ({ artifact, inputs }) => artifact.fresh && [...inputs].some((input) => files.has(input)),
      );
    },
    async settle(pending, units, { whyNoInput, unrun }) {
      for (const { path: name, file, sha256: before } of pending) {
        const written: WrittenFile = { path: name, file, before, after: await fileSum(file) };
        const proof = proveBuild(written, units);
        const whyNot = proof.kind === 'no-input' ? await whyNoInput(file) : '';
        const left = await unrun(file);
        const evidence = loadEvidence(written, proof, whyNot);
        settled.set(name, left.length === 0 ? evidence : { ...evidence, unrun: left });
        dirty.delete(name);
      }
    },
    evidence: (name) => settled.get(name) ?? null,
  };
}
