// @ts-check
/**
 * `npm run bench`: what a proof costs, as ratios within this one run. Nothing here passes or
 * fails; the targets are printed beside what was measured.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from '../support/environment.js';
import { venv } from '../support/venvs.js';
import { benchCargo } from './cargo.js';
import { median, time } from './measure.js';
import { createProject } from './project.js';

const COUNTERPROOF = fileURLToPath(new URL('../../bin/counterproof.js', import.meta.url));
const ROUNDS = 3;
const N = 8;

const python = await venv('default');
const env = {
  ...testEnvironment(process.env),
  VIRTUAL_ENV: python.folder,
  PATH: `${path.dirname(python.python)}${path.delimiter}${process.env['PATH'] ?? ''}`,
};

/** @type {{ what: string, measured: string, target: string }[]} */
const rows = [];

/**
 * @param {string} what
 * @param {string} measured
 * @param {string} target
 */
function report(what, measured, target) {
  rows.push({ what, measured, target });
  process.stderr.write(`${what}: ${measured}\n`);
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {number} expected exit code; anything else measures something else
 */
async function counterproof(cwd, args, expected = 0) {
  const timed = await time([process.execPath, COUNTERPROOF, ...args], { cwd, env });
  if (timed.exitCode !== expected)
    throw new Error(`counterproof ${args.join(' ')} ended with ${timed.exitCode}\n${timed.stdout}`);
  return timed;
}

/** @param {() => Promise<number>} once */
async function medianOf(once) {
  const values = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await once());
  return median(values);
}

const small = createProject(N);
const large = createProject(2 * N);
const huge = createProject(1000);
try {
  const pytest = [python.python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
  const cold = await medianOf(async () => (await time(pytest, { cwd: small, env })).ms);
  report('one cold pytest', seconds(cold), '');

  const node = await medianOf(
    async () => (await time([process.execPath, '-e', '0'], { cwd: small, env })).ms,
  );
  const version = await medianOf(async () => (await counterproof(small, ['--version'])).ms);
  report('--version over bare node', `${Math.round(version - node)} ms`, '≤ 120 ms');

  const run = ['run', '--json', '--no-progress'];
  const half = await medianOf(async () => (await counterproof(small, run)).ms);
  const whole = await medianOf(async () => (await counterproof(large, run)).ms);
  const each = (whole - half) / N;
  report('a further mutation, restored run included', seconds(each), '');
  report(
    '  in cold pytests',
    `${(each / cold).toFixed(2)} ×`,
    '1 mutated and a share of 1 restored',
  );
  report('fixed cost (baseline, closing run, start)', seconds(half - N * each), '');
  report('  in cold pytests', `${((half - N * each) / cold).toFixed(2)} ×`, '');

  const { stdout, maxRssBytes } = await counterproof(large, run);
  const { proofs } = JSON.parse(stdout);
  const own = proofs.map((/** @type {any} */ proof) => {
    const lane = proof.steps
      .filter((/** @type {any} */ step) => step.step === 'mutated')
      .reduce((/** @type {number} */ sum, /** @type {any} */ step) => sum + step.durationMs, 0);
    const shared = proof.steps
      .filter((/** @type {any} */ step) => step.step === 'restored')
      .reduce((/** @type {number} */ sum, /** @type {any} */ step) => sum + step.durationMs, 0);
    return { own: proof.durationMs - lane, shared };
  });
  const restored = own.reduce(
    (/** @type {number} */ sum, /** @type {any} */ one) => sum + one.own,
    0,
  );
  const runs = new Set(own.map((/** @type {any} */ one) => one.shared));
  const spent = [...runs].reduce((sum, ms) => sum + Number(ms), 0);
  report(
    'own cost of a mutation, outside the lane',
    `${((restored - spent) / proofs.length).toFixed(1)} ms`,
    '≤ 10 ms',
  );
  report(
    'memory of the coordinator',
    `${Math.round((maxRssBytes ?? 0) / 2 ** 20)} MiB`,
    '≤ 250 MB at 10,000',
  );

  const check = await counterproof(huge, ['check']);
  report('check of 1,000 mutations', seconds(check.ms), '≤ 3 s');

  const tried = await medianOf(
    async () =>
      (
        await counterproof(small, [
          'try',
          'calc.py:2',
          '--replace',
          '+',
          '--with',
          '-',
          '--no-progress',
        ])
      ).ms,
  );
  report('try, from Enter to verdict', seconds(tried), '');
  report('  in cold pytests', `${(tried / cold).toFixed(2)} ×`, '≤ 3 ×');
} finally {
  for (const folder of [small, large, huge]) rmSync(folder, { recursive: true, force: true });
}

benchCargo({
  counterproof: (args) => [process.execPath, COUNTERPROOF, ...args],
  env,
  report: (what, measured, target = '') => report(`cargo: ${what}`, measured, target),
});

const widths = [
  Math.max(...rows.map(({ what }) => what.length)),
  Math.max(...rows.map(({ measured }) => measured.length)),
];
process.stdout.write('\n');
for (const { what, measured, target } of rows)
  process.stdout.write(
    `${what.padEnd(widths[0] ?? 0)}  ${measured.padStart(widths[1] ?? 0)}  ${target}`.trimEnd() +
      '\n',
  );
