// @ts-check
/**
 * `npm run sweep`: proves the specs under mutations/ with the program that was built, in an
 * environment with a Python of our own. Arguments go to `counterproof run`.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError, venv } from './venvs.js';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

try {
  const { folder } = await venv('default');
  const bin = path.join(folder, 'bin');
  const child = spawn(
    process.execPath,
    [path.join(TOP, 'bin', 'counterproof.js'), 'run', ...process.argv.slice(2)],
    {
      cwd: TOP,
      env: {
        ...process.env,
        VIRTUAL_ENV: folder,
        PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
      },
      stdio: 'inherit',
    },
  );
  // It restores the tree over a signal of its own, which the terminal gives to both.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
