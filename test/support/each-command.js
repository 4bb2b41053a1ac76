// @ts-check
/**
 * Runs many command lines in one process: to start it is most of what a refused one costs.
 * Reads `[[ARG…]…]` from standard input, writes `[{ exitCode, stdout, stderr }…]`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { writeSync } = fs;
/** @type {Record<number, string>} */
const written = { 1: '', 2: '' };

/** @type {(fd: number, bytes: Uint8Array, ...rest: number[]) => number} */
const caught = (fd, bytes, ...rest) => {
  if (written[fd] === undefined) return writeSync(fd, bytes, ...rest);
  const part = Buffer.from(bytes).subarray(rest[0]);
  written[fd] += part.toString('utf8');
  return part.length;
};
fs.writeSync = /** @type {typeof fs.writeSync} */ (caught);
process.stdout.write = (/** @type {unknown} */ text) => ((written[1] += String(text)), true);
process.stderr.write = (/** @type {unknown} */ text) => ((written[2] += String(text)), true);
syncBuiltinESMExports();

// Named at run time: where types are checked, nothing may be built yet.
const program = new URL('../../dist/cli/main.js', import.meta.url).href;
/** @type {{ main: (args: readonly string[]) => Promise<number> }} */
const { main } = await import(program);
const results = [];
for (const args of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  Object.assign(written, { 1: '', 2: '' });
  const exitCode = await main(args);
  results.push({ exitCode, stdout: written[1], stderr: written[2] });
}
writeSync(1, JSON.stringify(results));
