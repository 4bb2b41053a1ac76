/** A command that somebody wrote down: left as it is, and looked into as far as it lets one. */
import path from 'node:path';
import { err, ok, type Result } from '../../../result.js';
import type { PytestLane } from '../../../spec/model.js';
import type { LaneProblem } from '../../lane.js';
import { findExecutable } from '../../process/start-failure.js';
import { classifyCommand, type CommandShape, type WrapperKind } from '../command.js';
import type { Place } from './candidate.js';
import { candidates } from './candidates.js';
import type { Found } from './installation.js';
import { askInterpreter, type Interpreter } from './interpreter.js';
import { interpreterOfScript } from './script.js';
import { installText, LAUNCHER_MS, tooOld, versionsOf } from './versions.js';

export async function declared(
  place: Place,
  lane: PytestLane,
  command: readonly string[],
): Promise<Result<Found, LaneProblem>> {
  const [name, ...args] = command;
  if (name === undefined)
    return err({ message: `The command of lane ${lane.name} is empty.`, hint: null });
  const from = origin(place, lane);
  const executable = findExecutable(name, place);
  if (executable.kind !== 'executable') {
    return err({
      message:
        executable.kind === 'absent'
          ? `\`${name}\`, the command of lane ${lane.name} in ${from}, was not found${name.includes('/') ? '' : ' in PATH'}.`
          : `\`${executable.path}\`, the command of lane ${lane.name} in ${from}, may not be executed.`,
      hint: 'Install it, correct `command`, or leave `command` out to have pytest found.',
    });
  }
  const shape = classifyCommand(command);
  const interpreter =
    shape.kind === 'pytest'
      ? await interpreterOf(place, shape)
      : ok(await interpreterBehind(place, shape.via));
  if (!interpreter.ok) return interpreter;
  return ok({
    command: [name, ...args],
    shape,
    from,
    tool: interpreter.value?.executable ?? executable.path,
    versions: interpreter.value === null ? {} : versionsOf(interpreter.value),
    interpreter: interpreter.value,
    activation: {},
    notes: [],
  });
}

/** A command that names its interpreter can be refused for it; one that hides it cannot. */
async function interpreterOf(
  place: Place,
  shape: Extract<CommandShape, { kind: 'pytest' }>,
): Promise<Result<Interpreter | null, LaneProblem>> {
  const argv = shape.python ?? interpreterOfScript(shape.script, place);
  if (argv === null) return ok(null);
  const label = `\`${argv.join(' ')}\``;
  const asked = await askInterpreter(argv, { ...place, timeMs: LAUNCHER_MS });
  if (!asked.ok) {
    return shape.python === null
      ? ok(null)
      : err({ message: `${label} ${asked.error}.`, hint: 'Correct `command` of the lane.' });
  }
  const problem = tooOld(asked.value, label);
  if (problem !== null) return err(problem);
  if (shape.python !== null && asked.value.packages['pytest'] === undefined) {
    return err({
      message: `${label} has no pytest.`,
      hint: asked.value.isManaged
        ? `${installText(asked.value, 'pytest')}, then \`command: auto\` in the lane`
        : installText(asked.value, 'pytest'),
    });
  }
  return asked;
}

/** A guess that serves compile checks only, and starts nothing that would make an environment. */
async function interpreterBehind(place: Place, via: WrapperKind): Promise<Interpreter | null> {
  let fallback: Interpreter | null = null;
  for await (const candidate of candidates(place)) {
    if (candidate.kind === 'passed-over' || candidate.keepsLauncher) continue;
    const asked = await askInterpreter(candidate.argv, place);
    if (!asked.ok || tooOld(asked.value, '') !== null) continue;
    const makesItsOwn = via === 'tox' || via === 'nox';
    if (makesItsOwn && candidate.role === 'one-of-many') return asked.value;
    if (!makesItsOwn && asked.value.packages['pytest'] !== undefined) return asked.value;
    fallback ??= asked.value;
  }
  return fallback;
}

function origin({ root }: Place, { where }: PytestLane): string {
  if (where === null) return 'the command line';
  return path.isAbsolute(where.file) ? path.relative(root, where.file) : where.file;
}
