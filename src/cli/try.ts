import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { type Asked, askedEdit } from '../adhoc/asked.js';
import { NOWHERE } from '../adhoc/mutation.js';
import { parsePlace, placeProblem, type Place } from '../adhoc/place.js';
import { testCodeNote } from '../adhoc/test-code.js';
import { adHocEdit, type AdHoc } from '../mutation/ad-hoc.js';
import { chosenLane } from './chosen-lane.js';
import { editInEditor } from './editor.js';
import { CommandError } from './exit.js';
import { tellIdle } from './idle.js';
import { command } from './parsed.js';
import { findPlace, openProject, startFolder } from './project.js';
import { standardInput } from './standard-input.js';
import { idle, options, positionals, type TryArgs } from './try-options.js';
import { rulesIn } from './try-rules.js';
import { tryUncommitted } from './try-uncommitted.js';
import { checkSaved, meant, measure, mutationOf, save } from './try-work.js';

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
  run: (args) => {
    tellIdle('try', args, idle);
    return args.place === undefined ? tryUncommitted(args) : tryFile(args, args.place);
  },
});

async function tryFile(args: TryArgs, written: string): Promise<number> {
  if (args.uncommitted) throw new CommandError('--uncommitted takes every file; leave FILE out.');
  const place = meant(parsePlace(written, startFolder(args)));
  const problem = placeProblem(place, (await findPlace(args)).tree);
  if (problem !== null) throw new CommandError(problem);
  const project = await openProject(args, place.absolute);
  const { tree, root } = project;
  const file = relative(root, place.absolute).replaceAll(sep, '/');
  const inTree = relative(tree, place.absolute).replaceAll(sep, '/');
  const asked = await readAsked(meant(askedEdit(args, place)), place, project.cwd);
  const bytes = await readFile(place.absolute);
  const typed = relative(startFolder(args), place.absolute).replaceAll(sep, '/');
  const edit = adHocEdit({ bytes, file, typed, span: place.span, asked, where: NOWHERE });

  const lane = chosenLane(args, project, [file]);
  const line = place.span === null ? '' : `:${place.span.from}`;
  const edits = edit.ok ? [edit.value] : [];
  const mutation = mutationOf(args, { id: `${file}${line}`, lane, edits });
  if (edit.ok) await checkSaved(args, mutation, project);
  const firstLine = place.span === null ? null : place.span.from - 1;
  const note = testCodeNote(inTree, bytes, firstLine, rulesIn(project));
  const tried = await measure(
    args,
    { home: project, project, python: undefined, from: null },
    {
      tree,
      root,
      lane,
      planned: { spec: mutation, pulledIn: false, notApplied: edit.ok ? null : edit.error },
      sources: [inTree],
      tests: [],
      extent: args.full ? 'whole lane' : 'nearest first',
      notes: note === null ? [] : [note],
      gaps: [],
    },
  );
  if (edit.ok) await save(args, mutation, project, tried);
  return tried.exitCode;
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
