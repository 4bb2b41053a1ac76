import { checkMutations, type CheckFinding } from '../engine/check.js';
import { loadSpecs } from '../spec/load.js';
import { CommandError, EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import { openProject, specError } from './project.js';

const positionals = {
  spec: { type: 'string', array: true, describe: 'Files, folders or patterns, each with ::ID' },
} as const;

const options = {
  ...everywhere,
  collect: {
    type: 'boolean',
    default: false,
    describe: "Ask the lanes' real collection for every named test",
  },
  python: { type: 'string', nargs: 1, describe: 'Interpreter for lanes whose command is auto' },
} as const;

/** `counterproof check`: every stored edit still applies, every named test is still there. */
export const checkCommand = command({
  usage: 'check [spec..]',
  describe: 'Seconds, runs no test: does every stored edit still apply?',
  positionals,
  options,
  run,
});

async function run(args: Parsed<typeof positionals & typeof options>): Promise<number> {
  const project = await openProject(args);
  const { root, tree, cwd, config } = project;
  const specs = await loadSpecs({ root, tree, cwd, config, arguments: args.spec ?? [] });
  if (!specs.ok) throw specError(specs.error, project, args);
  const { mutations } = specs.value;
  if (mutations.length === 0)
    throw new CommandError(`Nothing to check: no mutation under ${root}/mutations.`, EXIT.nothing);

  const collected = args.collect ? await collectLanes(project, mutations, args) : null;
  const report = await checkMutations({ root, tree, mutations, collected });
  for (const finding of report.findings) printResult(findingText(finding));
  const broken = new Set(report.findings.map(({ id }) => id)).size;
  printResult(
    broken === 0
      ? `${count(mutations.length, 'mutation')} checked: every edit applies, every named test is there.\n`
      : `${broken} of ${count(mutations.length, 'mutation')} would not run as written.\n`,
  );
  for (const line of report.notChecked) printResult(`not checked: ${line}\n`);
  return broken === 0 ? EXIT.fine : EXIT.noEvidence;
}

function findingText({ id, where, reason, facts, next }: CheckFinding): string {
  const place = `${where.file}:${where.line}:${where.col}`;
  const lines = [...facts.map((fact) => `    ${fact}`), ...next.map((what) => `    next: ${what}`)];
  return `${place}  ${id}: ${reason}\n${lines.map((line) => `${line}\n`).join('')}`;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
