import { relative } from 'node:path';
import { selectMutations } from '../engine/select.js';
import { draftsUnder } from '../spec/drafts.js';
import { loadSpecs } from '../spec/load.js';
import { chosenLanes } from './chosen-lanes.js';
import { CommandError, EXIT } from './exit.js';
import { keepHeapSmall } from './heap.js';
import { nothingToProve } from './nothing.js';
import { everywhere, proving } from './options.js';
import { printMessage, printResult } from './output.js';
import { openProject, renderFaults, specError, specRequest } from './project.js';
import { carryOut } from './carry-out.js';
import { carryOutOptions, provingSettings } from './proving.js';
import { command, type Parsed } from './parsed.js';

const options = {
  budget: {
    type: 'string',
    nargs: 1,
    describe: 'Take no mutation up that would end later than this: 90s, 30m, 2h',
  },
  list: { type: 'boolean', default: false, describe: 'Name the selected mutations, run nothing' },
  ...proving,
  ...everywhere,
} as const;

const positionals = {
  spec: { type: 'string', array: true, describe: 'Files, folders or patterns, each with ::ID' },
} as const;

/** `counterproof run`: prove every mutation. */
export const runCommand = command({
  usage: 'run [spec..]',
  describe: 'Prove mutations: SPEC or SPEC::ID, or everything under mutations/',
  positionals,
  options,
  run,
});

async function run(args: Parsed<typeof positionals & typeof options>): Promise<number> {
  if (args.list && args.json)
    throw new CommandError('--list runs nothing, so there is no record for --json.');
  keepHeapSmall();
  const project = await openProject(args);
  const { root, config } = project;
  const { lanes } = config;
  const specs = await loadSpecs(specRequest(project, args.spec));
  if (!specs.ok) throw specError(specs.error, project, args);
  if (args.lane !== undefined) chosenLanes([args.lane], lanes);
  const { mutations, liveness, warnings } = specs.value;
  if (warnings.length > 0 && !args.quiet) printMessage(renderFaults(warnings, project, args));

  const selected = selectMutations(mutations, [...mutations, ...liveness], {
    only: args.only ?? [],
    tag: args.tag ?? null,
    lane: args.lane ?? null,
  });
  if (!selected.ok) throw new CommandError(selected.error);
  const { declared, pulledIn } = selected.value;
  if (declared.length === 0) {
    const isNone = mutations.length === 0;
    const message = isNone
      ? `Nothing to prove: there is no mutation under ${root}/mutations.`
      : `Nothing to prove: none of ${mutations.length} mutations fits this selection.`;
    const drafts = isNone ? await draftsUnder(root) : [];
    const named = drafts.map((path) => relative(project.cwd, path)).join(', ');
    const wayOut = isNone
      ? drafts.length > 0
        ? `${named} ${drafts.length === 1 ? 'is' : 'are'} no spec yet: put your own file, text and tests in, and take \`.txt\` off the name.`
        : 'Write one with `counterproof init`, or ask ad hoc with `counterproof try FILE:LINE`.'
      : 'Options narrow the selection together; `counterproof run --list` names all there are.';
    if (args.list) throw new CommandError(`${message}\n${wayOut}`, EXIT.nothing);
    return nothingToProve(args, project, { message, wayOut, lanes });
  }
  if (args.list) {
    for (const { id, lane, spec } of declared) printResult(`${id}  ${lane}  ${spec ?? ''}\n`);
    return EXIT.proven;
  }
  return carryOut({
    project,
    command: args.commandLine,
    lanes,
    mutations: [
      ...declared.map((spec) => ({
        spec: exactly(spec, args.exact),
        pulledIn: false,
        notApplied: null,
      })),
      ...pulledIn.map((spec) => ({ spec, pulledIn: true, notApplied: null })),
    ],
    settings: provingSettings(args, config.defaults, 'closing run'),
    notVerified: [],
    options: carryOutOptions(args, project),
  });
}

const exactly = <M extends { readonly exact: boolean }>(mutation: M, exact: boolean): M =>
  exact ? { ...mutation, exact } : mutation;
