/** One interpreter that a project might mean. */
import { lstatSync } from 'node:fs';
import path from 'node:path';

export interface Candidate {
  readonly kind: 'candidate';
  /** As shown to people: `.venv beside the project`, `VIRTUAL_ENV`. */
  readonly from: string;
  readonly argv: readonly [string, ...string[]];
  /** `environment`: the project's own, so that one too old is a problem and not passed over. */
  readonly role: 'environment' | 'one-of-many';
  /** Environment folder to activate in the lane's PATH; null: it is active, or activates itself. */
  readonly folder: string | null;
  /** True: `argv` itself must start the lane, because it prepares more than the interpreter. */
  readonly keepsLauncher: boolean;
  /** What installs pytest there; null: pip. */
  readonly install: string | null;
}

/** Something that looked like a candidate and is none. */
export interface PassedOver {
  readonly kind: 'passed-over';
  readonly why: string;
}

export interface Place {
  readonly root: string;
  readonly tree: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `--python`: then it is the only candidate. */
  readonly python: string | null;
  readonly signal: AbortSignal;
}

/** Folder of the virtual environment that an interpreter's path lies in; null: in none. */
export function environmentOf(python: string): string | null {
  const folder = path.dirname(path.dirname(python));
  return existsAs(path.join(folder, 'pyvenv.cfg')) ? folder : null;
}

/** An environment folder, whose interpreter may have gone since. */
export function inFolder(
  folder: string,
  from: string,
  label: string,
  extra: Partial<Pick<Candidate, 'role' | 'install'>> = {},
): Candidate | PassedOver {
  const python = path.join(folder, 'bin/python');
  if (!existsAs(python)) return { kind: 'passed-over', why: `${label} has no bin/python` };
  return {
    kind: 'candidate',
    from,
    argv: [python],
    role: 'environment',
    folder,
    keepsLauncher: false,
    install: null,
    ...extra,
  };
}

/** True for a dangling link too: that is worth telling. */
export function existsAs(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    // ENOENT; ENOTDIR below a file; EACCES, in which case it could not be started either.
    return false;
  }
}
