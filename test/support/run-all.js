// @ts-check
/**
 * `npm test`: every check and every test runner, one table, true totals. The numbers come from
 * reports that the runners write for machines; what they print goes to a log and is shown only
 * where something failed.
 */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testEnvironment } from './environment.js';
import { pytestCounts, sweepCounts, vitestCounts } from './reports.js';
import { absentPythons, availableMatrix, everyVenv, SetupError, venv } from './venvs.js';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const REPORTS = path.join(TOP, '.cache', 'reports');
// Far beyond what any suite takes: it ends what hangs, and judges nothing.
const HANGS_AFTER_MS = 30 * 60_000;
const SHOWN_LINES = 200;

/**
 * @typedef {import('./reports.js').Counts} Counts
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {readonly string[]} command
 * @property {((report: string) => Counts) | null} counts reads the runner's report; null: a check
 *   that passes or fails as a whole
 * @property {string} [report] file that the runner writes
 * @property {boolean} [complete] whether a skipped test counts as a failure
 *
 * @typedef {Counts & { name: string, seconds: number, log: string }} Result
 */

/** @param {string} name */
const bin = (name) => path.join(TOP, 'node_modules', '.bin', name);

/**
 * @param {string} name
 * @param {...string} command
 * @returns {Suite}
 */
const check = (name, ...command) => ({ name, command, counts: null });

/**
 * @param {string} project
 * @param {{ complete: boolean }} options
 * @returns {Suite}
 */
function vitest(project, { complete }) {
  const report = path.join(REPORTS, `${project}.json`);
  const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = [bin('vitest'), 'run', '--project', project, '--allowOnly=false', ...outputs];
  return { name: project, command, counts: vitestCounts, report, complete };
}

/**
 * The pytest plugin's own tests; `-B`, because bytecode beside the sources would outlive them.
 *
 * @param {import('./venvs.js').VenvName} name
 * @returns {Promise<Suite>}
 */
async function plugin(name) {
  const report = path.join(REPORTS, `plugin-${name}.xml`);
  const { python } = await venv(name);
  const options = ['-p', 'no:cacheprovider', `--junitxml=${report}`, '--rootdir=test/plugin'];
  const command = [python, '-B', '-m', 'pytest', ...options, 'test/plugin'];
  return {
    name: `plugin ${name.replace('-', ', pytest ')}`,
    command,
    counts: pytestCounts,
    report,
  };
}

/**
 * Our own specs. Those tagged `deep` are left to `npm run sweep`.
 *
 * @returns {Suite}
 */
function sweep() {
  const report = path.join(REPORTS, 'sweep.json');
  const script = path.join(TOP, 'test', 'support', 'sweep.js');
  const command = [process.execPath, script, '--tag', 'not deep', '--report', `json=${report}`];
  return { name: 'sweep', command, counts: sweepCounts, report };
}

/**
 * @param {Suite} suite
 * @returns {Promise<Result>}
 */
async function run(suite) {
  const log = path.join(REPORTS, `${suite.name.replaceAll(/[^\w.]+/g, '-')}.log`);
  const startedAt = performance.now();
  const exit = await start(suite.command, log);
  const seconds = (performance.now() - startedAt) / 1000;
  const result = { name: suite.name, seconds, log, ...judge(suite, exit) };
  const mark = result.failed === 0 ? '✓' : '✗';
  process.stdout.write(`${mark} ${result.name}  ${seconds.toFixed(1)}s\n`);
  if (result.failed > 0) showLog(log);
  return result;
}

/**
 * @param {Suite} suite
 * @param {number | string} exit
 * @returns {Counts}
 */
function judge({ counts, report, complete }, exit) {
  if (counts === null)
    return { passed: exit === 0 ? 1 : 0, failed: exit === 0 ? 0 : 1, skipped: 0 };
  if (report === undefined || !existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped } = counts(readFileSync(report, 'utf8'));
  // A runner that failed although no test did, or that ran nothing, is not a pass.
  const unexplained = failed === 0 && (exit !== 0 || passed === 0) ? 1 : 0;
  return { passed, failed: failed + unexplained + (complete === true ? skipped : 0), skipped };
}

/**
 * @param {readonly string[]} command
 * @param {string} log
 * @returns {Promise<number | string>} exit code or signal
 */
function start([file = '', ...args], log) {
  const output = openSync(log, 'w');
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: TOP,
      env: testEnvironment(process.env),
      stdio: ['ignore', output, output],
      timeout: HANGS_AFTER_MS,
    });
    child.on('error', (error) => {
      writeFileSync(log, `${error.message}\n`);
      resolve(error.message);
    });
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  }).finally(() => closeSync(output));
}

/** @param {string} log */
function showLog(log) {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const shown = lines.slice(-SHOWN_LINES);
  const dropped = lines.length - shown.length;
  if (dropped > 0) process.stdout.write(`  … ${dropped} lines more in ${log}\n`);
  process.stdout.write(`${shown.map((line) => `  ${line}`).join('\n')}\n`);
}

/**
 * @param {readonly Suite[]} suites
 * @returns {Promise<Result[]>}
 */
async function inTurn(suites) {
  const results = [];
  for (const suite of suites) results.push(await run(suite));
  return results;
}

/**
 * What waits for processes goes beside what computes. The end-to-end tests come alone: they build
 * the program, and need all there is. The sweep comes last: it changes the very sources.
 *
 * @returns {Promise<Result[]>}
 */
async function everything() {
  const started = await Promise.all([
    inTurn([
      check('types', bin('tsc'), '--noEmit'),
      check('build', process.execPath, 'test/support/build.js'),
      check('lint', bin('oxlint'), '--type-aware', '--deny-warnings'),
      check('format', bin('prettier'), '--check', '.'),
      check('knip', bin('knip')),
      check('publint', bin('publint'), '--strict'),
    ]),
    withPythons(),
  ]);
  return [...started.flat(), ...(await inTurn([vitest('e2e', { complete: true }), sweep()]))];
}

/** @returns {Promise<Result[]>} */
async function withPythons() {
  process.stdout.write('… Python environments under .cache/venvs\n');
  await Promise.all((await everyVenv()).map(venv));
  const plugins = await Promise.all((await availableMatrix()).map(plugin));
  const [unit, suites] = await Promise.all([
    run(vitest('unit', { complete: false })),
    inTurn(plugins),
  ]);
  return [unit, ...suites];
}

/** @param {readonly Result[]} results */
function totals(results) {
  /** @param {'passed' | 'failed' | 'skipped'} key */
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** @param {readonly (Counts & { name: string, seconds: number })[]} rows */
function table(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (/** @type {readonly string[]} */ [name = '', ...cells]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join('')}`;
  return [
    line(['', 'passed', 'failed', 'skipped', 'time']),
    ...rows.map(({ name, passed, failed, skipped, seconds }) =>
      line([name, `${passed}`, `${failed}`, `${skipped}`, `${seconds.toFixed(1)}s`]),
    ),
  ].join('\n');
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const startedAt = performance.now();
try {
  const results = await everything();
  const total = totals(results);
  const seconds = (performance.now() - startedAt) / 1000;
  const absent = await absentPythons();
  process.stdout.write(`\n${table([...results, { name: 'total', ...total, seconds }])}\n`);
  if (absent.length > 0) process.stdout.write(`not here: Python ${absent.join(', ')}\n`);
  writeFileSync(path.join(REPORTS, 'totals.json'), `${JSON.stringify(total)}\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
