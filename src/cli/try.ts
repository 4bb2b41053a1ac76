import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type Asked, askedEdit, namedEdits } from '../adhoc/asked.js';
import { onCommit } from '../adhoc/laid-out.js';
import { adHocMutation, asSpec, NOWHERE } from '../adhoc/mutation.js';
import { pythonFilesOf } from '../adhoc/nearest-lane.js';
import { parsePlace, placeProblem, type Place } from '../adhoc/place.js';
import { planTry, type TryOrder } from '../adhoc/trying.js';
import { rulesIn, uncommittedChanges, uncommittedTexts } from '../adhoc/uncommitted.js';
import { selectMutations } from '../engine/select.js';
import { adHocEdit, type AdHoc } from '../mutation/ad-hoc.js';
import type { Result } from '../result.js';
import type { EditSpec, LaneConfig, MutationSpec } from '../spec/model.js';
import { carryOut } from './carry-out.js';
import { chosenLane } from './chosen-lane.js';
import { editInEditor } from './editor.js';
import { CommandError, EXIT } from './exit.js';
import { everywhere, proving } from './options.js';
import { printMessage } from './output.js';
import { command, type Parsed } from './parsed.js';
import {
  findPlace,
  interpreterOption,
  openProject,
  startFolder,
  type OpenedProject,
} from './project.js';
import { carryOutOptions, provingSettings } from './proving.js';
import { saveMutations } from './save.js';
import { standardInput } from './standard-input.js';

const positionals = {
  place: {
    type: 'string',
    describe: 'FILE, FILE:LINE or FILE:LINE-LINE; without it, what is not committed',
  },
} as const;

const options = {
  ...everywhere,
  ...proving,
  replace: { type: 'string', nargs: 1, describe: 'This text, which must stand there once …' },
  with: { type: 'string', nargs: 1, describe: '… becomes this one' },
  raise: { type: 'boolean', default: false, describe: 'Raise at the head of the function there' },
  patch: { type: 'string', nargs: 1, describe: 'Apply the patch in this file, - for stdin' },
  edit: {
    type: 'boolean',
    default: false,
    describe: 'Open a copy in $EDITOR, take the difference',
  },
  uncommitted: {
    type: 'boolean',
    default: false,
    describe: 'Source that is not committed, on top of the last commit (the default without FILE)',
  },
  flips: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'A test that must notice (repeatable; without it, any test may)',
  },
  full: {
    type: 'boolean',
    default: false,
    describe: 'The whole lane, not the nearest tests first',
  },
  save: { type: 'string', nargs: 1, describe: 'Keep the mutation in this spec file' },
  id: { type: 'string', nargs: 1, describe: 'Its id there' },
} as const;

type Args = Parsed<typeof positionals & typeof options>;

/** `counterproof try`: ad hoc, no spec: would any test notice? */
export const tryCommand = command({
  usage: 'try [place]',
  describe: 'Would any test notice? FILE:LINE alone takes the statement away',
  positionals,
  options,
  examples: [
    ['$0 try src/app.py:41', 'take the statement on line 41 away'],
    ['$0 try src/app.py:41 --replace "<" --with "<="', 'one edit on that line'],
    ['$0 try src/app.py:41 --raise -- -k fast', 'what stands behind -- goes to the test runner'],
    ['$0 try', 'would a test notice what is not committed?'],
  ],
  run: (args) => (args.place === undefined ? tryUncommitted(args) : tryFile(args, args.place)),
});

const meant = <T>(result: Result<T, string>): T => {
  if (!result.ok) throw new CommandError(result.error);
  return result.value;
};

async function tryFile(args: Args, written: string): Promise<number> {
  if (args.uncommitted) throw new CommandError('--uncommitted takes every file; leave FILE out.');
  const place = meant(parsePlace(written, startFolder(args)));
  const problem = placeProblem(place, (await findPlace(args)).tree);
  if (problem !== null) throw new CommandError(problem);
  const project = await openProject(args, place.absolute);
  const { tree, root } = project;
  const file = relative(root, place.absolute).replaceAll('\\', '/');
  const asked = await readAsked(meant(askedEdit(args, place)), place, project.cwd);
  const bytes = await readFile(place.absolute);
  const edit = adHocEdit({ bytes, file, span: place.span, asked, where: NOWHERE });

  const lane = chosenLane(args, project, [file]);
  const line = place.span === null ? '' : `:${place.span.from}`;
  const edits = edit.ok ? [edit.value] : [];
  const mutation = mutationOf(args, { id: `${file}${line}`, lane, edits });
  const exitCode = await measure(
    args,
    { home: project, project, python: undefined },
    {
      tree,
      root,
      lane,
      planned: { spec: mutation, pulledIn: false, notApplied: edit.ok ? null : edit.error },
      sources: [relative(tree, place.absolute).replaceAll('\\', '/')],
      tests: [],
      extent: args.full ? 'whole lane' : 'nearest first',
      notes: [],
      gaps: [],
    },
  );
  if (edit.ok) await save(args, mutation, project);
  return exitCode;
}

async function tryUncommitted(args: Args): Promise<number> {
  const [named] = namedEdits(args);
  if (named !== undefined)
    throw new CommandError(
      `${named} goes with a file: counterproof try FILE:LINE ${named} …\nWithout one, what is not committed is tried.`,
    );
  const project = await openProject(args);
  const { tree, root, config } = project;
  const inTree = relative(tree, root).replaceAll('\\', '/') || '.';
  const patterns = config.lanes.flatMap((lane) => pythonFilesOf(lane, root));
  const rules = rulesIn(inTree, config.prove, [...new Set(patterns)]);
  const found = await uncommittedChanges(tree, inTree, rules);
  if (!found.ok) {
    const { kind, message } = found.error;
    throw new CommandError(message, kind === 'nothing' ? EXIT.nothing : EXIT.usage);
  }
  const { commit, edits, sources, tests, complete } = found.value;
  const lane = chosenLane(
    args,
    project,
    edits.map(({ file }) => file),
  );
  const mutation = mutationOf(args, { id: 'uncommitted', lane, edits });
  const python = interpreterOption(args.python, project);
  const laying = { place: project, commit, lane, python, command: args.commandLine };
  const exitCode = meant(
    await onCommit(laying, async (there) => {
      await complete(there.place.tree);
      const work = { home: project, project: { ...project, ...there.place }, python: there.python };
      return measure(args, work, {
        ...there.place,
        lane: there.lane,
        planned: { spec: mutation, pulledIn: false, notApplied: null },
        sources,
        tests,
        extent: args.full ? 'whole lane' : 'nearest first',
        ...uncommittedTexts(found.value),
      });
    }),
  );
  await save(args, mutation, project);
  return exitCode;
}

function mutationOf(
  args: Args,
  {
    id,
    lane,
    edits,
  }: { readonly id: string; readonly lane: LaneConfig; readonly edits: readonly EditSpec[] },
): MutationSpec {
  const mutation = adHocMutation({
    id: args.id ?? id,
    lane: lane.name,
    edits,
    flips: args.flips ?? null,
    exact: args.exact,
  });
  const { only = [], tag = null } = args;
  const selected = meant(selectMutations([mutation], [], { only, tag, lane: null }));
  if (selected.declared.length === 0)
    throw new CommandError('Nothing to prove: --only or --tag leaves this edit out.', EXIT.nothing);
  return mutation;
}

interface Work {
  /** Where the person stands, and where records and specs go. */
  readonly home: OpenedProject;
  /** What is worked on: the same, or a commit that is laid out. */
  readonly project: OpenedProject;
  /** The interpreter that was found for it; undefined: the one that the options name. */
  readonly python: string | null | undefined;
}

async function measure(
  args: Args,
  { home, project, python }: Work,
  order: TryOrder,
): Promise<number> {
  const { mutations, lanes, rounds } = await planTry(order);
  const isUsed = new Set(lanes.map(({ name }) => name));
  const options = carryOutOptions(args, home);
  return carryOut({
    project,
    recordedIn: home,
    command: args.commandLine,
    lanes: [...lanes, ...project.config.lanes.filter(({ name }) => !isUsed.has(name))],
    mutations,
    settings: {
      ...provingSettings(args, project.config.defaults, 'no closing run'),
      tellMoves: true,
    },
    notVerified: [],
    rounds,
    usedLanes: [order.lane.name],
    options: python === undefined ? options : { ...options, python },
  });
}

async function readAsked(asked: Asked, place: Place, cwd: string): Promise<AdHoc> {
  if (asked.kind === 'edit')
    return { kind: 'bytes', bytes: await editInEditor(place.absolute, asked.line) };
  if (asked.kind !== 'patch') return asked;
  if (asked.path === '-') return { kind: 'patch', text: await standardInput() };
  try {
    return { kind: 'patch', text: await readFile(resolve(cwd, asked.path), 'utf8') };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`--patch ${asked.path}: ${why}`);
  }
}

async function save(args: Args, mutation: MutationSpec, project: OpenedProject): Promise<void> {
  if (args.save === undefined) return;
  const input = asSpec(mutation, project.config.lanes);
  if (!input.ok) {
    printMessage(`Not saved: ${input.error}\n`);
    return;
  }
  await saveMutations(args.save, [input.value], project, args);
  const later =
    args.place === undefined ? '; it applies to the last commit, once these changes are gone' : '';
  printMessage(`Saved as ${mutation.id} in ${args.save}${later}\n`);
}
