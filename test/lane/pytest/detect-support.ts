/** Made-up interpreters: small shell scripts that answer as a Python with these packages would. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { detectPytest, type DetectRequest } from '../../../src/lane/pytest/detect.js';
import type { PytestLane } from '../../../src/spec/model.js';

export function script(file: string, body: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

export interface FakeFacts {
  readonly version?: string;
  readonly packages?: Readonly<Record<string, string>>;
  readonly managed?: boolean;
}

export function fakePython(
  file: string,
  { version, packages, managed = false }: FakeFacts = {},
): string {
  const facts = {
    executable: file,
    version: version ?? '3.12.3',
    packages: packages ?? { pytest: '8.3.0' },
    prefix: '/p',
    pycachePrefix: null,
    managed,
  };
  return script(
    file,
    `cat <<'END'\nnoise from a sitecustomize\nCOUNTERPROOF-INTERPRETER ${JSON.stringify(facts)}\nEND`,
  );
}

/** A virtual environment as far as detection looks. */
export function fakeEnvironment(folder: string, facts: FakeFacts = {}): string {
  fakePython(path.join(folder, 'bin/python'), facts);
  writeFileSync(path.join(folder, 'pyvenv.cfg'), 'home = /usr/bin\n');
  return folder;
}

export const lane = (overrides: Partial<PytestLane> = {}): PytestLane => ({
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
  limits: { stepMs: 'auto', testMs: 'auto', memoryBytes: 'auto', outputBytes: 1024 },
  quarantine: [],
  warm: 'auto',
  where: null,
  ...overrides,
});

/** With an empty PATH but for the system's shell tools, so that no real Python is found by accident. */
export function detect(root: string, overrides: Partial<DetectRequest> = {}) {
  return detectPytest({
    root,
    tree: root,
    lane: lane(),
    ...overrides,
    env: { PATH: tools(root), ...overrides.env },
  });
}

/** A folder for PATH that holds `cat`, and whatever a test puts in. */
export function tools(root: string): string {
  const folder = path.join(root, '..', `${path.basename(root)}-tools`);
  script(path.join(folder, 'cat'), 'while IFS= read -r line; do printf "%s\\n" "$line"; done');
  return folder;
}
