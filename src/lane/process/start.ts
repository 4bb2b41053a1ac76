/** Starts one process, and nothing else: how it ends, and when it must, is for others. */
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

export type Started =
  | { readonly kind: 'started'; readonly pid: number; readonly child: Child }
  | { readonly kind: 'failed'; readonly code: string; readonly detail: string };

/**
 * The leader of a process group of its own.
 *
 * @param options.env the whole environment: nothing is inherited beside it
 * @param options.stdin written and closed; null: closed at once
 */
export async function startProcess(
  [file, ...args]: readonly [string, ...string[]],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly stdin: Buffer | null;
  },
): Promise<Started> {
  const { cwd, env, stdin } = options;
  try {
    const child: Child =
      stdin === null
        ? spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    if (child.pid === undefined) return failed(await startError(child));
    // What it wants no more of is no fault of ours, nor is a signal that came too late.
    child.on('error', ignore);
    child.stdin?.on('error', ignore).end(stdin);
    return { kind: 'started', pid: child.pid, child };
  } catch (error) {
    // Most reasons are told by an event, some (too many arguments, a NUL byte) are thrown.
    return failed(error);
  }
}

const ignore = (): void => undefined;

const startError = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('error', resolve));

function failed(error: unknown): Started {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  return { kind: 'failed', code, detail: error instanceof Error ? error.message : String(error) };
}
