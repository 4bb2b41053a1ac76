// @ts-check
/** Times commands: whole processes, from spawn to exit. */
import { spawn } from 'node:child_process';

/** Prints the most memory that the process ever held, as its last line on stderr. */
const MEMORY_HOOK = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process._rawDebug('MAXRSS ' + process.resourceUsage().maxRSS));",
)}`;

/**
 * @typedef {object} Timed
 * @property {number} ms
 * @property {number} exitCode
 * @property {string} stdout
 * @property {number | null} maxRssBytes of a Node process; null for others
 */

/**
 * @param {readonly string[]} command
 * @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Timed>}
 */
export function time([file = '', ...args], { cwd, env }) {
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
    child.on('close', (code) => {
      const memory = /MAXRSS (\d+)\s*$/.exec(stderr)?.[1];
      resolve({
        ms: performance.now() - started,
        exitCode: code ?? 1,
        stdout,
        maxRssBytes: memory === undefined ? null : Number(memory) * 1024,
      });
    });
  });
}

/**
 * The middle of several runs: a busy machine makes single ones slow, never fast.
 *
 * @param {readonly number[]} values
 */
export const median = (values) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
