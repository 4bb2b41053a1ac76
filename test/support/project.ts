/** Small projects in temporary folders, and the built command run in them. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFailed, onTestFinished } from 'vitest';
import type { ProofRecord, RunRecord } from '../../src/record/schema.js';
import type { PytestLaneInput } from '../../src/spec/lane-schema.js';
import type { MutationInput, SpecHeaderInput } from '../../src/spec/spec-schema.js';
import { venv, type VenvName } from './venvs.js';

export const COMMAND = fileURLToPath(new URL('../../bin/counterproof.js', import.meta.url));
const EACH_COMMAND = fileURLToPath(new URL('each-command.js', import.meta.url));

export type Files = Readonly<Record<string, string | Buffer>>;

export interface TestProject {
  /** Absolute; unless it is named, its name has a space and letters beyond ASCII. */
  readonly folder: string;
  readonly write: (files: Files) => void;
  readonly read: (path: string) => Buffer;
  readonly git: (...args: readonly string[]) => string;
  /**
   * Every file below the folder with its sum, mode and link target; `.git`, `.counterproof`
   * and bytecode left out. Equal before and after: the tree came back.
   */
  readonly snapshot: () => ReadonlyMap<string, string>;
  /** For files that runs keep outside the tree. */
  readonly state: string;
}

/** A project under git with one commit, removed when the test ends. */
export function createProject(
  files: Files,
  {
    under = tmpdir(),
    named = 'ein Projekt für Tests',
  }: { readonly under?: string; readonly named?: string } = {},
): TestProject {
  const base = mkdtempSync(join(under, 'cp-test-'));
  onTestFinished(() => {
    makeRemovable(base);
    rmSync(base, { recursive: true, force: true });
  });
  const folder = join(base, named);
  const state = join(base, 'state');
  mkdirSync(folder);
  const project: TestProject = {
    folder,
    state,
    write(more) {
      for (const [path, content] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    },
    read: (path) => readFileSync(join(folder, path)),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    snapshot: () => snapshot(folder),
  };
  project.write({ '.gitignore': '__pycache__/\n', ...files });
  project.git('init', '-q', '-b', 'main');
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'first');
  return project;
}

function snapshot(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (['.git', '.counterproof', '__pycache__', '.pytest_cache'].includes(entry.name)) continue;
      const full = join(path, entry.name);
      const name = relative(folder, full);
      if (entry.isDirectory()) visit(full);
      else if (entry.isSymbolicLink()) found.set(name, `link ${readlinkSync(full)}`);
      else {
        const sum = createHash('sha256').update(readFileSync(full)).digest('hex');
        found.set(name, `${(lstatSync(full).mode & 0o7777).toString(8)} ${sum}`);
      }
    }
  };
  visit(folder);
  return found;
}

function makeRemovable(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    chmodSync(join(folder, entry.name), 0o700);
    makeRemovable(join(folder, entry.name));
  }
}

export interface CliOptions {
  /** Over the environment that the test set-up chose. `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** The environment that is active; `default`, if not given. */
  readonly venv?: VenvName;
  /** A command that starts ours, such as `setpriv` with its options. */
  readonly through?: readonly string[];
}

export interface CliResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The environment of the command: a virtual environment is active, and writing of bytecode is
 * on, which stale bytecode needs in order to hurt.
 */
export async function cliEnvironment(
  project: TestProject,
  overrides: CliOptions['env'] = {},
  active: VenvName = 'default',
): Promise<Record<string, string>> {
  const python = await venv(active);
  const chosen: Record<string, string | undefined> = {
    ...process.env,
    VIRTUAL_ENV: python.folder,
    PATH: `${dirname(python.python)}:${process.env['PATH'] ?? ''}`,
    XDG_STATE_HOME: project.state,
    // Builds of a cargo lane.
    XDG_CACHE_HOME: join(project.state, 'cache'),
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * In place unless a test says otherwise: what it expects of the tree meanwhile, of the processes
 * or of the journal is true of no overlay, and where an overlay works is the machine's affair.
 */
function isolated(args: readonly string[]): readonly string[] {
  const [name = '', ...rest] = args;
  const isChosen = rest.some((arg) => arg.startsWith('--isolation') || arg.startsWith('--help'));
  if (isChosen || !['run', 'try', 'prove'].includes(name)) return args;
  return [name, '--isolation', process.env['TEST_ISOLATION'] ?? 'in-place', ...rest];
}

/** Starts the built command; the caller waits for events of its own choice. */
export async function startCli(
  project: TestProject,
  args: readonly string[],
  options: CliOptions = {},
): Promise<{ readonly child: ChildProcess; readonly ended: Promise<CliResult> }> {
  return startNode(project, [COMMAND, ...isolated(args)], options);
}

async function startNode(
  project: TestProject,
  args: readonly string[],
  options: CliOptions,
): Promise<{ readonly child: ChildProcess; readonly ended: Promise<CliResult> }> {
  const [file = process.execPath, ...words] = [
    ...(options.through ?? []),
    process.execPath,
    ...args,
  ];
  const child = spawn(file, words, {
    cwd: options.cwd ?? project.folder,
    env: await cliEnvironment(project, options.env, options.venv),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => output.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.stderr.push(chunk));
  child.stdin.end(options.stdin ?? '');
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      resolve({
        exitCode,
        signal,
        stdout: Buffer.concat(output.stdout).toString('utf8'),
        stderr: Buffer.concat(output.stderr).toString('utf8'),
      });
    });
  });
  return { child, ended };
}

/** Runs the built command to its end. */
export async function counterproof(
  project: TestProject,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  return (await startCli(project, args, options)).ended;
}

/**
 * Runs command lines one after another in a single process of the built program. For those that
 * start no lane: their own start is most of what they cost.
 */
export async function eachOf(
  project: TestProject,
  lines: readonly (readonly string[])[],
  options: Omit<CliOptions, 'stdin'> = {},
): Promise<readonly CliResult[]> {
  const all = await startNode(project, [EACH_COMMAND], {
    ...options,
    stdin: JSON.stringify(lines),
  });
  const { stdout, stderr } = await all.ended;
  if (stdout === '') throw new Error(`no results:\n${stderr}`);
  const results = JSON.parse(stdout) as Omit<CliResult, 'signal'>[];
  return results.map((result) => ({ ...result, signal: null }));
}

export interface Proven extends CliResult {
  readonly record: RunRecord;
  /** The proof of one mutation. Throws where there is none. */
  readonly proof: (id: string) => ProofRecord;
}

/** Runs `run --json` (or another proving command) and reads the record from stdout. */
export async function prove(
  project: TestProject,
  args: readonly string[] = ['run'],
  options: CliOptions = {},
): Promise<Proven> {
  const [name = 'run', ...rest] = args;
  const result = await counterproof(project, [name, '--json', ...rest], options);
  let record: RunRecord;
  try {
    record = JSON.parse(result.stdout) as RunRecord;
  } catch {
    throw new Error(
      `no record on stdout (exit ${String(result.exitCode)}):\n${result.stdout}\n${result.stderr}`,
    );
  }
  // A verdict that nobody expected is hard to read without its reason.
  onTestFailed(() => {
    const reasons = record.proofs.map(
      ({ id, verdict, reason, facts }) => `${id}  ${verdict}: ${[reason, ...facts].join('\n    ')}`,
    );
    process.stderr.write([record.command.join(' '), ...reasons, result.stderr, ''].join('\n'));
  });
  return {
    ...result,
    record,
    proof(id) {
      const found = record.proofs.find((proof) => proof.id === id);
      if (found === undefined)
        throw new Error(`no proof ${id} among ${record.proofs.map((each) => each.id).join(', ')}`);
      return found;
    },
  };
}

/** `verdict` of every proof by id, for a table of expectations. */
export const verdicts = ({ record }: Proven): Readonly<Record<string, string>> =>
  Object.fromEntries(record.proofs.map(({ id, verdict }) => [id, verdict]));

/** A spec for the lane `unit`, as the JSON that YAML is a superset of. */
export const spec = (
  mutations: readonly MutationInput[],
  header: Omit<SpecHeaderInput, 'mutations'> = {},
): string => JSON.stringify({ version: 1, lane: 'unit', ...header, mutations });

/** A configuration with the lane `unit`, and others beside it. */
export const lanes = (
  unit: Omit<PytestLaneInput, 'runner'> = {},
  others: Readonly<Record<string, Omit<PytestLaneInput, 'runner'>>> = {},
): string =>
  JSON.stringify({
    version: 1,
    lanes: Object.fromEntries(
      Object.entries({ unit, ...others }).map(([name, lane]) => [
        name,
        { runner: 'pytest', ...lane },
      ]),
    ),
    defaults: { lane: 'unit' },
  });
