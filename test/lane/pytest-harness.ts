/** A small project in a temporary folder, and a pytest lane over it with real processes. */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { LaneProgress, LaneRun, LaneRunner, RunRequest } from '../../src/lane/lane.js';
import { createPytestLane, type PytestFacts } from '../../src/lane/pytest/lane.js';
import type { BoundedOutput, ProcessEnd, SpawnRequest } from '../../src/lane/process.js';
import type { PytestLane } from '../../src/spec/model.js';
import type { Venv } from '../support/venvs.js';

// One start of pytest takes half a second on an idle machine and several on a busy one.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Everything of the real environment that changes what pytest does is left out on purpose. */
const CLEAN_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ||
    /^(PYTHON|PYTEST|COUNTERPROOF|COVERAGE|HYPOTHESIS|CI$|VIRTUAL_ENV|(NO|FORCE)_COLOR|LC_|LANG)/.test(
      name,
    )
      ? []
      : [[name, value]],
  ),
);

export interface Project {
  readonly root: string;
  write(name: string, text: string): void;
  read(name: string): string;
  path(name: string): string;
}

/** The folder's name has a space and a letter outside ASCII, as users' folders have. */
export function project(files: Readonly<Record<string, string>>): Project {
  const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cp ü-')));
  onTestFinished(() => {
    rmSync(top, { recursive: true, force: true });
  });
  const root = path.join(top, 'tree');
  const self: Project = {
    root,
    path: (name) => path.join(root, name),
    read: (name) => readFileSync(path.join(root, name), 'utf8'),
    write(name, text) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    },
  };
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) self.write(name, text);
  return self;
}

export interface LaneOptions {
  readonly command?: PytestFacts['command'];
  readonly kind?: PytestFacts['shape']['kind'];
  readonly interpreter?: string | null;
  readonly root?: string;
  readonly lane?: Partial<PytestLane>;
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: `standIn`. */
  readonly runProcess?: (request: SpawnRequest) => Promise<ProcessEnd>;
}

export interface TestLane {
  readonly runner: LaneRunner;
  run(
    request?: Partial<Omit<RunRequest, 'targets'>> & { readonly targets?: readonly string[] },
  ): Promise<LaneRun>;
  readonly progress: LaneProgress[];
  /** Commands that were started as processes of their own: a step that is forked is none. */
  readonly started: readonly (readonly string[])[];
  /** Text of the last step's log. */
  log(): string;
}

export function laneOver(tree: Project, venv: Venv, options: LaneOptions = {}): TestLane {
  const root = tree.path(options.root ?? '.');
  const started: (readonly string[])[] = [];
  const runner = createPytestLane({
    tree: tree.root,
    root,
    lane: { ...LANE, ...options.lane },
    facts: {
      command: options.command ?? [venv.python, '-m', 'pytest'],
      shape: { kind: options.kind ?? 'pytest' },
      interpreter:
        options.interpreter === null
          ? null
          : { argv: [options.interpreter ?? venv.python], pycachePrefix: null },
      tool: venv.python,
      activation: {},
      versions: {},
      from: 'test',
    },
    runProcess: (request) => {
      started.push(request.command);
      return (options.runProcess ?? standIn)(request);
    },
    createNonce: randomUUID,
    throughWrapper: (names) => ({ PASSED: names.join(' ') }),
    env: { ...CLEAN_ENV, ...options.env },
  });
  onTestFinished(() => runner.close?.());
  const progress: LaneProgress[] = [];
  let steps = 0;
  let log = '';
  return {
    runner,
    started,
    progress,
    log: () => readFileSync(log, 'utf8'),
    run(request = {}) {
      steps += 1;
      // At one path in all steps, as slots have it.
      const scratch = path.join(tree.root, '..', 's');
      const renew = (): Promise<string> => {
        rmSync(scratch, { recursive: true, force: true });
        mkdirSync(scratch);
        return Promise.resolve(scratch);
      };
      void renew();
      log = path.join(tree.root, '..', `${String(steps)}.log`);
      return runner.run({
        step: 'baseline',
        scope: 'lane',
        without: [],
        probes: [],
        limits: { stepMs: 60_000, testMs: 30_000, memoryBytes: 1 << 30, outputBytes: 1 << 16 },
        scratch,
        renew,
        log,
        signal: new AbortController().signal,
        onProgress: (step) => progress.push(step),
        ...request,
        targets: (request.targets ?? []).map((name) => ({
          path: name,
          sha256: sumOf(tree.path(name)),
        })),
      });
    },
  };
}

export const LANE: PytestLane = {
  name: 'unit',
  runner: 'pytest',
  select: null,
  paths: [],
  args: [],
  command: 'auto',
  build: null,
  prepare: null,
  env: {},
  cwd: '.',
  slots: 'auto',
  limits: { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: 1 << 24 },
  quarantine: [],
  warm: 'auto',
  where: null,
};

function sumOf(file: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return null;
  }
}

/** `id` → outcome: what most tests want to see. */
export const outcomes = (run: LaneRun): Readonly<Record<string, string>> =>
  Object.fromEntries(run.results.map((one) => [one.id, one.outcome]));

/** The least that a process runner does: spawn, bound in time, end the group. */
export function standIn(request: SpawnRequest): Promise<ProcessEnd> {
  const [file, ...args] = request.command;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: request.cwd, env: request.env, detached: true });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let why:
      | { readonly kind: 'stopped'; readonly why: string }
      | { readonly kind: 'timeout' }
      | { readonly kind: 'cancelled' }
      | null = null;
    const kill = (reason: NonNullable<typeof why>): void => {
      why ??= reason;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => {
      kill({ kind: 'timeout' });
    }, request.limits.timeMs);
    request.signal.addEventListener('abort', () => {
      kill({ kind: 'cancelled' });
    });
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => errors.push(data));
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin ?? undefined);
    child.on('spawn', () => {
      request.onStart?.({
        pid: child.pid ?? 0,
        stop: (reason) => {
          kill({ kind: 'stopped', why: reason });
        },
      });
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ kind: 'not-started', code: error.code ?? 'UNKNOWN', message: error.message });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const ended = {
        durationMs: performance.now() - startedAt,
        stdout: bounded(out),
        stderr: bounded(errors),
        leftovers: [],
      };
      if (why?.kind === 'timeout')
        resolve({ ...ended, kind: 'timeout', limitMs: request.limits.timeMs });
      else if (why !== null) resolve({ ...ended, ...why });
      else if (signal !== null) resolve({ ...ended, kind: 'signalled', signal });
      else resolve({ ...ended, kind: 'exited', code: code ?? 0 });
    });
  });
}

const bounded = (parts: readonly Buffer[]): BoundedOutput => ({
  head: Buffer.concat(parts),
  tail: Buffer.alloc(0),
  dropped: 0,
});
