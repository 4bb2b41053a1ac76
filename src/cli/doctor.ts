import { doctorFacts, type DoctorFact } from '../lane/doctor.js';
import { EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import { findPlace } from './project.js';

const options = everywhere;

const MARK: { readonly [S in DoctorFact['state']]: string } = {
  ok: 'ok',
  absent: '-',
  problem: '!',
};

/** `counterproof doctor`: what works here and why not. */
export const doctorCommand = command({
  usage: 'doctor',
  describe: 'What works here, and why not',
  positionals: {},
  options,
  run,
});

async function run(args: Parsed<typeof options>): Promise<number> {
  const { root, tree } = await findPlace(args);
  const facts = await doctorFacts({ root, tree, env: process.env });
  const width = Math.max(...facts.map(({ what }) => what.length));
  for (const { what, state, detail, fix } of facts) {
    printResult(`${MARK[state].padEnd(2)}  ${what.padEnd(width)}  ${detail}\n`);
    if (fix !== null) printResult(`    ${''.padEnd(width)}  ${fix}\n`);
  }
  return facts.some(({ state }) => state === 'problem') ? EXIT.noEvidence : EXIT.proven;
}
