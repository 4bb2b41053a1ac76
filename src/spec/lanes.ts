/** Lanes: from what is written to the whole configuration, and which lane a mutation runs in. */
import { unreachable } from '../result.js';
import { type Check, faultAt } from './check.js';
import { didYouMean } from './distance.js';
import { listOf } from './fields.js';
import type { LaneInput } from './lane-schema.js';
import type { CargoTarget, Config, LaneConfig, Limits, PytestLane } from './model.js';
import type { MutationInput, SpecHeaderInput } from './spec-schema.js';
import { parseDuration, parseSize } from './units.js';
import type { Path } from './written.js';

/** The lane's name where no configuration declares any. */
export const IMPLICIT_LANE = 'pytest';

/** Stands for a report's path, of our own choice and anew in every step. */
export const PRIVATE_REPORT = '{report}';

/** Environment variable of a junit lane's command that holds the path that `{report}` stands for. */
export const REPORT_VARIABLE = 'COUNTERPROOF_REPORT';

const OUTPUT_BYTES = 16 * 2 ** 20;

/** The lane of a project without configured lanes: pytest with nothing but defaults. */
export const implicitLane = (): PytestLane => ({
  name: IMPLICIT_LANE,
  runner: 'pytest',
  select: null,
  paths: [],
  args: [],
  command: 'auto',
  build: null,
  prepare: null,
  env: {},
  cwd: '.',
  slots: 'auto',
  limits: { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: OUTPUT_BYTES },
  quarantine: [],
  warm: 'auto',
  where: null,
});

/** Defaults filled in; a unit that does not parse is reported by the caller, and reads as the default. */
export function laneOf(name: string, input: LaneInput): LaneConfig {
  const base = {
    name,
    args: input.args ?? [],
    build: input.build ?? null,
    prepare: input.prepare ?? null,
    env: input.env ?? {},
    cwd: input.cwd ?? '.',
    slots: input.slots ?? 'auto',
    limits: limitsOf(input.limits),
    quarantine: input.quarantine ?? [],
    where: null,
  } as const;
  switch (input.runner) {
    case 'pytest':
      return {
        ...base,
        runner: 'pytest',
        select: input.select ?? null,
        paths: listOf(input.paths),
        command: input.command ?? 'auto',
        warm: input.warm ?? 'auto',
      };
    case 'cargo':
      return {
        ...base,
        runner: 'cargo',
        select: input.select ?? null,
        packages: listOf(input.packages),
        targets: listOf(input.targets).filter(isCargoTarget),
        features: listOf(input.features),
        noDefaultFeatures: input.noDefaultFeatures ?? false,
        allFeatures: input.allFeatures ?? false,
        profile: input.profile ?? null,
        toolchain: input.toolchain ?? null,
        capLints: input.capLints ?? null,
        harness: input.harness ?? 'libtest',
      };
    case 'junit':
      return {
        ...base,
        runner: 'junit',
        select: null,
        command: input.command,
        report: input.report ?? PRIVATE_REPORT,
      };
    default:
      return unreachable(input);
  }
}

const isCargoTarget = (target: string): target is CargoTarget =>
  ['lib', 'bins', 'tests', 'doc'].includes(target) || target.startsWith('test:');

const durationOf = (value: string | number | undefined): number | 'auto' =>
  value === undefined || value === 'auto' ? 'auto' : (parseDuration(value) ?? 'auto');

function limitsOf(input: LaneInput['limits']): Limits {
  const memory = input?.memory;
  return {
    stepMs: durationOf(input?.step),
    testMs: durationOf(input?.test),
    memoryBytes: memory === undefined || memory === 'auto' ? 'auto' : (parseSize(memory) ?? 'auto'),
    outputBytes:
      input?.output === undefined ? OUTPUT_BYTES : (parseSize(input.output) ?? OUTPUT_BYTES),
  };
}

export const laneNames = (config: Config): readonly string[] =>
  config.lanes.length === 0 ? [IMPLICIT_LANE] : config.lanes.map((lane) => lane.name);

/** Whether a lane exists; a fault at the path where it does not. */
export function checkLane(check: Check, name: string, path: Path): boolean {
  const names = laneNames(check.config);
  if (names.includes(name)) return true;
  const hint =
    check.config.lanes.length === 0
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
  if (fallback !== null) return fallback;
  const names = laneNames(check.config);
  faultAt(
    check,
    [...path, 'id'],
    `\`${input.id}\` names no lane, and there are several`,
    `Add \`lane:\` here, at the head of the file, or under \`defaults\` in counterproof.yaml. The lanes are ${names.join(', ')}.`,
  );
  return '';
}
