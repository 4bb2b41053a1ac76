import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { selectMutations } from '../engine/select.js';
import { adHocEdit, type AdHoc } from '../mutation/ad-hoc.js';
import { areImplicit } from '../spec/implicit-lanes.js';
import type { EditSpec, MutationSpec, Where } from '../spec/model.js';
import { chosenLane } from './chosen-lane.js';
import { editInEditor } from './editor.js';
import { CommandError, EXIT } from './exit.js';
import { everywhere, proving } from './options.js';
import { printMessage } from './output.js';
import { command, type Parsed } from './parsed.js';
import { findPlace, openProject, startFolder, type OpenedProject } from './project.js';
import { carryOut } from './carry-out.js';
import { carryOutOptions, provingSettings } from './proving.js';
import { saveMutations } from './save.js';

const positionals = {
  place: { type: 'string', describe: 'FILE, FILE:LINE or FILE:LINE-LINE' },
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
  flips: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'A test that must notice (repeatable; without it, any test may)',
  },
  full: { type: 'boolean', default: false, describe: 'The whole lane (this version always does)' },
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
  ],
  run,
});

async function run(args: Args): Promise<number> {
  const place = parsePlace(args.place, startFolder(args));
  checkPlace(place, (await findPlace(args)).tree);
  const project = await openProject(args, place.absolute);
  const file = relative(project.root, place.absolute).replaceAll('\\', '/');
  const asked = await askedEdit(args, place, project.cwd);
  const bytes = await readFile(place.absolute);
  const edit = adHocEdit({ bytes, file, span: place.span, asked, where: NOWHERE });

  const lane = chosenLane(args, project, [file]);
  const mutation = adHocMutation(args, edit.ok ? [edit.value] : [], lane.name, place, file);
  const selected = selectMutations([mutation], [], {
    only: args.only ?? [],
    tag: args.tag ?? null,
    lane: null,
  });
  if (!selected.ok) throw new CommandError(selected.error);
  if (selected.value.declared.length === 0)
    throw new CommandError('Nothing to prove: --only or --tag leaves this edit out.', EXIT.nothing);
  const exitCode = await carryOut({
    project,
    command: args.commandLine,
    lanes: [lane, ...project.config.lanes.filter(({ name }) => name !== lane.name)],
    mutations: [{ spec: mutation, pulledIn: false, notApplied: edit.ok ? null : edit.error }],
    settings: provingSettings(args, project.config.defaults, 'no closing run'),
    notVerified: [],
    options: carryOutOptions(args, project),
  });
  if (args.save !== undefined && edit.ok) await save(args.save, mutation, project, args);
  return exitCode;
}

const NOWHERE: Where = { file: 'the command line', line: 1, col: 1 };

interface Place {
  readonly absolute: string;
  /** 1-based and inclusive; null: no line was named. */
  readonly span: { readonly from: number; readonly to: number } | null;
}

function parsePlace(written: string | undefined, cwd: string): Place {
  if (written === undefined) {
    throw new CommandError(
      'Which file? Write FILE:LINE, as in `counterproof try src/app.py:41`.\nTrying uncommitted changes as a whole is not in this version.',
    );
  }
  const match = /^(?<file>.+?)(?::(?<from>\d+)(?:-(?<to>\d+))?)?(?::\d*)?$/s.exec(written);
  const { file = written, from, to } = match?.groups ?? {};
  // A file may be called `a.py:3`; one that is there as written is meant as written.
  const whole = resolve(cwd, written);
  if (existsSync(whole)) return { absolute: whole, span: null };
  const absolute = resolve(cwd, file);
  if (!existsSync(absolute)) throw new CommandError(`There is no file ${file}.`);
  if (from === undefined) return { absolute, span: null };
  const first = Number(from);
  const last = to === undefined ? first : Number(to);
  if (first < 1 || last < first)
    throw new CommandError(`${written}: lines are counted from 1, the first one first.`);
  return { absolute, span: { from: first, to: last } };
}

/** @throws CommandError for what can be no mutation's file, whatever the edit */
function checkPlace({ absolute }: Place, tree: string): void {
  if (!statSync(absolute).isFile()) throw new CommandError(`${absolute} is no regular file.`);
  const inTree = relative(tree, realpathSync(absolute));
  if (inTree === '..' || inTree.startsWith('../') || isAbsolute(inTree))
    throw new CommandError(`${absolute} lies outside the tree ${tree}; start this inside its own.`);
}

async function askedEdit(args: Args, place: Place, cwd: string): Promise<AdHoc> {
  const named = [
    args.replace === undefined ? null : '--replace',
    args.raise ? '--raise' : null,
    args.patch === undefined ? null : '--patch',
    args.edit ? '--edit' : null,
  ].filter((option) => option !== null);
  if (named.length > 1) throw new CommandError(`${named.join(' and ')}: one edit at a time.`);
  if (args.with !== undefined && args.replace === undefined)
    throw new CommandError('--with goes with --replace: say what is to be replaced.');
  if (args.replace !== undefined) {
    if (args.with === undefined)
      throw new CommandError(
        '--replace goes with --with: say what stands there instead ("" for nothing).',
      );
    return { kind: 'replace', find: args.replace, with: args.with };
  }
  if (args.raise) return { kind: 'raise' };
  if (args.patch !== undefined) return { kind: 'patch', text: await patchText(args.patch, cwd) };
  if (args.edit)
    return { kind: 'bytes', bytes: await editInEditor(place.absolute, place.span?.from ?? 1) };
  if (place.span === null) {
    throw new CommandError(
      'What is to change? Add :LINE to take a statement away, or one of --replace and --with, --raise, --patch, --edit.',
    );
  }
  return { kind: 'remove' };
}

async function patchText(path: string, cwd: string): Promise<string> {
  if (path !== '-') {
    try {
      return await readFile(resolve(cwd, path), 'utf8');
    } catch (error) {
      throw new CommandError(`--patch ${path}: ${error instanceof Error ? error.message : ''}`);
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}

function adHocMutation(
  args: Args,
  edits: readonly EditSpec[],
  lane: string,
  place: Place,
  file: string,
): MutationSpec {
  const line = place.span === null ? '' : `:${place.span.from}`;
  return {
    id: args.id ?? `${file}${line}`,
    spec: null,
    why: null,
    role: 'mutation',
    lane,
    edits,
    flips:
      args.flips === undefined
        ? { kind: 'any' }
        : {
            kind: 'tests',
            tests: args.flips.map((test) => ({
              test,
              count: null,
              min: null,
              from: 'passed',
              to: ['failed'],
              message: null,
              where: NOWHERE,
            })),
          },
    controls: [],
    exact: args.exact,
    probes: [],
    accept: null,
    tags: [],
    refs: [],
    owner: null,
    where: NOWHERE,
  };
}

async function save(
  path: string,
  mutation: MutationSpec,
  project: OpenedProject,
  args: Args,
): Promise<void> {
  const [edit] = mutation.edits;
  if (edit === undefined) return;
  const { lanes } = project.config;
  const input = {
    id: mutation.id,
    ...(areImplicit(lanes) && lanes.length === 1 ? {} : { lane: mutation.lane }),
    ...editInput(edit),
    flips: mutation.flips.kind === 'tests' ? mutation.flips.tests.map(({ test }) => test) : 'any',
  } as const;
  await saveMutations(path, [input], project, args);
  printMessage(`Saved as ${mutation.id} in ${path}\n`);
}

function editInput(edit: EditSpec): {
  file: string;
  patch?: string;
  replace?: { find: string; with: string };
} {
  if (edit.kind === 'patch') return { file: edit.file, patch: edit.patch };
  if (edit.kind === 'replace')
    return { file: edit.file, replace: { find: edit.find, with: edit.with } };
  throw new Error(`Internal error: an ad hoc edit is never ${edit.kind}`);
}
