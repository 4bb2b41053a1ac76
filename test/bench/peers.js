// @ts-check
/** The same small lane, mutated by other tools: `npm run bench -- --peers`. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { venv } from '../support/venvs.js';
import { time } from './measure.js';
import { createProject, SIZE } from './project.js';
import { milliseconds, report, section } from './table.js';

/** One mutant for each function: `a + n` becomes `a - n`, as in our own spec. */
const COSMIC_RAY = `[cosmic-ray]
module-path = "calc.py"
timeout = 60.0
excluded-modules = []
test-command = "python -m pytest -q"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = ["core/(?!ReplaceBinaryOperator_Add_Sub$).*"]
`;

const MUTMUT = '[mutmut]\nsource_paths=calc.py\npytest_add_cli_args_test_selection=test_calc.py\n';
/** It makes two mutants of each function: another operator, another number. */
const MUTMUT_PER_FUNCTION = 2;

/** @param {NodeJS.ProcessEnv} env */
export async function benchPeers(env) {
  section('Other tools on the small lane, one process');
  for (const [name, bench] of /** @type {const} */ ([
    ['cosmic-ray', cosmicRay],
    ['mutmut', mutmut],
  ])) {
    const { folder } = createProject({ mutations: 1 });
    try {
      const { python } = await venv(name);
      const bin = path.dirname(python);
      const place = {
        cwd: folder,
        env: { ...env, PATH: `${bin}${path.delimiter}${env['PATH'] ?? ''}` },
      };
      await time([python, '-m', 'pytest', '-q'], place);
      report(`${name}, a mutant`, milliseconds(await bench(place, bin)));
    } catch (error) {
      report(name, 'not measured', error instanceof Error ? error.message.split('\n')[0] : '');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/**
 * @param {import('./measure.js').Place} place
 * @param {string} bin
 */
async function cosmicRay(place, bin) {
  writeFileSync(path.join(place.cwd, 'cr.toml'), COSMIC_RAY);
  const [tool, filter] = ['cosmic-ray', 'cr-filter-operators'].map((name) => path.join(bin, name));
  await time([tool ?? '', 'init', 'cr.toml', 's.sqlite'], place);
  await time([filter ?? '', 's.sqlite', 'cr.toml'], place);
  const { ms } = await time([tool ?? '', 'exec', 'cr.toml', 's.sqlite'], place);
  return ms / SIZE;
}

/**
 * What it does before its first mutant is left out: the time of one function's mutants is taken
 * from the time of all.
 *
 * @param {import('./measure.js').Place} place
 * @param {string} bin
 */
async function mutmut(place, bin) {
  rmSync(path.join(place.cwd, 'mutations'), { recursive: true });
  writeFileSync(path.join(place.cwd, 'setup.cfg'), MUTMUT);
  const again = `${place.cwd}-again`;
  cpSync(place.cwd, again, { recursive: true });
  const run = [path.join(bin, 'mutmut'), 'run', '--max-children', '1'];
  try {
    const all = await time(run, place);
    const one = await time([...run, 'calc.x_f0__mutmut_*'], { ...place, cwd: again });
    return (all.ms - one.ms) / (MUTMUT_PER_FUNCTION * (SIZE - 1));
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}
