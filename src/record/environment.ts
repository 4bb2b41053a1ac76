/** What of the machine and its environment may change what tests do; no value that could be a secret. */
import type { RunRecord } from './schema.js';

type EnvironmentFacts = Pick<
  RunRecord['environment'],
  'os' | 'arch' | 'cpus' | 'node' | 'variables'
>;

/** Shown with their value: it says a mode, a zone or a number, and is short. */
const HARMLESS: readonly string[] = [
  'CI',
  'TZ',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'PYTHONHASHSEED',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONOPTIMIZE',
  'PYTHONUTF8',
  'PYTHONIOENCODING',
  'PYTHONSAFEPATH',
  'PYTHONNOUSERSITE',
  'PYTHONUNBUFFERED',
  'PYTHONDEVMODE',
  'PYTEST_DISABLE_PLUGIN_AUTOLOAD',
  'PYTEST_XDIST_AUTO_NUM_WORKERS',
  'SOURCE_DATE_EPOCH',
  'OMP_NUM_THREADS',
  'CUDA_VISIBLE_DEVICES',
];

/**
 * Only that they are set: a path tells a user's name, options may carry a token
 * (`PYTEST_ADDOPTS=--token=…`), and reports are pasted into public places.
 */
const NAMED_ONLY: readonly string[] = [
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONSTARTUP',
  'PYTHONWARNINGS',
  'PYTHONPYCACHEPREFIX',
  'PYTEST_ADDOPTS',
  'PYTEST_PLUGINS',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'COVERAGE_PROCESS_START',
  'HYPOTHESIS_PROFILE',
  'DJANGO_SETTINGS_MODULE',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
];

/** A value of a harmless variable is still somebody's text: `CI` may hold anything. */
const SHOWABLE = /^[\w.,:+@/-]{1,40}$/;

function shown(name: string, value: string): string {
  if (value === '') return '(empty)';
  return HARMLESS.includes(name) && SHOWABLE.test(value) ? value : '(set)';
}

/** Those of the variables known to change what tests do that are set, by name, in a fixed order. */
export function variablesOf(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of [...HARMLESS, ...NAMED_ONLY].toSorted()) {
    const value = env[name];
    if (value !== undefined) found[name] = shown(name, value);
  }
  return found;
}

/** What `node:os` and `process` say; handed in, so that a test can be somebody else's machine. */
export interface Machine {
  readonly type: string;
  readonly release: string;
  readonly arch: string;
  readonly cpus: number;
  readonly node: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The part of the record's environment block that is known before any lane is described. */
export function environmentFacts(machine: Machine): EnvironmentFacts {
  return {
    os: `${machine.type} ${machine.release}`,
    arch: machine.arch,
    cpus: machine.cpus,
    node: machine.node,
    variables: variablesOf(machine.env),
  };
}
