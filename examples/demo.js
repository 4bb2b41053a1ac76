// @ts-check
/**
 * `npm run demo`: installs what is missing, builds, and proves the mutations of the examples
 * where they stand: the one in Python, and where cargo is installed the one in Rust. Plain Node,
 * because it starts before anything is installed; everything goes into folders that git ignores.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const PYTHON_EXAMPLE = 'examples/sampling-params';
const RUST_EXAMPLE = 'examples/stop-jail';

/** What an example's folder holds after a run, and git ignores. */
const NOT_OURS = new Set(['.counterproof', '__pycache__', '.pytest_cache', 'target']);

/**
 * @param {readonly string[]} command
 * @param {{ readonly stdout: 'inherit' | 2, readonly env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} exit code
 */
function run([file = '', ...args], { stdout, env = process.env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: TOP, env, stdio: ['ignore', stdout, 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** @param {string} text */
const say = (text) => process.stderr.write(`${text}\n`);

/**
 * Whether npm installed exactly what package-lock.json names. npm keeps its own account of what
 * lies in node_modules; packages for other systems are missing there on purpose.
 */
function isInstalled() {
  try {
    const wanted = packagesOf('package-lock.json');
    const there = packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([name, { version, optional }]) =>
        name === '' || (there[name] === undefined ? optional : there[name].version === version),
    );
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @returns {Record<string, { readonly version: string, readonly optional?: boolean }>}
 */
const packagesOf = (file) => JSON.parse(readFileSync(path.join(TOP, file), 'utf8')).packages;

async function install() {
  say('… npm ci: node_modules is not what package-lock.json names');
  const npm = process.env['npm_execpath'];
  const command = npm === undefined ? ['npm', 'ci'] : [process.execPath, npm, 'ci'];
  const env = { ...process.env, npm_config_cache: npmCache() };
  if ((await run(command, { stdout: 2, env })) === 0) return;
  stop(
    'npm ci failed, see above. Where the registry cannot be reached, set npm_config_registry to a\n' +
      'mirror or npm_config_proxy to a proxy, and start this again.',
  );
}

/** npm's own cache, or one in the project where the home folder cannot be written. */
function npmCache() {
  const own = process.env['npm_config_cache'] ?? path.join(os.homedir(), '.npm');
  try {
    mkdirSync(own, { recursive: true });
    accessSync(own, constants.W_OK);
    return own;
  } catch {
    return path.join(TOP, '.cache', 'npm');
  }
}

async function build() {
  const builder = path.join(TOP, 'test/support/build.js');
  const exit = await run([process.execPath, builder], { stdout: 2 });
  if (exit !== 0) stop('The build failed, see above. A fresh clone of a commit on main builds.');
}

/** @returns {Promise<string>} path of an interpreter with pytest */
async function python() {
  const { SetupError, venv } = await import('../test/support/venvs.js');
  try {
    return (await venv('default')).python;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return stop(
      `${error.message}\n` +
        'Or use any Python that has pytest:\n' +
        `  node bin/counterproof.js run -C ${PYTHON_EXAMPLE} --python /path/to/python`,
    );
  }
}

/**
 * @param {string} folder
 * @returns {string[]} paths of the files below, sorted
 */
function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(file) : [file];
    })
    .toSorted();
}

/** @param {string} example */
function checksum(example) {
  const sum = createHash('sha256');
  const files = filesUnder(path.join(TOP, example));
  for (const file of files) sum.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return { files: files.length, sum: sum.digest('hex').slice(0, 16) };
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  say(message);
  process.exit(1);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  stop(`This needs Node 20.19 or newer; ${process.execPath} is ${process.versions.node}.`);
// The run takes Ctrl-C itself and puts the tree back; this waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

if (!isInstalled()) await install();
await build();
const interpreter = await python();

/**
 * @param {string} example
 * @param {readonly string[]} options
 * @returns {Promise<number>} exit code
 */
async function demonstrate(example, options) {
  const before = checksum(example);
  say(`\n${example}$ counterproof run\n`);
  const exit = await run(
    [process.execPath, 'bin/counterproof.js', 'run', '-C', example, ...options],
    { stdout: 'inherit' },
  );
  const after = checksum(example);
  const same = before.sum === after.sum;
  say(
    `\n${example}: ${after.files} files, sha256 ${before.sum} before, ${after.sum} after: ` +
      (same ? 'every byte as before' : 'NOT AS BEFORE, see git status'),
  );
  return same ? exit : 4;
}

/** @returns {Promise<boolean>} */
const hasCargo = () =>
  run(['cargo', '--version'], { stdout: 2 }).then(
    (code) => code === 0,
    () => false,
  );

const exit = await demonstrate(PYTHON_EXAMPLE, ['--python', interpreter]);
if (exit !== 0) process.exitCode = exit;
else if (await hasCargo()) process.exitCode = await demonstrate(RUST_EXAMPLE, []);
else say(`\n${RUST_EXAMPLE}: left out, because there is no cargo here`);
