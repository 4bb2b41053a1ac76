/** Configuration and specs from plain data. JSON is YAML, so nothing needs quoting by hand. */
import { execFileSync } from 'node:child_process';
import type { ConfigInput } from '../../src/spec/config-schema.js';
import type { LaneInput, PytestLaneInput } from '../../src/spec/lane-schema.js';
import type { MutationInput, SpecHeaderInput } from '../../src/spec/spec-schema.js';
import { cliEnvironment, type CliOptions, type Files, type TestProject } from './project.js';

/** One lane, `unit`, with these settings; a pytest one where they name no runner. */
export const config = (
  lane: LaneInput | Partial<PytestLaneInput> = {},
  more: Partial<ConfigInput> = {},
): Files => ({
  'counterproof.yaml': JSON.stringify({
    version: 1,
    lanes: { unit: { runner: 'pytest', ...lane } },
    ...more,
  }),
});

export const spec = (mutations: readonly MutationInput[], header: SpecHeaderInput = {}): Files => ({
  'mutations/all.yaml': JSON.stringify({ version: 1, ...header, mutations }),
});

/** A mutation that takes one text for another. */
export const swap = (
  id: string,
  file: string,
  [find, replacement]: readonly [string, string],
  more: Partial<MutationInput> = {},
): MutationInput => ({ id, file, replace: { find, with: replacement }, ...more });

/** The user's own command in the project, with the environment that the proof will have. */
export async function byHand(
  project: TestProject,
  [file, ...args]: readonly [string, ...string[]],
  options: CliOptions = {},
): Promise<string> {
  return execFileSync(file, args, {
    cwd: options.cwd ?? project.folder,
    env: await cliEnvironment(project, options.env, options.venv),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
