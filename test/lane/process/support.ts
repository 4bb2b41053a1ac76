/** Real processes that tell over a named pipe how far they got. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createNonce, type ProcessEnd, type SpawnRequest } from '../../../src/lane/process.js';

export const onLinux = process.platform === 'linux';

/** A folder with a space and non-ASCII letters in its name, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterproof prüfung '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A pipe to which a child writes; `line` settles when a writer has closed it. */
export function namedPipe(): { file: string; line: () => Promise<string> } {
  const file = path.join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [file]);
  return { file, line: async () => (await readFile(file, 'utf8')).trim() };
}

export function request(
  command: SpawnRequest['command'],
  overrides: Partial<Omit<SpawnRequest, 'limits'>> & {
    readonly limits?: Partial<SpawnRequest['limits']>;
  } = {},
): SpawnRequest {
  return {
    command,
    cwd: os.tmpdir(),
    stdin: null,
    nonce: createNonce(undefined),
    signal: new AbortController().signal,
    ...overrides,
    env: { PATH: process.env['PATH'] ?? '', ...overrides.env },
    limits: { timeMs: 60_000, memoryBytes: null, outputBytes: 64 * 1024, ...overrides.limits },
  };
}

export const shell = (script: string): SpawnRequest['command'] => ['sh', '-c', script];
export const python = (script: string): SpawnRequest['command'] => ['python3', '-c', script];

/** False for a zombie too: it is dead, and waits for a parent that may never look. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!onLinux) return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Fails loudly, with the whole answer, where another kind came. */
export function as<K extends ProcessEnd['kind']>(
  end: ProcessEnd,
  kind: K,
): Extract<ProcessEnd, { kind: K }> {
  if (isKind(end, kind)) return end;
  throw new Error(`expected ${kind}, got ${JSON.stringify(end)}`);
}

const isKind = <K extends ProcessEnd['kind']>(
  end: ProcessEnd,
  kind: K,
): end is Extract<ProcessEnd, { kind: K }> => end.kind === kind;

/** Hands `stop` out of `onStart`. */
export function stopper() {
  const held: { stop: ((why: string) => void) | null } = { stop: null };
  return {
    onStart: (control: { readonly stop: (why: string) => void }): void => {
      held.stop = control.stop;
    },
    stop: (why: string): void => held.stop?.(why),
  };
}

export const text = (end: { readonly stdout: { readonly head: Buffer; readonly tail: Buffer } }) =>
  Buffer.concat([end.stdout.head, end.stdout.tail]).toString('utf8');
