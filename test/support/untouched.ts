/** The whole of what an overlay must leave as it is, and what it keeps meanwhile. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OverlaySupport } from './overlay.js';
import type { TestProject } from './project.js';

/** Bytes, modes, inodes and times; where edits land in place, bytes and modes. */
export function everything(
  project: TestProject,
  { kind }: OverlaySupport,
): ReadonlyMap<string, string> {
  if (kind === 'refused') return project.snapshot();
  return new Map(
    [...project.snapshot()].map(([path, state]) => {
      const { mtimeNs, ctimeNs, ino } = lstatSync(join(project.folder, path), { bigint: true });
      return [path, `${state} ${mtimeNs} ${ctimeNs} ${ino}`];
    }),
  );
}

const cacheOf = (project: TestProject): string => join(dirname(project.folder), 'cache');

/** For the environment of the command. */
export const ownCache = (project: TestProject): { readonly XDG_CACHE_HOME: string } => ({
  XDG_CACHE_HOME: cacheOf(project),
});

/** Folders of layers; none, once a run is over. */
export function layersOf(project: TestProject): readonly string[] {
  const folder = join(cacheOf(project), 'counterproof');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /layers\/./.test(name),
      )
    : [];
}
