/** The crate `acts`, built and captured once, and its tests told what to do. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  captureLaunches,
  type Capture,
  type CaptureRequest,
} from '../../../src/lane/cargo/capture.js';
import {
  createBinaryRunner,
  type ExecutedRun,
  type ExecuteRequest,
} from '../../../src/lane/cargo/execute.js';
import type { BinaryKind, TestBinary } from '../../../src/lane/cargo/model.js';
import type { Collection, LaneProgress } from '../../../src/lane/lane.js';
import { createNonce, runProcess } from '../../../src/lane/process.js';
import { unreachable } from '../../../src/result.js';

const FIXTURE = fileURLToPath(new URL('../../fixtures/cargo/acts', import.meta.url));

export const MARKER = 'reached by the mark';

interface Told {
  /** Added to the environment of every executable: `{ ACT_A: 'abort' }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ids of the executables that take part; all with libtest's harness where absent. */
  readonly only?: readonly string[];
  /** In the place of the configured runner, by id of the executable. */
  readonly wrapper?: Readonly<Record<string, readonly string[]>>;
  /** Nothing is remembered of what the executables list. */
  readonly afresh?: boolean;
  readonly doctests?: boolean;
  readonly select?: string;
  readonly testArguments?: readonly string[];
  readonly harness?: ExecuteRequest['harness'];
  readonly run?: Partial<Omit<ExecuteRequest['run'], 'limits'>> & {
    readonly limits?: Partial<ExecuteRequest['run']['limits']>;
  };
}

export interface Acts {
  readonly root: string;
  readonly binaries: readonly TestBinary[];
  readonly capture: Capture;
  readonly captureRequest: CaptureRequest;
  readonly run: (told?: Told) => Promise<ExecutedRun & { readonly progress: readonly string[] }>;
  readonly collect: (told?: Told) => Promise<Collection>;
  /** Text of the last step's log. */
  readonly log: () => string;
  readonly remove: () => void;
}

const inherited = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  ),
);

/** The folder's name has spaces and a letter outside ASCII. */
export async function buildActs(): Promise<Acts> {
  const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'cp acts ü-')));
  const root = path.join(top, 'the crate');
  cpSync(FIXTURE, root, { recursive: true });
  const env = {
    ...inherited,
    CARGO_TARGET_DIR: path.join(top, 'built'),
    CARGO_NET_OFFLINE: 'true',
    ODD: 'a\nb = "ü"',
  };
  const lane = ['--lib', '--bins', '--tests', '--no-fail-fast'];
  const binaries = readArtifacts(
    execFileSync('cargo', ['test', ...lane, '--no-run', '--message-format=json', '-q'], {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const version = execFileSync('rustc', ['-vV'], { encoding: 'utf8' });
  const captureRequest: CaptureRequest = {
    command: ['cargo', 'test', ...lane],
    cwd: root,
    env: { ...env, RUST_TEST_NOCAPTURE: '1' },
    triple: /^host: (.+)$/m.exec(version)?.[1] ?? '',
    rustc: ['rustc'],
    scratch: top,
    timeMs: 60_000,
    signal: new AbortController().signal,
    runProcess,
    createNonce: () => createNonce(undefined),
  };
  const captured = await captureLaunches(captureRequest);
  if (!captured.ok) throw new Error(captured.error.message);

  const newRunner = () =>
    createBinaryRunner({ runProcess, createNonce: () => createNonce(undefined) });
  const remembering = newRunner();
  let steps = 0;
  let log = '';
  const request = (told: Told, progress: string[]): ExecuteRequest => {
    steps += 1;
    const scratch = path.join(top, `step ${String(steps)}`);
    mkdirSync(scratch);
    log = path.join(scratch, 'log');
    const { limits, ...rest } = told.run ?? {};
    const taken = binaries.filter(({ id, harness }) => told.only?.includes(id) ?? harness);
    const more = { EXPECTED_TMP: path.join(scratch, 't'), ...told.env };
    return {
      binaries: taken,
      launches: new Map(
        [...captured.value.launches].map(([executable, launch]) => {
          const id = binaries.find((binary) => binary.executable === executable)?.id ?? '';
          const wrapper = told.wrapper?.[id] ?? launch.wrapper;
          return [executable, { ...launch, wrapper, env: { ...launch.env, ...more } }];
        }),
      ),
      doctests:
        told.doctests === true
          ? [
              {
                id: 'acts::doc',
                command: ['cargo', 'test', '--doc'],
                cwd: root,
                workspace: root,
                env: { ...env, ...more },
              },
            ]
          : [],
      select: told.select ?? null,
      testArguments: told.testArguments ?? [],
      harness: told.harness ?? 'libtest',
      root,
      workspace: root,
      reachMarker: MARKER,
      run: {
        step: 'mutated',
        scope: 'lane',
        without: [],
        scratch,
        log,
        signal: new AbortController().signal,
        onProgress: (one: LaneProgress) => progress.push(shown(one)),
        ...rest,
        limits: {
          stepMs: 60_000,
          testMs: 30_000,
          memoryBytes: 1 << 30,
          outputBytes: 1 << 20,
          ...limits,
        },
      },
    };
  };
  return {
    root,
    binaries,
    capture: captured.value,
    captureRequest,
    async run(told = {}) {
      const progress: string[] = [];
      const runner = told.afresh === true ? newRunner() : remembering;
      return { ...(await runner.run(request(told, progress))), progress };
    },
    collect: (told = {}) => remembering.collect(request(told, [])),
    log: () => readFileSync(log, 'utf8'),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function shown(one: LaneProgress): string {
  switch (one.kind) {
    case 'collected':
      return `collected ${String(one.selected)}`;
    case 'started':
      return `started ${one.test}`;
    case 'finished':
      return `finished ${one.test}: ${one.outcome}`;
    default:
      return unreachable(one);
  }
}

function readArtifacts(messages: string): readonly TestBinary[] {
  return messages
    .split('\n')
    .flatMap((line): readonly TestBinary[] => {
      if (!line.startsWith('{')) return [];
      const message: unknown = JSON.parse(line);
      return isTestArtifact(message) ? [toBinary(message)] : [];
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

interface Artifact {
  readonly executable: string;
  readonly target: {
    readonly name: string;
    readonly kind: readonly string[];
    readonly src_path: string;
  };
}

const isTestArtifact = (message: unknown): message is Artifact =>
  typeof message === 'object' &&
  message !== null &&
  'executable' in message &&
  typeof message.executable === 'string' &&
  'profile' in message &&
  JSON.stringify(message.profile).includes('"test":true');

function toBinary({ executable, target }: Artifact): TestBinary {
  const kinds: Readonly<Record<string, BinaryKind>> = { lib: 'lib', bin: 'bin', test: 'test' };
  const kind = kinds[target.kind[0] ?? ''] ?? 'lib';
  const id = { lib: 'acts', bin: `acts::bin/${target.name}`, test: `acts::${target.name}` };
  return {
    id: id[kind as 'lib' | 'bin' | 'test'],
    package: 'acts',
    manifestDir: path.dirname(path.dirname(target.src_path)),
    kind,
    name: target.name,
    source: target.src_path,
    harness: target.name !== 'own',
    executable,
    sha256: createHash('sha256').update(readFileSync(executable)).digest('hex'),
  };
}
