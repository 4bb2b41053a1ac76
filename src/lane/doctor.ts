/** What works here and why not, as far as running tests goes. Leaves nothing behind. */
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { implicitLane } from '../spec/implicit-lanes.js';
import { findToolchain } from './cargo/toolchain.js';
import { createNonce, runProcess } from './process.js';
import { kernelMemoryKills, processIds } from './process/proc.js';
import { detectPytest } from './pytest/detect.js';
import { askInterpreter, whyNot } from './pytest/detect/interpreter.js';

export interface DoctorFact {
  readonly what: string;
  readonly state: 'ok' | 'absent' | 'problem';
  readonly detail: string;
  /** What to do about it; null: nothing need be done. */
  readonly fix: string | null;
}

export interface DoctorRequest {
  /** Absolute. */
  readonly root: string;
  /** Absolute. */
  readonly tree: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** `absent` is no fault: something is not there that need not be. */
export async function doctorFacts(request: DoctorRequest): Promise<readonly DoctorFact[]> {
  const env = Object.fromEntries(
    Object.entries(request.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const known = { ...request, env, signal: request.signal ?? new AbortController().signal };
  return [
    nodeFact(process.versions.node),
    await gitFact(known),
    await pytestFact(known),
    ...(await pythonFacts(known)),
    await cargoFact(known),
    procFact(),
    await fileSystemFact(known.tree),
    memoryFact(),
  ];
}

interface Known {
  readonly root: string;
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const fact = (
  what: string,
  state: DoctorFact['state'],
  detail: string,
  fix: string | null = null,
): DoctorFact => ({ what, state, detail, fix });

export function nodeFact(version: string): DoctorFact {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? fact('node', 'ok', version)
    : fact('node', 'problem', `${version} is too old`, 'Install Node 20.19 or newer.');
}

async function gitFact({ tree, env, signal }: Known): Promise<DoctorFact> {
  const end = await runProcess({
    command: ['git', '--version'],
    cwd: tree,
    env,
    stdin: null,
    limits: { timeMs: 10_000, memoryBytes: null, outputBytes: 4_096 },
    nonce: createNonce(),
    signal,
  });
  if (end.kind !== 'exited' || end.code !== 0) {
    return fact('git', 'problem', whyNot(end), 'Install git and put it in PATH.');
  }
  return fact('git', 'ok', end.stdout.head.toString('utf8').trim().replace('git version ', ''));
}

async function pytestFact({ root, tree, env, signal }: Known): Promise<DoctorFact> {
  const found = await detectPytest({ root, tree, env, signal, lane: implicitLane() });
  if (!found.ok) {
    const { message, hint } = found.error;
    return holdsCrate(root)
      ? fact('pytest', 'absent', message)
      : fact('pytest', 'problem', message, hint);
  }
  const { versions, tool, from, notes } = found.value;
  const passedOver = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return fact(
    'pytest',
    'ok',
    `pytest ${versions['pytest'] ?? '?'}, Python ${versions['python'] ?? '?'}, from ${from}: ${tool}${passedOver}`,
  );
}

const VERSIONS = ['3.9', '3.10', '3.11', '3.12', '3.13'] as const;

async function pythonFacts({ root, env, signal }: Known): Promise<readonly DoctorFact[]> {
  const facts: DoctorFact[] = [];
  for (const version of VERSIONS) {
    const asked = await askInterpreter([`python${version}`], { cwd: root, env, signal });
    facts.push(
      asked.ok
        ? fact(`python ${version}`, 'ok', `${asked.value.version}: ${asked.value.executable}`)
        : fact(`python ${version}`, 'absent', asked.error),
    );
  }
  return facts;
}

async function cargoFact({ root, env, signal }: Known): Promise<DoctorFact> {
  const place = { toolchain: null, cwd: root, env, signal, runProcess, createNonce };
  const found = await findToolchain(place);
  if (!found.ok) {
    const { message, hint } = found.error;
    return holdsCrate(root)
      ? fact('cargo', 'problem', message, hint)
      : fact('cargo', 'absent', message);
  }
  const { versions, from, tool } = found.value;
  return fact(
    'cargo',
    'ok',
    `cargo ${versions.cargo}, rustc ${versions.rustc}, from ${from}: ${tool}`,
  );
}

/** Whether this is a project of cargo's, which need have no pytest. */
const holdsCrate = (root: string): boolean => existsSync(path.join(root, 'Cargo.toml'));

function procFact(): DoctorFact {
  if (processIds() === null) {
    return fact(
      '/proc',
      'absent',
      'processes that leave their group are not found, and memory is not limited',
    );
  }
  try {
    readFileSync('/proc/self/environ');
    readFileSync('/proc/self/smaps_rollup');
    return fact('/proc', 'ok', 'leftover processes are found, memory is measured');
  } catch (error) {
    return fact('/proc', 'problem', String(error), 'Let processes read their own /proc entries.');
  }
}

/** The kernel's numbers of the file systems that people keep projects on. */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x9123683e, 'btrfs'],
  [0x58465342, 'xfs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlayfs'],
  [0x6969, 'nfs'],
  [0x65735546, 'fuse'],
  [0x2fc12fc1, 'zfs'],
  [0x01021997, '9p'],
  [0x4d44, 'vfat'],
  [0x2011bab0, 'exfat'],
]);

/** Tries what restoring needs, in a folder of its own at the tree's top. */
async function fileSystemFact(tree: string): Promise<DoctorFact> {
  const what = 'file system';
  let folder: string;
  try {
    folder = mkdtempSync(path.join(tree, '.counterproof-doctor-'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const why = `nothing can be written in ${tree}: ${code}`;
    const fix =
      code === 'EROFS'
        ? 'Mount its file system writable, or work on a copy of the tree.'
        : 'Make the top folder of the tree writable, or work on a copy of the tree.';
    return fact(what, 'problem', why, fix);
  }
  try {
    const { type } = await statfs(folder);
    const name = process.platform === 'linux' ? (FILE_SYSTEMS.get(type) ?? 'unknown kind') : '';
    const file = path.join(folder, 'file');
    writeFileSync(file, 'x');
    const links = canLink(file);
    const detail = [name, links ? 'hard links' : 'no hard links', 'writable'];
    return fact(
      what,
      'ok',
      `${detail.filter((part) => part !== '').join(', ')}${
        links ? '' : ': inode and extended attributes of a mutated file are not kept'
      }`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function canLink(file: string): boolean {
  try {
    linkSync(file, `${file}-link`);
    return statSync(file).nlink === 2;
  } catch {
    return false;
  }
}

function memoryFact(): DoctorFact {
  const constrained = process.constrainedMemory();
  const total = os.totalmem();
  const limited = constrained > 0 && constrained < total;
  const measured = kernelMemoryKills() === null ? '' : '; the kernel tells when it kills';
  const size = gigabytes(limited ? constrained : total);
  return fact('memory', 'ok', `${size}${limited ? ' (limited by a cgroup)' : ''}${measured}`);
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
