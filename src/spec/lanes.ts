/** Lanes: from what is written to the whole configuration. */
import { unreachable } from '../result.js';
import { listOf } from './fields.js';
import { OUTPUT_BYTES } from './implicit-lanes.js';
import type { LaneInput } from './lane-schema.js';
import type { CargoTarget, LaneConfig, Limits } from './model.js';
import { parseDuration, parseSize } from './units.js';

/** Stands for a report's path, of our own choice and anew in every step. */
export const PRIVATE_REPORT = '{report}';

/** Environment variable of a junit lane's command that holds the path that `{report}` stands for. */
export const REPORT_VARIABLE = 'COUNTERPROOF_REPORT';

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
