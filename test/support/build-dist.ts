/** Vitest global set-up of the tests that start the built program: builds it once. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

export function setup(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: TOP,
    stdio: 'inherit',
  });
}
