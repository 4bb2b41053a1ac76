/** What is held, as mutations that a spec can hold: anchored by content, with the tests that notice. */
import { editInputOf } from '../mutation/edit-input.js';
import type { EditInput, ExpectationInput, MutationInput } from '../spec/spec-schema.js';
import type { EditSpec, MutationSpec } from '../spec/model.js';
import type { Failure } from './finding.js';
import type { Change } from './fix.js';
import type { Range } from './range.js';
import type { State } from './search.js';
import { takeBack } from './take.js';

export interface KeepInput {
  readonly changes: readonly Change[];
  readonly state: State;
  readonly range: Range;
  /** Root relative to the tree. */
  readonly root: string;
  /** null: the lane need not be named. */
  readonly lane: string | null;
  /** Ids that are taken, in all specs. */
  readonly taken: ReadonlySet<string>;
}

export interface Kept {
  readonly mutations: readonly MutationInput[];
  /** The hunk, or several with `+` between, that each id takes back. */
  readonly hunks: ReadonlyMap<string, string>;
  /** What could not be written, a sentence each. */
  readonly problems: readonly string[];
}

/** One mutation for each change that is held, alone or with those without which it cannot go. */
export function keptOf(input: KeepInput): Kept {
  const mutations: MutationInput[] = [];
  const hunks = new Map<string, string>();
  const problems: string[] = [];
  const seen = new Set<string>();
  const ids = new Set(input.taken);
  for (const change of input.changes) {
    const holding = input.state.changes.get(change.id);
    if (holding?.kind !== 'held' && holding?.kind !== 'held-joined') continue;
    const wanted = new Set([change.id, ...(holding.kind === 'held' ? [] : holding.with)]);
    const group = input.changes.filter(({ id }) => wanted.has(id));
    const key = group.map(({ id }) => id).join('+');
    if (seen.has(key)) continue;
    seen.add(key);
    const edits = takeBack(group).map((file) => editInputOf(file, input.root));
    const failed = edits.find((edit) => typeof edit === 'string');
    if (typeof failed === 'string') {
      problems.push(`hunk ${key}: ${failed}`);
      continue;
    }
    const id = freeId(nameOf(change), ids);
    ids.add(id);
    hunks.set(id, key);
    mutations.push(
      mutationOf(
        id,
        edits.filter((edit) => typeof edit !== 'string'),
        holding.by,
        input,
      ),
    );
  }
  return { mutations, hunks, problems };
}

/** Without those whose edits are all in a spec already. */
export function notKeptYet(
  mutations: readonly MutationInput[],
  stored: readonly Pick<MutationSpec, 'edits'>[],
): readonly MutationInput[] {
  const known = new Set(stored.flatMap(({ edits }) => edits.map(anchorOfSpec)));
  return mutations.filter(
    (mutation) => !(mutation.edits ?? [mutation]).every((edit) => known.has(anchorOf(edit))),
  );
}

const anchorOf = ({ file, patch, delete: gone, create }: EditInput): string =>
  JSON.stringify([file, patch ?? (gone === true ? 'delete' : `create ${create ?? ''}`)]);

function anchorOfSpec(edit: EditSpec): string {
  switch (edit.kind) {
    case 'patch':
      return anchorOf({ file: edit.file, patch: edit.patch });
    case 'delete':
      return anchorOf({ file: edit.file, delete: true });
    case 'create':
      return anchorOf({ file: edit.file, create: edit.content });
    default:
      return '';
  }
}

function mutationOf(
  id: string,
  edits: readonly EditInput[],
  by: readonly Failure[],
  { range, lane }: KeepInput,
): MutationInput {
  const [only] = edits;
  return {
    id,
    why: `Without this part of: ${titleOf(range)}`,
    ...(lane === null ? {} : { lane }),
    ...(edits.length === 1 && only !== undefined ? only : { edits: [...edits] }),
    flips: by.map(flipOf),
  };
}

/** The last commit of several need not hold the part. */
function titleOf({ text, subject, from, to, commits }: Range): string {
  if (to === null) return text;
  const [old, fresh] = [from.slice(0, 12), to.slice(0, 12)];
  return commits > 1 ? `${commits} commits, ${old}..${fresh}` : `${subject ?? text} (${fresh})`;
}

const flipOf = ({ test, to }: Failure): string | ExpectationInput =>
  to === 'failed' ? test : { test, to: [to] };

/** `stream-pump`: the file and the function, in letters that need no quoting. */
function nameOf(change: Change): string {
  const file = (change.parts[0]?.file.path ?? 'fix').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  const words = [
    file,
    ...(change.scope === null ? [] : [change.scope.split(/\.|::/).at(-1) ?? '']),
  ];
  const plain = words
    .join('-')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'fix' : plain.toLowerCase();
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1)
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}
