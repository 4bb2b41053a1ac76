/** Edits that rest on commits, written into their specs as what they come to in the tree today. */
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { append } from '../lists.js';
import type { NotApplied } from '../mutation/edit.js';
import { editInputOf } from '../mutation/edit-input.js';
import { openHistory, type History } from '../mutation/history.js';
import { locateMutation, locateSteps } from '../mutation/locate.js';
import type { TakenFile } from '../mutation/take.js';
import { explain } from '../proof/verdict-text.js';
import type { SpecContext } from '../spec/check.js';
import type { EditSpec, MutationSpec, Where } from '../spec/model.js';
import { decode } from '../spec/read-text.js';
import { type Rewrite, rewriteEdits } from '../spec/rewrite-edits.js';
import { makeSource, type Source } from '../spec/source.js';
import { readSpecFile } from '../spec/spec-file.js';
import { type EditInput, specSchema } from '../spec/spec-schema.js';
import { type Path, valueAt } from '../spec/written.js';
import { readYaml } from '../spec/yaml-read.js';

export interface InlineRequest extends SpecContext {
  readonly tree: string;
  readonly root: string;
  /** The mutations whose edits are wanted, each from a spec. */
  readonly mutations: readonly MutationSpec[];
}

/** One edit that rests on a commit. */
export interface InlineEdit {
  readonly id: string;
  readonly where: Where;
  readonly kind: EditSpec['kind'];
  /** Files that it changes; empty where it stays. */
  readonly files: readonly string[];
  /** Why it stays as it is; null: it is written anew. */
  readonly stays: string | null;
}

export interface InlinedSpec {
  /** Absolute. */
  readonly path: string;
  /** As it was read, and as it would be; the same where nothing is to be written. */
  readonly before: Buffer;
  readonly after: Buffer;
  readonly edits: readonly InlineEdit[];
}

const RESTING: ReadonlySet<EditSpec['kind']> = new Set(['revert', 'apply', 'from']);

export const restsOnCommit = ({ kind }: EditSpec): boolean => RESTING.has(kind);

/** One entry for each spec that holds such an edit. Writes nothing. */
export async function inlineEdits(request: InlineRequest): Promise<readonly InlinedSpec[]> {
  const wanted = request.mutations.filter(({ edits }) => edits.some(restsOnCommit));
  const specs = new Set(wanted.flatMap(({ spec }) => (spec === null ? [] : [spec])));
  const git = openHistory(request.tree);
  const inlined: InlinedSpec[] = [];
  for (const spec of specs) {
    const ids = new Set(wanted.filter((one) => one.spec === spec).map(({ id }) => id));
    const found = await inlineFile(spec, ids, { ...request, git });
    if (found !== null) inlined.push(found);
  }
  return inlined;
}

type Context = InlineRequest & { readonly git: History };

/** An edit with its place in the file, and what it comes to; a text: why it stays. */
interface Planned {
  readonly mutation: MutationSpec;
  readonly edit: EditSpec;
  readonly rewrite: Rewrite;
  readonly stays: string | null;
}

async function inlineFile(
  spec: string,
  ids: ReadonlySet<string>,
  context: Context,
): Promise<InlinedSpec | null> {
  const path = resolve(context.root, spec);
  const before = await readFile(path);
  const decoded = decode(spec, before);
  if (!decoded.ok) return null;
  const source = decoded.value;
  const { mutations } = readSpecFile(source, context);
  const planned = await plannedIn(source, mutations, ids, context);
  const wanted = planned.filter(({ stays }) => stays === null);
  const rewritten = rewriteEdits(
    source,
    wanted.map(({ rewrite }) => rewrite),
  );
  const isSame = await meansTheSame(mutations, rewritten.text, spec, context);
  const refused = new Map(wanted.map((one, index) => [one, rewritten.refused[index] ?? null]));
  const edits = planned.map((one): InlineEdit => {
    const { mutation, edit, rewrite } = one;
    const other = isSame ? null : 'what would be written is not the same edit';
    const stays = one.stays ?? refused.get(one) ?? other;
    const files = stays === null ? rewrite.edits.map(({ file }) => file ?? '') : [];
    return { id: mutation.id, where: edit.where, kind: edit.kind, files, stays };
  });
  if (edits.every(({ stays }) => stays !== null)) return { path, before, after: before, edits };
  const mark = before.subarray(0, before.length - Buffer.byteLength(source.text));
  return { path, before, after: Buffer.concat([mark, Buffer.from(rewritten.text)]), edits };
}

async function plannedIn(
  source: Source,
  mutations: readonly MutationSpec[],
  ids: ReadonlySet<string>,
  context: Context,
): Promise<readonly Planned[]> {
  const data = readYaml(source, specSchema);
  const planned: Planned[] = [];
  for (const [index, mutation] of mutations.entries()) {
    const path = ['mutations', index];
    const isList = data.ok && Array.isArray(valueAt(data.value.value, [...path, 'edits']));
    const pathOf = (at: number): Path => (isList ? [...path, 'edits', at] : path);
    if (ids.has(mutation.id)) append(planned, await plannedFor(mutation, pathOf, context));
  }
  return planned;
}

async function plannedFor(
  mutation: MutationSpec,
  pathOf: (at: number) => Path,
  context: Context,
): Promise<readonly Planned[]> {
  const steps = await locateSteps(mutation.edits, context);
  return mutation.edits.flatMap((edit, at) => {
    if (!restsOnCommit(edit)) return [];
    const inputs = steps.ok ? inputsOf(steps.value[at] ?? [], context) : notApplied(steps.error);
    const [edits, stays] = typeof inputs === 'string' ? [[], inputs] : [inputs, null];
    return [{ mutation, edit, rewrite: { path: pathOf(at), edits }, stays }];
  });
}

const notApplied = (problem: NotApplied): string =>
  `it does not apply: ${explain({ code: 'not-applied', problem }).reason}`;

/** @returns why not, as a text */
function inputsOf(
  files: readonly TakenFile[],
  { tree, root }: Context,
): readonly EditInput[] | string {
  const base = relative(tree, root).replaceAll(sep, '/');
  const inputs = files.map((file) => editInputOf(file, base));
  const failed = inputs.find((input) => typeof input === 'string');
  return failed ?? inputs.filter((input) => typeof input !== 'string');
}

/** Whether the new text says of every mutation what the old one did, and each edit lands alike. */
async function meansTheSame(
  before: readonly MutationSpec[],
  text: string,
  spec: string,
  context: Context,
): Promise<boolean> {
  const { mutations: after, faults } = readSpecFile(makeSource(spec, text), context);
  if (faults.length > 0 || after.length !== before.length) return false;
  for (const [index, old] of before.entries()) {
    const fresh = after[index];
    if (fresh === undefined || !isDeepStrictEqual(withoutEdits(old), withoutEdits(fresh)))
      return false;
    if (isDeepStrictEqual(withoutPlaces(old.edits), withoutPlaces(fresh.edits))) continue;
    const [there, here] = [
      await locateMutation(old.edits, context),
      await locateMutation(fresh.edits, context),
    ];
    if (!there.ok || !here.ok || !isDeepStrictEqual(byPath(there.value), byPath(here.value)))
      return false;
  }
  return true;
}

const byPath = (files: readonly TakenFile[]): readonly TakenFile[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : 1));

const withoutEdits = (mutation: MutationSpec): unknown => withoutPlaces({ ...mutation, edits: [] });

/** Lines move when others are written above them. */
function withoutPlaces(value: unknown): unknown {
  if (Buffer.isBuffer(value) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPlaces);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'where')
      .map(([key, item]) => [key, withoutPlaces(item)]),
  );
}
