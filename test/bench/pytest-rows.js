// @ts-check
/** Mutations per second against a plain loop: edit, one cold `python -m pytest`, put back. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inTurn, median, time } from './measure.js';
import { createProject } from './project.js';
import { milliseconds, report, seconds, section, times } from './table.js';

/** @import { Place } from './measure.js' */

/**
 * @typedef {object} LaneBench
 * @property {string} title
 * @property {string} python
 * @property {NodeJS.ProcessEnv} env
 * @property {(args: readonly string[]) => readonly string[]} counterproof
 * @property {string} [imports]
 * @property {number} mutations N: times are taken for N and for 2 N
 * @property {number} looped mutations of the plain loop, which need not be as many
 * @property {number} rounds
 * @property {readonly { readonly slots: number, readonly each: string, readonly all: string }[]} targets
 */

/** @param {LaneBench} bench */
export async function benchLane(bench) {
  const { title, python, env, mutations: n } = bench;
  section(title);
  const small = createProject({ mutations: n, imports: bench.imports ?? '' });
  const large = createProject({ mutations: 2 * n, imports: bench.imports ?? '' });
  const pytest = [python, '-m', 'pytest', '-q'];
  try {
    // Bytecode of what no mutation edits is there on both sides, as it is in a tree that is worked on.
    for (const { folder } of [small, large]) await time(pytest, { cwd: folder, env });
    const tests = await ownDurations(pytest, { cwd: small.folder, env });

    const loop = async () => {
      const file = path.join(small.folder, 'calc.py');
      const started = performance.now();
      for (let index = 0; index < bench.looped; index += 1) {
        writeAt(file, small.mutant(index), 2 * index);
        await time(pytest, { cwd: small.folder, env }, 1);
        writeAt(file, small.source, 2 * index + 1);
      }
      return (performance.now() - started) / bench.looped;
    };

    for (const { slots, each: target, all: targetOfAll } of bench.targets) {
      const prefix = bench.targets.length === 1 ? '' : `${slots} slot${slots === 1 ? '' : 's'}: `;
      const args = ['run', '--json', '--no-progress', '-j', String(slots)];
      if (slots > 1 && (await slotsOf(bench.counterproof(args), small.folder, env)) < slots) {
        report(`${prefix}not measured`, 'no overlay');
        continue;
      }
      /** @type {{ readonly record: any, readonly ms: number }[]} */
      const runs = [];
      const run = (/** @type {string} */ folder) => async () => {
        const timed = await time(bench.counterproof(args), { cwd: folder, env });
        runs.push({ record: JSON.parse(timed.stdout), ms: timed.ms });
        return timed.ms;
      };
      const { cold, half, whole } = await inTurn(bench.rounds, {
        cold: loop,
        half: run(small.folder),
        whole: run(large.folder),
      });
      const each = (whole - half) / n;
      if (slots === 1) report('plain loop, a mutation', milliseconds(cold));
      report(`${prefix}a further mutation, restored runs included`, milliseconds(each));
      report(`${prefix}  as many in the time of one of the loop's`, times(cold / each), target);
      report(`${prefix}${n} mutations, everything included`, seconds(half));
      report(`${prefix}  against the loop`, times((n * cold) / half), targetOfAll);
      report(
        `${prefix}fixed cost: start, baseline, comparison, closing run`,
        seconds(half - n * each),
      );
      if (slots === 1) reportSteps(runs, { n, each, tests });
    }
  } finally {
    for (const { folder } of [small, large]) rmSync(folder, { recursive: true, force: true });
  }
}

/** No second in which a project was made. */
const epoch = Math.floor(Date.now() / 1000) + 3600;

/**
 * Each text at a second of its own: Python tells sources apart by that and their size, and one
 * that fits the bytecode of another is not read.
 *
 * @param {string} file
 * @param {string} text
 * @param {number} second
 */
function writeAt(file, text, second) {
  writeFileSync(file, text);
  utimesSync(file, epoch + second, epoch + second);
}

/**
 * How many slots there are where as many are asked for: in place there is one.
 *
 * @param {readonly string[]} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
async function slotsOf(command, cwd, env) {
  const { stdout } = await time([...command, '--only', 'm0', '--only', 'm1'], { cwd, env });
  return JSON.parse(stdout).environment.jobs;
}

/**
 * What of a mutation is spent in the lane, and what beside it; and the lane's step against what
 * its tests need by themselves.
 *
 * @param {readonly { readonly record: any, readonly ms: number }[]} runs
 * @param {{ readonly n: number, readonly each: number, readonly tests: number }} known
 */
function reportSteps(runs, { n, each, tests }) {
  const laneTime = runs.map(({ record }) => {
    const steps = new Map();
    for (const proof of record.proofs)
      for (const { step, log, durationMs } of proof.steps)
        if (step !== 'baseline') steps.set(log, durationMs);
    const ms = [...steps.values()].reduce((sum, value) => sum + value, 0);
    return { count: record.proofs.length, ms };
  });
  const of = (/** @type {number} */ count) =>
    median(laneTime.filter((one) => one.count === count).map(({ ms }) => ms));
  const lane = (of(2 * n) - of(n)) / n;
  report('  of it in the lane', milliseconds(lane));
  report('  own cost, outside the lane', milliseconds(each - lane), '≤ 10 ms');
  const mutated = runs.flatMap(({ record }) =>
    record.proofs.flatMap((/** @type {any} */ { steps }) =>
      steps
        .filter((/** @type {any} */ one) => one.step === 'mutated' && one.scope === 'lane')
        .map((/** @type {any} */ { durationMs }) => durationMs),
    ),
  );
  report('the mutated step', milliseconds(median(mutated)), `≤ ${milliseconds(1.3 * tests + 80)}`);
  report("  its tests' own durations", milliseconds(tests));
}

/**
 * Milliseconds that the tests themselves took, as pytest reports them.
 *
 * @param {readonly string[]} pytest
 * @param {Place} place
 */
async function ownDurations(pytest, { cwd, env }) {
  const { stdout } = await time([...pytest, '--durations=0', '--durations-min=0'], { cwd, env });
  const durations = Array.from(stdout.matchAll(/^([\d.]+)s (?:setup|call|teardown) /gm), (match) =>
    Number(match[1]),
  );
  return durations.reduce((sum, value) => sum + value, 0) * 1000;
}
