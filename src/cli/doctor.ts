import { tryIsolation, type IsolationFound } from '../engine/try-isolation.js';
import { doctorFacts, type DoctorFact } from '../lane/doctor.js';
import { EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import { findPlace } from './project.js';

const options = everywhere;

/** In place everything works too: one mutation after another, in files that others see. */
function isolationFact({ isolation, because }: IsolationFound): DoctorFact {
  const isBest = because === null;
  return {
    what: 'isolation',
    state: isBest ? 'ok' : 'absent',
    detail: isBest ? isolation : `${isolation}: ${because}`,
    fix: null,
  };
}

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
  const facts = [
    ...(await doctorFacts({ root, tree, env: process.env })),
    isolationFact(await tryIsolation(tree)),
  ];
  const width = Math.max(0, ...facts.map(({ what }) => what.length));
  const shown = args.quiet ? facts.filter(({ state }) => state === 'problem') : facts;
  if (shown.length === 0) printResult('nothing is in the way\n');
  for (const { what, state, detail, fix } of shown) {
    printResult(`${MARK[state].padEnd(2)}  ${what.padEnd(width)}  ${detail}\n`);
    if (fix !== null) printResult(`    ${''.padEnd(width)}  ${fix}\n`);
  }
  return facts.some(({ state }) => state === 'problem') ? EXIT.noEvidence : EXIT.proven;
}
