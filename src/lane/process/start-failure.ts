/** Why a command did not start, in words that name the thing at fault. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { unreachable } from '../../result.js';

export interface StartFailure {
  /** `ENOENT EACCES …` as the system says it; `BAD_CWD` where the folder is at fault. */
  readonly code: string;
  readonly message: string;
}

/** The system gives ENOENT for a missing command, a missing folder and a missing `#!` interpreter alike. */
export function explainStartFailure(
  request: {
    readonly command: readonly [string, ...string[]];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  },
  code: string,
  detail: string,
): StartFailure {
  const [name] = request.command;
  const folder = folderFault(request.cwd);
  if (folder !== null) return { code: 'BAD_CWD', message: folder };
  const found = findExecutable(name, request);
  if (code === 'E2BIG') {
    return { code, message: `\`${name}\` was given more arguments than the system takes.` };
  }
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') {
    return { code, message: `The system has no room for another process (${code}).` };
  }
  switch (found.kind) {
    case 'absent':
      return {
        code: 'ENOENT',
        message: name.includes('/')
          ? `\`${name}\` does not exist.`
          : `\`${name}\` was not found in PATH.`,
      };
    case 'not-executable':
      return { code: 'EACCES', message: `\`${found.path}\` may not be executed.` };
    case 'executable':
      return code === 'ENOENT'
        ? { code, message: `\`${found.path}\` names an interpreter that does not exist.` }
        : { code, message: `\`${found.path}\` did not start: ${detail}` };
    default:
      return unreachable(found);
  }
}

function folderFault(cwd: string): string | null {
  try {
    if (!statSync(cwd).isDirectory()) return `The working folder \`${cwd}\` is not a folder.`;
    accessSync(cwd, constants.X_OK);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'EACCES' || code === 'EPERM'
      ? `The working folder \`${cwd}\` may not be entered.`
      : `The working folder \`${cwd}\` does not exist.`;
  }
}

export type Executable =
  | { readonly kind: 'executable'; readonly path: string }
  | { readonly kind: 'not-executable'; readonly path: string }
  | { readonly kind: 'absent' };

/** Finds a command as the system would: as a path if it holds a slash, otherwise along PATH. */
export function findExecutable(
  name: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Executable {
  const candidates = name.includes('/')
    ? [path.resolve(cwd, name)]
    : (env['PATH'] ?? '/usr/bin:/bin')
        .split(path.delimiter)
        .map((folder) => path.resolve(cwd, folder, name));
  let refused: string | null = null;
  for (const candidate of candidates) {
    try {
      if (!statSync(candidate).isFile()) {
        refused ??= name.includes('/') ? candidate : null;
        continue;
      }
      accessSync(candidate, constants.X_OK);
      return { kind: 'executable', path: candidate };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'EACCES') refused ??= candidate;
    }
  }
  return refused === null ? { kind: 'absent' } : { kind: 'not-executable', path: refused };
}
