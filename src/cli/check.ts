import { resolve } from 'node:path';
import { checkMutations, type CheckFinding, type CollectedLane } from '../engine/check.js';
import { openCollector } from '../engine/collect.js';
import { lanesOf } from '../engine/select.js';
import { endingPhrase } from '../proof/record.js';
import { renderDiagnostics } from '../spec/diagnostic.js';
import { loadSpecs } from '../spec/load.js';
import type { MutationSpec, Where } from '../spec/model.js';
import { readSource } from '../spec/read-text.js';
import { diagnoseAt } from '../spec/source.js';
import { mutantsLeft } from '../workspace/recover-needed.js';
import { cancelOnSignal } from './interrupts.js';
import { CommandError, EXIT } from './exit.js';
import { writeInline } from './inline.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';
import {
  interpreterOption,
  openProject,
  specError,
  specRequest,
  type OpenedProject,
} from './project.js';

/** Columns of a line of a spec that is shown; what is longer is cut around the mark. */
const LINE_WIDTH = 80;

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
  inline: {
    type: 'boolean',
    default: false,
    describe: 'Write into the specs what `revert`, `apply` and `from` come to, as patches',
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
  const { root, tree, config } = project;
  const specs = await loadSpecs(specRequest(project, args.spec));
  if (!specs.ok) throw specError(specs.error, project, args);
  const { mutations } = specs.value;
  if (mutations.length === 0)
    throw new CommandError(`Nothing to check: no mutation under ${root}/mutations.`, EXIT.nothing);

  const collected = args.collect ? await collectLanes(project, mutations, args) : null;
  const report = await checkMutations({ root, tree, mutations, lanes: config.lanes, collected });
  const faulty = new Set(report.findings.map(({ id }) => id));
  for (const finding of report.findings) printResult(findingText(finding, root, args));
  for (const { id, where } of args.verbose ? mutations : [])
    if (!faulty.has(id)) printResult(`${where.file}:${where.line}:${where.col}  ${id}: applies\n`);
  const broken = faulty.size;
  printResult(
    broken === 0
      ? `${count(mutations.length, 'mutation')} checked: every edit applies, every named test is there.\n`
      : `${broken} of ${count(mutations.length, 'mutation')} would not run as written.\n`,
  );
  for (const line of report.notChecked) printResult(`not checked: ${line}\n`);
  const left = await mutantsLeft(tree);
  if (left.length > 0)
    printResult(
      `A killed run left its mutation in ${left.join(', ')}: \`counterproof recover\` puts that back.\n`,
    );
  if (args.inline) await writeInline(mutations, project);
  return broken === 0 ? EXIT.proven : EXIT.noEvidence;
}

async function collectLanes(
  project: OpenedProject,
  mutations: readonly MutationSpec[],
  args: Parsed<typeof options>,
): Promise<ReadonlyMap<string, CollectedLane>> {
  const { tree, root, config } = project;
  const python = interpreterOption(args.python, project);
  const { signal, exitCode } = cancelOnSignal();
  const used = new Set(mutations.flatMap(lanesOf));
  const { lanes } = config;
  const collected = new Map<string, CollectedLane>();
  const collector = openCollector({ tree, root, python, signal });
  try {
    for (const lane of lanes.filter(({ name }) => used.has(name))) {
      const found = await collector.collect(lane);
      if (signal.aborted) throw new CommandError('Interrupted; nothing was changed.', exitCode());
      if (!found.ok)
        throw new CommandError(`Lane ${lane.name}: ${found.error.message}`, EXIT.noEvidence);
      const { ending, ids, selection } = found.value.collection;
      if (ending.kind !== 'complete')
        throw new CommandError(`Lane ${lane.name}: ${endingPhrase(ending)}`, EXIT.noEvidence);
      collected.set(lane.name, { ids, selection });
    }
  } finally {
    await collector.close();
  }
  return collected;
}

function findingText(
  { id, about, where, reason, facts, next }: CheckFinding,
  root: string,
  { quiet }: { readonly quiet: boolean },
): string {
  const place = `${where.file}:${where.line}:${where.col}`;
  if (quiet) return `${place}  ${id}: ${reason}\n`;
  const lines = [
    ...(about === 'edit' ? markedLine(where, root) : []),
    ...facts,
    ...next.map((what) => `next: ${what}`),
  ];
  return `${place}  ${id}: ${reason}\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** The line of the spec, with a mark under the word that is meant. */
function markedLine(where: Where, root: string): readonly string[] {
  const source = readSource(resolve(root, where.file), where.file);
  if (!source.ok) return [];
  const fault = diagnoseAt(source.value, where, '');
  return renderDiagnostics([fault], { colour: false, width: LINE_WIDTH })
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/^ {4}/, ''));
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
