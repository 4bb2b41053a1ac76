/** Finds the pytest of a project: command, interpreter, versions. Runs no test and imports nothing of the project's. */
import path from 'node:path';
import { err, ok, type Result } from '../../result.js';
import type { PytestLane } from '../../spec/model.js';
import type { LaneProblem } from '../lane.js';
import type { Candidate, Place } from './detect/candidate.js';
import { candidates } from './detect/candidates.js';
import { declared } from './detect/declared.js';
import type { Found, PytestInstallation } from './detect/installation.js';
import { pytestConfigFile } from './detect/ini.js';
import { askInterpreter, type Interpreter } from './detect/interpreter.js';
import { installText, LAUNCHER_MS, tooOld, versionsOf } from './detect/versions.js';

export type { PytestInstallation } from './detect/installation.js';

export interface DetectRequest {
  /** Absolute. */
  readonly root: string;
  /** Absolute; the root or a folder above it. */
  readonly tree: string;
  readonly lane: PytestLane;
  /** `--python`: a command, a path relative to the root, or the folder of an environment. */
  readonly python?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export async function detectPytest(
  request: DetectRequest,
): Promise<Result<PytestInstallation, LaneProblem>> {
  const { root, tree, lane } = request;
  const place: Place = {
    root,
    tree,
    cwd: path.resolve(root, lane.cwd),
    env: { ...defined(request.env), ...lane.env },
    python: request.python ?? null,
    signal: request.signal ?? new AbortController().signal,
  };
  const configFile = pytestConfigFile(place.cwd, lane.paths, lane.args);
  const found =
    lane.command === 'auto' ? await automatic(place) : await declared(place, lane, lane.command);
  return found.ok ? ok({ ...found.value, configFile }) : found;
}

async function automatic(place: Place): Promise<Result<Found, LaneProblem>> {
  const notes: string[] = [];
  let first: { readonly candidate: Candidate; readonly interpreter: Interpreter } | null = null;
  for await (const candidate of candidates(place)) {
    if (candidate.kind === 'passed-over') {
      notes.push(candidate.why);
      continue;
    }
    const label = shown(candidate);
    const asked = await askInterpreter(candidate.argv, {
      ...place,
      ...(candidate.keepsLauncher ? { timeMs: LAUNCHER_MS } : {}),
    });
    if (!asked.ok) {
      notes.push(`${label} ${asked.error}`);
      continue;
    }
    const interpreter = asked.value;
    const problem = tooOld(interpreter, label);
    if (problem !== null && candidate.role === 'environment') return err(problem);
    if (problem !== null) {
      notes.push(problem.message);
      continue;
    }
    if (interpreter.packages['pytest'] === undefined) {
      first ??= { candidate, interpreter };
      notes.push(`${label} has no pytest`);
      continue;
    }
    return ok(use(place, candidate, interpreter, notes));
  }
  return err(nothingFound(place, first, notes));
}

function use(
  place: Place,
  candidate: Candidate,
  interpreter: Interpreter,
  notes: readonly string[],
): Found {
  // The interpreter behind a shim, because the shim chooses anew in every working folder.
  const [first, ...rest] = candidate.keepsLauncher
    ? candidate.argv
    : ([interpreter.executable || candidate.argv[0]] as const);
  return {
    command: [first, ...rest, '-m', 'pytest'],
    shape: { kind: 'pytest', python: [first, ...rest], script: null },
    from: candidate.from,
    tool: interpreter.executable,
    versions: versionsOf(interpreter),
    interpreter,
    activation: activate(place, candidate.folder),
    notes,
  };
}

function nothingFound(
  { python }: Place,
  first: { readonly candidate: Candidate; readonly interpreter: Interpreter } | null,
  notes: readonly string[],
): LaneProblem {
  const reasons = notes.map((note) => note.replace(/\.$/, '')).join('; ');
  return {
    message: `${python === null ? 'No interpreter with pytest was found' : 'The interpreter cannot be used'}: ${reasons}`,
    hint:
      first === null
        ? 'Install Python 3.9 or newer with pytest, or name an interpreter with --python.'
        : (first.candidate.install ?? installText(first.interpreter, 'pytest')),
  };
}

function activate({ env }: Place, folder: string | null): Readonly<Record<string, string>> {
  if (folder === null) return {};
  const rest = env['PATH'];
  const bin = path.join(folder, 'bin');
  return {
    VIRTUAL_ENV: folder,
    PATH: rest === undefined || rest === '' ? bin : `${bin}${path.delimiter}${rest}`,
  };
}

const shown = (candidate: Candidate): string =>
  `\`${candidate.from.replace(/ (beside|above) the project$| in PATH$/, '')}\``;

const defined = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
