/** Where a step's reports are, and which of them this step wrote. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { findFiles } from '../../spec/find-files.js';
import { PRIVATE_REPORT, REPORT_VARIABLE } from '../../spec/lanes.js';
import type { JunitLane } from '../../spec/model.js';

/** The private path of one step, in whatever the command is given. */
export interface ReportPlaces {
  /** What `{report}` stands for: a file, or a folder where the lane's `report` goes on after it. */
  readonly privatePath: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** What reports there were before the command was started. */
  readonly before: ReadonlyMap<string, string>;
}

/** Reports after the command has ended. */
export interface FoundReports {
  /** Absolute paths, sorted: written since the command was started. */
  readonly fresh: readonly string[];
  /** Absolute paths of those that stood there before, and were not written again. */
  readonly stale: readonly string[];
}

type Lane = Pick<JunitLane, 'command' | 'args' | 'env' | 'report'>;

/**
 * Puts the private path where the command is told of it, and looks at what lies in the place of
 * the reports already. A private path is new in every step, so nothing in it can be old; in the
 * tree only a report whose inode, size or times changed was written by this step.
 */
export async function placeReports(
  lane: Lane,
  { scratch, cwd }: { readonly scratch: string; readonly cwd: string },
): Promise<ReportPlaces> {
  const isFolder = lane.report.startsWith(`${PRIVATE_REPORT}/`);
  const privatePath = path.join(scratch, isFolder ? 'reports' : 'report.xml');
  if (isFolder) await mkdir(privatePath, { recursive: true });
  const filled = (word: string): string => word.replaceAll(PRIVATE_REPORT, privatePath);
  const [file = '', ...words] = [...lane.command, ...lane.args].map(filled);
  const env = Object.entries(lane.env).map(([name, value]) => [name, filled(value)] as const);
  return {
    privatePath,
    command: [file, ...words],
    env: { ...Object.fromEntries(env), [REPORT_VARIABLE]: privatePath },
    before: await stamps(await reportsNow(lane, cwd, privatePath)),
  };
}

export async function findReports(
  lane: Lane,
  { privatePath, before }: ReportPlaces,
  cwd: string,
): Promise<FoundReports> {
  const now = await stamps(await reportsNow(lane, cwd, privatePath));
  const files = [...now.keys()].toSorted();
  return {
    fresh: files.filter((file) => now.get(file) !== before.get(file)),
    stale: files.filter((file) => now.get(file) === before.get(file)),
  };
}

/** A folder stands for the XML files in it: some runners take `{report}` as the name of one. */
async function reportsNow(
  { report }: Lane,
  cwd: string,
  privatePath: string,
): Promise<readonly string[]> {
  if (report.startsWith(`${PRIVATE_REPORT}/`))
    return glob(report.slice(PRIVATE_REPORT.length + 1), privatePath);
  const named = report === PRIVATE_REPORT ? privatePath : path.resolve(cwd, report);
  const found = await stat(named).catch(() => null);
  if (found !== null) return found.isDirectory() ? glob('**/*.xml', named) : [named];
  return report === PRIVATE_REPORT ? [] : glob(report, cwd);
}

const glob = (pattern: string, cwd: string): Promise<readonly string[]> =>
  findFiles(pattern, cwd, {
    dot: true,
    followSymbolicLinks: false,
    ignore: ['**/.git/**', '**/node_modules/**', '**/.counterproof/**'],
  });

/** The change time cannot be set by a program, so that not even `touch -d` makes an old file look new. */
async function stamps(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    files.map(async (file) => {
      const now = await stat(file, { bigint: true }).catch(() => null);
      return now?.isFile() === true
        ? ([[file, `${now.ino} ${now.size} ${now.mtimeNs} ${now.ctimeNs}`]] as const)
        : [];
    }),
  );
  return new Map(found.flat());
}
