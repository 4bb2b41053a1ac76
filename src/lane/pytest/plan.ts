/** The private folder through which a step tells the plugin what to do, and hears from it. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoadTarget, RunRequest } from '../lane.js';
import type { PluginFiles } from './environment.js';

/** Fixed in every step, so that two runs differ by the edit alone. */
export const SEEDS = { hypothesis: '0', randomly: '0', 'random-order': '0' } as const;

export interface PlanFolder {
  /** Value of COUNTERPROOF_DIR. */
  readonly folder: string;
  readonly events: string;
  /** Stands in front of PYTHONPATH. */
  readonly library: string;
}

/**
 * How many failing tests of a step are shown with a traceback in its log; the others in a line. It
 * is for people, and costs up to ten times what the test does. A second run and a raise fail by
 * what the first run's log shows.
 */
export const tracebacksOf = ({ step, scope }: Pick<RunRequest, 'step' | 'scope'>): number =>
  step === 'reach' || (step === 'mutated' && scope !== 'lane') ? 0 : 10;

/**
 * Writes the plan of one step under `scratch`. Absolute, real paths: a tree may be reached
 * through a symlink, and the recorder compares what files resolve to.
 */
export function writePlan(
  request: Pick<RunRequest, 'scratch' | 'step' | 'targets' | 'probes' | 'scope' | 'without'> & {
    readonly learn: 'learn' | null;
  },
  places: { readonly tree: string; readonly root: string },
  plugin: PluginFiles,
): PlanFolder {
  const folder = path.join(request.scratch, 'cp');
  const events = path.join(folder, 'events.jsonl');
  const library = path.join(folder, 'lib');
  mkdirSync(library, { recursive: true });
  for (const [name, code] of plugin) writeFileSync(path.join(library, name), code);
  writeFileSync(events, '', { flag: 'wx', mode: 0o600 });
  writeFileSync(
    path.join(folder, 'targets'),
    request.targets.map((target) => targetLine(target, places.tree)).join(''),
  );
  writeFileSync(
    path.join(folder, 'session.json'),
    JSON.stringify({
      root: realpathSync(places.root),
      keep: request.scope === 'lane' ? null : request.scope,
      without: request.without,
      probes: request.probes.map((probe) => path.resolve(places.root, probe)),
      seeds: SEEDS,
      tracebacks: tracebacksOf(request),
      learn: request.learn === null ? null : realpathSync(places.tree),
    }),
  );
  return { folder, events, library };
}

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

function targetLine(target: LoadTarget, tree: string): string {
  const file = realFile(path.resolve(tree, target.path));
  const { names, weak } = moduleNames(file, realpathSync(tree));
  return `${[
    target.sha256 ?? '-',
    hex(file),
    names.map(hex).join(','),
    weak.map(hex).join(','),
    hex(realpathSync(tree)),
  ].join('\t')}\n`;
}

/** The file itself may be absent in this step; its folder is resolved then. */
function realFile(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = path.dirname(file);
  return existsSync(folder) ? path.join(realpathSync(folder), path.basename(file)) : file;
}

/**
 * Dotted names under which Python may import a file. Folders with an `__init__.py` give the
 * one name that can only be this file; without them any part of the path may be the start of
 * a namespace package.
 */
export function moduleNames(
  file: string,
  tree: string,
): { readonly names: readonly string[]; readonly weak: readonly string[] } {
  if (!file.endsWith('.py')) return { names: [], weak: [] };
  const stem = path.basename(file, '.py');
  const isPackage = stem === '__init__';
  let folder = path.dirname(file);
  let name = isPackage ? [] : [stem];
  const isInPackage = (): boolean => existsSync(path.join(folder, '__init__.py'));
  while (name.length === 0 || isInPackage()) {
    name = [path.basename(folder), ...name];
    folder = path.dirname(folder);
  }
  const certain = isPackage || name.length > 1;
  const weak = certain ? [] : [name.join('.')];
  let longer = name;
  while (folder.startsWith(tree + path.sep) && isIdentifier(path.basename(folder))) {
    longer = [path.basename(folder), ...longer];
    weak.push(longer.join('.'));
    folder = path.dirname(folder);
  }
  return { names: certain ? [name.join('.')] : [], weak };
}

const isIdentifier = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
