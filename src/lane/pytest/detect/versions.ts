/** Which versions will do. */
import type { LaneProblem } from '../../lane.js';
import type { Interpreter } from './interpreter.js';

const OLDEST_PYTHON = [3, 9] as const;
const OLDEST_PYTEST = [7, 0] as const;
/** A tool that starts an interpreter may have to install everything first. */
export const LAUNCHER_MS = 300_000;

/** null: new enough. Whether pytest is there at all is not asked here. */
export function tooOld(interpreter: Interpreter, label: string): LaneProblem | null {
  if (isBefore(interpreter.version, OLDEST_PYTHON)) {
    return {
      message: `${label} is Python ${interpreter.version}; Counterproof needs 3.9 or newer.`,
      hint: 'Name a newer interpreter with --python or in the lane as `command`.',
    };
  }
  const pytest = interpreter.packages['pytest'];
  if (pytest !== undefined && isBefore(pytest, OLDEST_PYTEST)) {
    return {
      message: `${label} has pytest ${pytest}; Counterproof needs 7.0 or newer.`,
      hint: installText(interpreter, '"pytest>=7"'),
    };
  }
  return null;
}

/** How to install something for this interpreter; where it takes nothing, in an environment of its own. */
export const installText = ({ executable, isManaged }: Interpreter, what: string): string =>
  isManaged
    ? `${executable} -m venv .venv && .venv/bin/python -m pip install ${what}`
    : `${executable} -m pip install ${what}`;

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [hasMajor = 0, hasMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return hasMajor < major || (hasMajor === major && hasMinor < minor);
}

export const versionsOf = ({
  version,
  packages,
}: Interpreter): Readonly<Record<string, string>> => ({
  python: version,
  ...packages,
});
