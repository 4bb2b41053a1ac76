/** Which lane something runs in: the one that is named, the default, or one for the file's language. */
import { type Check, faultAt } from './check.js';
import { didYouMean } from './distance.js';
import { listOf } from './fields.js';
import { areImplicit } from './implicit-lanes.js';
import type { Config, LaneConfig } from './model.js';
import { sourceLanguage, type SourceLanguage } from './source-language.js';
import type { MutationInput, SpecHeaderInput } from './spec-schema.js';
import type { Path } from './written.js';

const laneNames = (config: Config): readonly string[] => config.lanes.map((lane) => lane.name);

/** Whether a lane exists; a fault at the path where it does not. */
export function checkLane(check: Check, name: string, path: Path): boolean {
  const names = laneNames(check.config);
  if (names.includes(name)) return true;
  const hint = areImplicit(check.config.lanes)
    ? `No lane is configured: leave \`lane\` out, or declare lanes.${name} in counterproof.yaml.`
    : (didYouMean(name, names) ?? `The lanes are ${names.join(', ')}.`);
  faultAt(check, path, `there is no lane \`${name}\``, hint);
  return false;
}

/** The lane that holds where a mutation names none; null: there are several, and no default. */
export function defaultLane(check: Check, header: SpecHeaderInput): string | null {
  const names = laneNames(check.config);
  const only = names.length === 1 ? (names[0] ?? null) : null;
  return header.lane ?? check.config.defaults.lane ?? only;
}

export function laneOfMutation(
  check: Check,
  input: MutationInput,
  path: Path,
  fallback: string | null,
): string {
  if (input.lane !== undefined) {
    checkLane(check, input.lane, [...path, 'lane']);
    return input.lane;
  }
  const found = fallback ?? foundByFile(check.config, input);
  if (found !== null) return found;
  const names = laneNames(check.config);
  faultAt(
    check,
    [...path, 'id'],
    `\`${input.id}\` names no lane, and there are several`,
    `Add \`lane:\` here, at the head of the file, or under \`defaults\` in counterproof.yaml. The lanes are ${names.join(', ')}.`,
  );
  return '';
}

/** Where detection made up the lanes, the files that are edited say which one is meant. */
function foundByFile(config: Config, mutation: MutationInput): string | null {
  if (!areImplicit(config.lanes)) return null;
  const files = [mutation, ...(mutation.edits ?? [])].flatMap(({ file, paths }) => [
    ...(file === undefined ? [] : [file]),
    ...listOf(paths).filter((path) => !path.startsWith('!') && sourceLanguage(path) !== null),
  ]);
  const names = new Set(files.map((one) => laneOfFile(config, one)?.name ?? null));
  const [only = null] = names;
  return names.size === 1 ? only : null;
}

const RUNNERS: { readonly [L in SourceLanguage]: LaneConfig['runner'] } = {
  python: 'pytest',
  rust: 'cargo',
};

/**
 * The lane in which an edit of a file is tried where none is named: one that runs the file's
 * language, where there is one. Among those it is the default lane, or the only one; null: there
 * are several, and no default.
 */
export function laneOfFile({ lanes, defaults }: Config, file: string): LaneConfig | null {
  const language = sourceLanguage(file);
  const fitting = lanes.filter(({ runner }) => language !== null && runner === RUNNERS[language]);
  const isDefault = ({ name }: LaneConfig): boolean => name === defaults.lane;
  const candidates = fitting.length === 0 ? lanes : fitting;
  const [only] = candidates.length === 1 ? candidates : [];
  return candidates.find(isDefault) ?? only ?? lanes.find(isDefault) ?? null;
}
