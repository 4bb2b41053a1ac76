/** The configuration of a project: lanes and defaults, from counterproof.yaml or pyproject.toml. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { append } from '../lists.js';
import { err, ok, type Result } from '../result.js';
import { type Check, whereIs } from './check.js';
import { configSchema, type ConfigInput } from './config-schema.js';
import { listOf } from './fields.js';
import { implicitLane, implicitLanes } from './implicit-lanes.js';
import { validate } from './issues.js';
import { checkLane } from './lane-choice.js';
import { laneOf } from './lanes.js';
import { checkLaneFields } from './lane-fields.js';
import { laneSchema } from './lane-schema.js';
import type { Config, Defaults, Diagnostic, LaneConfig, ProveConfig } from './model.js';
import { nameFrom, type Project } from './project.js';
import { readSource } from './read-text.js';
import { fileDiagnostic, sortDiagnostics, type Source } from './source.js';
import { hasTomlTable } from './toml-table.js';
import { readToml } from './toml-read.js';
import { valueAt, type Written } from './written.js';
import { readYaml } from './yaml-read.js';

const NO_DEFAULTS: Defaults = { lane: null, isolation: 'auto', verify: 'moved' };
const NO_PATHS: ProveConfig = { testPaths: [], sourcePaths: [] };

/** Reads and checks the configuration; a project without one has only defaults. */
export function loadConfig(project: Project): Result<Config, readonly Diagnostic[]> {
  const { root, configFile } = project;
  if (configFile === null)
    return ok({
      file: null,
      lanes: implicitLanes(root),
      defaults: NO_DEFAULTS,
      prove: NO_PATHS,
    });
  const name = nameFrom(root, configFile);
  const source = readSource(configFile, name);
  if (!source.ok) return err(source.error);
  const second = secondConfig(configFile);
  if (second !== null)
    return err([
      fileDiagnostic(name, `there is a second configuration: ${second}`, 'Keep one of them.'),
    ]);
  return parseConfig(source.value, { root, file: configFile });
}

/** Like `loadConfig`, of a text; the ending of `source.file` decides between YAML and TOML. */
export function parseConfig(
  source: Source,
  options: { readonly root: string; readonly file: string | null },
): Result<Config, readonly Diagnostic[]> {
  const read = source.file.endsWith('.toml') ? readToml : readYaml;
  const written = read(source, configSchema);
  return written.ok ? configOf(written.value, options.root, options.file) : err(written.error);
}

function secondConfig(configFile: string): string | null {
  const folder = dirname(configFile);
  const name = basename(configFile);
  const others = ['counterproof.yaml', 'counterproof.yml'].filter(
    (other) => other !== name && existsSync(join(folder, other)),
  );
  if (!name.startsWith('counterproof.y')) return null;
  const toml = hasTomlTable(join(folder, 'pyproject.toml'))
    ? ['[tool.counterproof] in pyproject.toml']
    : [];
  return [...others, ...toml][0] ?? null;
}

function configOf(
  written: Written,
  root: string,
  file: string | null,
): Result<Config, readonly Diagnostic[]> {
  const bounds = { root, tree: root };
  const empty: Config = { file, lanes: [], defaults: NO_DEFAULTS, prove: NO_PATHS };
  const faults: Diagnostic[] = [...written.faults];
  // An empty file is a configuration in which everything has its default.
  const value = written.value ?? {};
  const parsed = validate<ConfigInput>(written, configSchema, [], { value });
  append(faults, parsed.faults);
  const check: Check = { written, bounds, config: empty, faults };
  // Whatever else is wrong, a lane that is whole is checked, and so is the name of one.
  const named = valueAt(value, ['lanes']);
  const lanes = Object.entries(isMapping(named) ? named : {}).map(([name, lane]): LaneConfig => {
    const input = laneSchema.safeParse(lane);
    if (!input.success || written.isFaulty(['lanes', name])) return { ...implicitLane(), name };
    checkLaneFields(check, ['lanes', name], input.data);
    return { ...laneOf(name, input.data), where: whereIs(check, ['lanes', name], 'key') };
  });
  const known = lanes.length === 0 ? implicitLanes(root) : lanes;
  const lane = valueAt(value, ['defaults', 'lane']);
  if (typeof lane === 'string' && (parsed.value !== null || lanes.length > 0))
    checkLane({ ...check, config: { ...empty, lanes: known } }, lane, ['defaults', 'lane']);
  const input = parsed.value;
  if (input === null || faults.length > 0) return err(sortDiagnostics(faults));
  const defaults: Defaults = {
    lane: input.defaults?.lane ?? null,
    isolation: input.defaults?.isolation ?? 'auto',
    verify: input.defaults?.verify ?? 'moved',
  };
  const prove: ProveConfig = {
    testPaths: listOf(input.prove?.testPaths),
    sourcePaths: listOf(input.prove?.sourcePaths),
  };
  return ok({ file, lanes: known, defaults, prove });
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
