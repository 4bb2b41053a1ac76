// @ts-check
/** A mutation in a small warm crate, against a plain loop: edit, `cargo test`, put back, `cargo test`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from './measure.js';

/** Functions in the crate, and tests: one each. */
const SIZE = 24;

/**
 * Times are the middle of several rounds, in which each command has its turn, so that a machine
 * that becomes busy becomes so for all of them.
 *
 * @param {object} bench
 * @param {(args: readonly string[]) => readonly string[]} bench.counterproof
 * @param {NodeJS.ProcessEnv} bench.env
 * @param {(what: string, measured: string, target?: string) => void} bench.report
 * @param {number} [bench.mutations] N: times are taken for N and for 2 N
 * @param {number} [bench.rounds]
 */
export function benchCargo({ counterproof, env, report, mutations: n = 6, rounds = 3 }) {
  const small = createCrate(n);
  const large = createCrate(2 * n);
  const test = ['cargo', 'test', '--quiet', '--lib'];
  try {
    const run = (/** @type {string} */ folder, /** @type {readonly string[]} */ ...more) =>
      timed(counterproof(['run', '--json', '--no-progress', ...more]), { cwd: folder, env }, 0);
    const loop = () => {
      const place = { cwd: small, env };
      const started = performance.now();
      for (let index = 0; index < n; index += 1) {
        writeFileSync(path.join(small, LIB), source(index));
        timed(test, place, 101);
        writeFileSync(path.join(small, LIB), source(null));
        timed(test, place, 0);
      }
      return (performance.now() - started) / n;
    };

    // Warm on both sides: whoever asks has built the crate before.
    for (const folder of [small, large]) {
      timed(test, { cwd: folder, env }, 0);
      run(folder, '--only', 'm0');
    }
    /** @type {{ loop: number[], one: number[], half: number[], whole: number[] }} */
    const ms = { loop: [], one: [], half: [], whole: [] };
    for (let round = 0; round < rounds; round += 1) {
      ms.loop.push(loop());
      ms.one.push(run(small, '--only', 'm0'));
      ms.half.push(run(small));
      ms.whole.push(run(large));
    }
    const pair = median(ms.loop);
    const each = (median(ms.whole) - median(ms.half)) / n;
    const one = median(ms.one);
    report('`cargo test` with the mutant, and once more without it', seconds(pair));
    report('a further mutation, restored runs included', seconds(each));
    report('  against those two', times(each / pair), '≤ 2 ×');
    report('one mutation alone: baseline, mutated, restored, closing', seconds(one));
    report('  against those two', times(one / pair));
  } finally {
    for (const folder of [small, large]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} command
 * @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv }} place
 * @param {number} expected exit code; with another one it would be the time of something else
 * @returns {number} milliseconds
 */
function timed([file = '', ...args], { cwd, env }, expected) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const ms = performance.now() - started;
  if (status !== expected)
    throw new Error(`${[file, ...args].join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return ms;
}

const LIB = 'src/lib.rs';

/** @param {number | null} mutated index of the function that is mutated */
function source(mutated) {
  const numbers = Array.from({ length: SIZE }, (_, index) => index);
  const functions = numbers.map(
    (n) => `pub fn f${n}(a: i32) -> i32 {\n    a ${n === mutated ? '-' : '+'} ${n + 1}\n}\n`,
  );
  const tests = numbers.map(
    (n) => `    #[test]\n    fn t${n}() {\n        assert_eq!(super::f${n}(1), ${n + 2});\n    }\n`,
  );
  return `${functions.join('\n')}\n#[cfg(test)]\nmod tests {\n${tests.join('\n')}}\n`;
}

/**
 * @param {number} mutations how many the spec declares, each with one test that flips
 * @returns {string} the crate's folder
 */
function createCrate(mutations) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cp-bench-'));
  const files = {
    'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: cargo, targets: lib } }\n',
    '.gitignore': 'target/\n',
    'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 4\n\n[[package]]\nname = "calc"\nversion = "0.1.0"\n',
    [LIB]: source(null),
    'mutations/calc.yaml': JSON.stringify({
      version: 1,
      lane: 'unit',
      mutations: Array.from({ length: mutations }, (_, n) => ({
        id: `m${n}`,
        file: LIB,
        within: `pub fn f${n}(`,
        replace: { find: 'a +', with: 'a -' },
        flips: [`tests::t${n}`],
      })),
    }),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'bench'],
  ])
    execFileSync('git', args, { cwd: folder });
  return folder;
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
/** @param {number} ratio */
const times = (ratio) => `${ratio.toFixed(2)} ×`;
