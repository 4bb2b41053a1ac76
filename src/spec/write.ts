/** Saving a mutation in a spec file, whose comments, order and quoting stay as they are. */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { err, ok, type Result } from '../result.js';
import type { Diagnostic } from './model.js';
import { fileDiagnostic, makeSource } from './source.js';
import { type MutationInput, mutationSchema, specSchema } from './spec-schema.js';
import { valueAt } from './written.js';
import { emitItem } from './yaml-emit.js';
import { readYaml } from './yaml-read.js';
import { parseYaml } from './yaml-syntax.js';

export interface SpecToWrite {
  /** Names the file in diagnostics. */
  readonly file: string;
  /** The text that is there now; null: the file is new. */
  readonly existing: string | null;
  readonly mutation: MutationInput;
}

/** What cannot stand in a spec, whatever is written there. */
export const notHeld = (file: string, id: string, why: string): Diagnostic =>
  fileDiagnostic(file, `a spec cannot hold \`${id}\`: ${why}`);

/**
 * The text of a spec file with one more mutation at its end. Every text of the mutation is
 * quoted, or a block under `|`. The result is read back before it is returned.
 * @returns diagnostics where the file that is there now cannot be read, or has that id already,
 *   or where no spec can hold the mutation
 */
export function writeSpec(request: SpecToWrite): Result<string, readonly Diagnostic[]> {
  const { file } = request;
  const checked = mutationSchema.safeParse(request.mutation);
  if (!checked.success)
    return err(
      checked.error.issues.map(({ path, message }) =>
        notHeld(file, request.mutation.id, `${path.join('.')}: ${message}`),
      ),
    );
  const mutation = withoutUndefined(checked.data);
  const whole = request.existing ?? '';
  const mark = whole.startsWith('\ufeff') ? '\ufeff' : '';
  const existing = whole.slice(mark.length);

  const source = makeSource(file, existing);
  const parsed = parseYaml(source);
  if (!parsed.ok) return err(parsed.error);
  const root = parsed.value;
  if (root !== null && !isMap(root))
    return err([fileDiagnostic(file, 'the file is no spec: it holds no mapping')]);

  const before = mutationsIn(file, existing);
  const taken = before.some((other) => valueAt(other, ['id']) === mutation.id);
  if (taken)
    return err([
      fileDiagnostic(file, `the id \`${mutation.id}\` is taken in this file`, 'Choose another id.'),
    ]);

  const list = root?.get('mutations', true);
  let text: string;
  if (root === null) text = newFile(existing, mutation);
  else if (isSeq(list) && list.flow !== true && list.items.length > 0)
    text = appendToBlock(existing, list, mutation);
  else text = viaDocument(existing, mutation).replaceAll('\n', lineBreakOf(existing));

  // A file that would be read as something else than was asked for must never be written.
  if (!isDeepStrictEqual(mutationsIn(file, text), [...before, mutation]))
    throw new Error(`Internal error: ${file} would not read back as it was written`);
  return ok(mark + text);
}

const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** A key that is undefined is not written, so it must not count when the result is compared. */
const withoutUndefined = (mutation: MutationInput): MutationInput =>
  mutationSchema.parse(JSON.parse(JSON.stringify(mutation)));

function mutationsIn(file: string, text: string): readonly unknown[] {
  const read = readYaml(makeSource(file, text), specSchema);
  const list = read.ok ? valueAt(read.value.value, ['mutations']) : null;
  return Array.isArray(list) ? list : [];
}

function newFile(comments: string, mutation: MutationInput): string {
  const head = comments.trim() === '' ? '' : `${comments.trimEnd()}\n`;
  return `${head}version: 1\nmutations:\n${emitItem(mutation, '  ')}`;
}

function appendToBlock(existing: string, list: YAMLSeq, mutation: MutationInput): string {
  const [start = 0, end = existing.length] = list.range ?? [];
  const indent = existing.slice(existing.lastIndexOf('\n', start - 1) + 1, start);
  const head = existing.slice(0, end);
  const lineBreak = lineBreakOf(existing);
  const item = emitItem(mutation, indent).replaceAll('\n', lineBreak);
  const glue = head.endsWith('\n') ? '' : lineBreak;
  const isSpaced = /\n[ \t]*\r?\n[ \t]*(?:#[^\n]*\n[ \t]*)*- /.test(existing.slice(start, end));
  const blank = isSpaced && !/\n[ \t]*\r?\n$/.test(head + glue) ? lineBreak : '';
  return `${head}${glue}${blank}${item}${existing.slice(end)}`;
}

/** A list in brackets, an empty one, or none yet: written anew, with the comments kept. */
function viaDocument(existing: string, mutation: MutationInput): string {
  const document = parseDocument(existing, { schema: 'failsafe', version: '1.2' });
  const placeholder = 'counterproof-new-entry';
  const list = document.get('mutations', true);
  if (isSeq(list)) {
    list.flow = false;
    list.add(document.createNode(placeholder));
  } else document.set('mutations', document.createNode([placeholder]));
  if (isMap(document.contents)) document.contents.flow = false;
  const text = document.toString({ lineWidth: 0 });
  const at = text.lastIndexOf(placeholder);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const indent = text.slice(lineStart, at).replace(/- $/, '');
  const rest = text.slice(at + placeholder.length).replace(/^\n/, '');
  return text.slice(0, lineStart) + emitItem(mutation, indent) + rest;
}
