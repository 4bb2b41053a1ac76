// @ts-check
/** Times commands: whole processes, from spawn to exit. */
import { spawn } from 'node:child_process';

/** Prints the most memory that the process ever held, as its last line on stderr. */
const MEMORY_HOOK = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process._rawDebug('MAXRSS ' + process.resourceUsage().maxRSS));",
)}`;

/**
 * @typedef {object} Place
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * @typedef {object} Timed
 * @property {number} ms
 * @property {string} stdout
 * @property {number | null} maxRssBytes of a Node process; null for others
 */

/**
 * @param {readonly string[]} command
 * @param {Place} place
 * @param {number} expected exit code; anything else would be the time of something else
 * @returns {Promise<Timed>}
 */
export function time([file = '', ...args], { cwd, env }, expected = 0) {
  const isNode = file === process.execPath;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, isNode ? ['--import', MEMORY_HOOK, ...args] : args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const ms = performance.now() - started;
      if (code !== expected) {
        const how = `${[file, ...args].join(' ')} ended with ${signal ?? code}`;
        reject(new Error(`${how}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`));
        return;
      }
      const memory = /MAXRSS (\d+)\s*$/.exec(stderr)?.[1];
      resolve({ ms, stdout, maxRssBytes: memory === undefined ? null : Number(memory) * 1024 });
    });
  });
}

/**
 * The middle of several: a busy machine makes single ones slow, never fast.
 *
 * @param {readonly number[]} values
 */
export const median = (values) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * Medians of several measurements, each repeated in turn with the others: what slows the
 * machine down for a while then slows all of them down.
 *
 * @template {string} Name
 * @param {number} rounds
 * @param {Readonly<Record<Name, () => Promise<number>>>} measurements
 * @returns {Promise<Record<Name, number>>}
 */
export async function inTurn(rounds, measurements) {
  const names = /** @type {Name[]} */ (Object.keys(measurements));
  const values = new Map(names.map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) values.get(name)?.push(await measurements[name]());
  return /** @type {Record<Name, number>} */ (
    Object.fromEntries(names.map((name) => [name, median(values.get(name) ?? [])]))
  );
}
