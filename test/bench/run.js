// @ts-check
/**
 * `npm run bench`: what a mutation costs, as ratios within this one run. Nothing here passes or
 * fails; the targets are printed beside what was measured. docs/speed.md says what it means.
 *
 * `--peers` measures other tools as well, installed into `.cache`; `--memory` takes the memory
 * at 10,000 mutations instead of 1,200, which is slow; `--quick` is for seeing
 * that the bench itself works.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from '../support/environment.js';
import { SetupError, venv } from '../support/venvs.js';
import { benchCargo } from './cargo.js';
import { benchOwn } from './own-rows.js';
import { benchPeers } from './peers.js';
import { benchLane } from './pytest-rows.js';
import { printTable, report, section } from './table.js';

const flags = new Set(process.argv.slice(2));
const isQuick = flags.has('--quick');
const COMMAND = fileURLToPath(new URL('../../bin/counterproof.js', import.meta.url));
const counterproof = (/** @type {readonly string[]} */ args) => [
  process.execPath,
  COMMAND,
  ...args,
];

/** @param {import('../support/venvs.js').Venv} active */
const environmentOf = (active) => ({
  ...testEnvironment(process.env),
  VIRTUAL_ENV: active.folder,
  PATH: `${path.dirname(active.python)}${path.delimiter}${process.env['PATH'] ?? ''}`,
});

const SCIENCE = 'import hypothesis\nimport numpy\nimport scipy.optimize\nimport sympy\n\n\n';

section('The machine');
report('processors', `${os.availableParallelism()} × ${os.cpus()[0]?.model ?? '?'}`);
report('load before', readLoad(), 'numbers are good below 0.5');
report('node', process.versions.node);

const small = await venv('default');
await benchLane({
  title: `A small lane: 24 tests, pure Python`,
  python: small.python,
  env: environmentOf(small),
  counterproof,
  mutations: isQuick ? 6 : 24,
  looped: isQuick ? 2 : 12,
  rounds: isQuick ? 1 : 3,
  targets: [
    { slots: 1, each: '≥ 4 ×', all: '≥ 3 ×' },
    { slots: 2, each: '≥ 7 × on two processors', all: '≥ 4 ×' },
  ],
});

try {
  const science = await venv('scientific');
  await benchLane({
    title: 'A lane that imports numpy, scipy, sympy and hypothesis',
    python: science.python,
    env: environmentOf(science),
    counterproof,
    imports: SCIENCE,
    mutations: isQuick ? 5 : 24,
    looped: isQuick ? 1 : 5,
    rounds: isQuick ? 1 : 2,
    targets: [{ slots: 1, each: '≥ 6 ×', all: '≥ 4.5 ×' }],
  });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  report('not measured', error.message.split('\n')[0] ?? '');
}

await benchOwn({
  python: small.python,
  env: environmentOf(small),
  counterproof,
  memoryAt: flags.has('--memory') ? 10_000 : isQuick ? 80 : 1200,
});
section('A small crate');
benchCargo({
  counterproof,
  env: environmentOf(small),
  report: (what, measured, target = '') => report(what, measured, target),
});

if (flags.has('--peers')) await benchPeers(environmentOf(small));
section('After it');
report('load after', readLoad());
printTable();

function readLoad() {
  try {
    return readFileSync('/proc/loadavg', 'latin1').split(' ', 1)[0] ?? '?';
  } catch {
    return os.loadavg()[0]?.toFixed(2) ?? '?';
  }
}
