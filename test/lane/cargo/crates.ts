/** Small crates without dependencies in temporary folders, and builders over them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { runBuild } from '../../../src/lane/cargo/build.js';
import {
  createBuilder,
  type Builder,
  type Built,
  type NotBuilt,
} from '../../../src/lane/cargo/builder.js';
import { captureLaunches } from '../../../src/lane/cargo/capture.js';
import { buildCommand, testCommand } from '../../../src/lane/cargo/commands.js';
import { buildEnvironment } from '../../../src/lane/cargo/environment.js';
import { openLedger } from '../../../src/lane/cargo/ledger.js';
import { loadProject } from '../../../src/lane/cargo/project.js';
import { findToolchain } from '../../../src/lane/cargo/toolchain.js';
import { createUnrunFinder } from '../../../src/lane/cargo/unrun.js';
import { createNonce, runProcess } from '../../../src/lane/process.js';
import type { LoadEvidence } from '../../../src/proof/evidence.js';
import type { Result } from '../../../src/result.js';
import type { CargoLane } from '../../../src/spec/model.js';
import { aLane } from './builders.js';

export interface Crate {
  /** Absolute, symlinks resolved; the tree. */
  readonly folder: string;
  /** Absolute: where builds lie. */
  readonly cache: string;
  readonly write: (files: Readonly<Record<string, string | null>>) => void;
}

export const manifest = (name: string, more = ''): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;

export function createCrate(files: Readonly<Record<string, string>>): Crate {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'cp-crate-')));
  onTestFinished(() => {
    rmSync(base, { recursive: true, force: true });
  });
  const crate = {
    folder: path.join(base, 'ein Projekt'),
    cache: path.join(base, 'cache'),
    write(more: Readonly<Record<string, string | null>>) {
      for (const [name, content] of Object.entries(more)) {
        const file = path.join(crate.folder, name);
        if (content === null) rmSync(file);
        else {
          mkdirSync(path.dirname(file), { recursive: true });
          writeFileSync(file, content);
        }
      }
    },
  };
  mkdirSync(crate.cache);
  crate.write(files);
  return crate;
}

export interface OpenBuilder {
  readonly builder: Builder;
  /** Builds for these targets, and gives what it came to. */
  readonly build: (...targets: readonly string[]) => Promise<Result<Built, NotBuilt>>;
  readonly load: (target: string) => LoadEvidence | undefined;
  /** Writes, and tells the builder. */
  readonly mutate: (files: Readonly<Record<string, string | null>>) => Promise<void>;
}

/** A run of its own: what the one before knew is known from the cache alone. */
export async function openBuilder(
  { folder, cache, write }: Crate,
  more: Partial<CargoLane> = {},
): Promise<OpenBuilder> {
  const lane = aLane(more);
  const cwd = path.resolve(folder, lane.cwd);
  const target = path.join(cache, 'target');
  const cargo = ['cargo'] as const;
  const signal = new AbortController().signal;
  const env = buildEnvironment({
    inherited: Object.fromEntries(
      Object.entries(process.env).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    lane: lane.env,
    target,
    capLints: lane.capLints,
  });
  const toolchain = await findToolchain({
    toolchain: null,
    cwd,
    env,
    signal,
    runProcess,
    createNonce,
  });
  if (!toolchain.ok) throw new Error(toolchain.error.message);
  const load = () => loadProject({ lane, cargo, cwd, env, signal, runProcess, createNonce });
  const project = await load();
  if (!project.ok) throw new Error(project.error.message);
  const builder = createBuilder({
    tree: folder,
    project: project.value,
    ledger: await openLedger(cache, target),
    discard() {
      rmSync(target, { recursive: true });
      return Promise.resolve();
    },
    reload: load,
    findUnrun: createUnrunFinder(lane, cwd, env),
    build: ({ selection, workspace }, order) =>
      runBuild({
        ...order,
        command: buildCommand({ cargo, selection, added: [] }),
        cwd,
        env,
        runProcess,
        createNonce,
        shown: (file) => path.relative(folder, path.resolve(workspace.root, file)),
      }),
    capture: ({ selection }) =>
      captureLaunches({
        command: testCommand({ cargo, selection, added: [] }),
        cwd,
        env,
        triple: toolchain.value.host,
        rustc: toolchain.value.rustc,
        scratch: cache,
        timeMs: 60_000,
        signal,
        runProcess,
        createNonce,
      }),
  });
  const targetOf = (name: string) => ({ path: name, sha256: '' });
  return {
    builder,
    build: (...targets) =>
      builder.ensure(targets.map(targetOf), {
        probes: [],
        memoryBytes: null,
        scratch: cache,
        signal,
      }),
    load: (name) => builder.loads([targetOf(name)])[0],
    async mutate(files) {
      write(files);
      await builder.written(Object.keys(files));
    },
  };
}
