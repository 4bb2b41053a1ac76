/** What only shows where several specs are seen together. */
import { argumentFault, realPath, type SpecArgument } from './arguments.js';
import { didYouMean } from './distance.js';
import type { Diagnostic, MutationSpec, Probe, Where } from './model.js';
import { diagnoseAt, type Source } from './source.js';

export interface LoadedFile {
  /** Real path: equal for all names of one file. */
  readonly key: string;
  /** Relative to the root. */
  readonly path: string;
  readonly mutations: readonly MutationSpec[];
  readonly faults: readonly Diagnostic[];
  readonly source: Source | null;
}

const place = (where: Where): string => `${where.file}:${where.line}:${where.col}`;

/** Ids that stand twice, and probes that put different files into one place of one lane. */
export function crossFileFaults(files: readonly LoadedFile[]): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const ids = new Map<string, Where>();
  const probes = new Map<string, Probe>();
  const told = new Set<string>();
  for (const { source, mutations } of files) {
    if (source === null) continue;
    for (const mutation of mutations) {
      const first = ids.get(mutation.id);
      if (first === undefined) ids.set(mutation.id, mutation.where);
      else
        faults.push(
          diagnoseAt(
            source,
            mutation.where,
            `the id \`${mutation.id}\` is taken`,
            `It is already at ${place(first)}. An id is unique among all specs.`,
          ),
        );
      for (const probe of mutation.probes) {
        const key = JSON.stringify([mutation.lane, probe.path]);
        const other = probes.get(key);
        if (other === undefined) probes.set(key, probe);
        else if (!other.content.equals(probe.content) && !told.has(place(probe.where))) {
          told.add(place(probe.where));
          faults.push(
            diagnoseAt(
              source,
              probe.where,
              `the probe ${probe.path} is already there with other content`,
              `It is at ${place(other.where)}. Probes stand in every step of a lane: give one of them another path.`,
            ),
          );
        }
      }
    }
  }
  return faults;
}

/** `SPEC::ID` that none of its files declares; silent where a file has faults of its own. */
export function unknownIds(
  list: readonly string[],
  found: readonly SpecArgument[],
  files: readonly LoadedFile[],
): readonly Diagnostic[] {
  return found.flatMap(({ index, id, files: paths }) => {
    if (id === null) return [];
    const keys = new Set(paths.map(realPath));
    const inside = files.filter((file) => keys.has(file.key));
    const ids = inside.flatMap((file) => file.mutations.map((mutation) => mutation.id));
    if (ids.includes(id) || inside.some((file) => file.faults.length > 0)) return [];
    const elsewhere = files.flatMap((file) => file.mutations).find((other) => other.id === id);
    const hint =
      elsewhere === undefined
        ? (didYouMean(id, ids) ?? `Declared there: ${shortList(ids)}.`)
        : `It is declared at ${place(elsewhere.where)}.`;
    const where = inside.length === 1 ? (inside[0]?.path ?? '') : `these ${inside.length} files`;
    return [argumentFault(list, index, `no mutation \`${id}\` is declared in ${where}`, hint)];
  });
}

function shortList(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).map((id) => `\`${id}\``);
  const more = ids.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
