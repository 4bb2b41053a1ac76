/** Some fields of a block mapping in a YAML text, replaced where they stand. */
import { isMap, isScalar, isSeq, Lexer, type ParsedNode, type YAMLMap } from 'yaml';
import { err, ok, type Result } from '../result.js';
import type { Source } from './source.js';
import type { Path } from './written.js';
import { emitItem, type Emittable } from './yaml-emit.js';

/** A part of a text, and what takes its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function spliced(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { start, end, text: fresh } of splices.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + fresh + result.slice(end);
  return result;
}

export interface FieldsRequest {
  readonly source: Source;
  readonly root: ParsedNode;
  /** Of the mapping. */
  readonly path: Path;
  /** Fields that go; at least one is there. */
  readonly own: ReadonlySet<string>;
  /** What stands in the place of the first of them. */
  readonly fields: Emittable;
  /** Further entries behind it, where the mapping is one of a list. */
  readonly more: readonly Emittable[];
  /** A comment for the fields that went, by their keys. */
  readonly comment: (keys: readonly string[]) => string;
}

/**
 * Other fields of a mapping in the place of some: written below each other, with the comments
 * that stood on the lines of those that went.
 *
 * @returns why that cannot be done, as the end of a sentence about the mapping
 */
export function replaceFields(request: FieldsRequest): Result<readonly Splice[], string> {
  const { source, more } = request;
  const map = mapAt(request.root, request.path);
  if (map === null) return err('it is not found in the file');
  if (map.flow === true)
    return err('it stands in braces; write its fields below each other, a line for each');
  const { text } = source;
  const own = map.items.filter(({ key }) => isScalar(key) && request.own.has(String(key.value)));
  const spans = own.map(({ key, value }) => spanIn(text, key, value));
  const [first, ...others] = spans;
  if (first === undefined) return err('it is not found in the file');
  if (spans.some((span, index) => !isAlone(text, span, index > 0)))
    return err('something else stands on its line; write its fields below each other');
  const column = first.start - first.lineStart;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const comments = [
    ...spans.flatMap(({ start, lineEnd }) => commentsIn(text.slice(start, lineEnd))),
    request.comment(own.map(({ key }) => String(key))),
  ];
  const lines = (block: string): string => block.replaceAll('\n', lineBreak);
  const isLast = first.lineEnd === text.length;
  const block = withComments(blockAt(request.fields, column), comments);
  const splices: Splice[] = [
    {
      start: first.start,
      end: first.lineEnd,
      text: lines(isLast ? block : block.replace(/\n$/, '')),
    },
    ...others.map(({ lineStart, lineEnd }) => ({
      start: lineStart,
      end: afterBreak(text, lineEnd),
      text: '',
    })),
  ];
  if (more.length === 0) return ok(splices);
  const [head = first.start] = map.items[0]?.key.range ?? [];
  const dash = text.lastIndexOf('-', head - 1);
  const indent = text.slice(text.lastIndexOf('\n', dash) + 1, dash);
  if (indent.trim() !== '') return err('its list is written in an unusual way');
  const end = lineEndAfter(text, lastEnd(map));
  const items = more.map((edit) => emitItem(edit, indent)).join('');
  const glue = end === text.length && end !== first.lineEnd ? lineBreak : '';
  splices.push({
    start: afterBreak(text, end),
    end: afterBreak(text, end),
    text: glue + lines(items),
  });
  return ok(splices);
}

function mapAt(root: ParsedNode, path: Path): YAMLMap.Parsed | null {
  let here: ParsedNode | null | undefined = root;
  for (const step of path) {
    if (isSeq(here)) here = here.items[Number(step)];
    else if (isMap(here))
      here = here.items.find(({ key }) => isScalar(key) && key.value === step)?.value;
    else return null;
  }
  return isMap(here) ? here : null;
}

interface PairSpan {
  readonly start: number;
  readonly lineStart: number;
  /** Before the line break after its last line. */
  readonly lineEnd: number;
  /** After the last character that belongs to it. */
  readonly end: number;
}

function spanIn(text: string, key: ParsedNode, value: ParsedNode | null): PairSpan {
  const [start] = key.range;
  const end = text.slice(0, lastEnd(value ?? key)).trimEnd().length;
  return {
    start,
    lineStart: text.lastIndexOf('\n', start - 1) + 1,
    lineEnd: lineEndAfter(text, end),
    end,
  };
}

/** Where a node ends, without the comments and blank lines that the parser counts to it. */
function lastEnd(node: ParsedNode): number {
  if ((!isMap(node) && !isSeq(node)) || node.flow === true) return node.range[1];
  const last = node.items.at(-1);
  if (last === undefined) return node.range[1];
  if ('range' in last) return lastEnd(last);
  return lastEnd(last.value ?? last.key);
}

function lineEndAfter(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function afterBreak(text: string, lineEnd: number): number {
  const at = text.indexOf('\n', lineEnd);
  return at === -1 ? text.length : at + 1;
}

/** Nothing but blanks, and before the first field of an entry its dash, shares its lines. */
function isAlone(
  text: string,
  { start, lineStart, end, lineEnd }: PairSpan,
  isLater: boolean,
): boolean {
  const before = text.slice(lineStart, start);
  return (
    (isLater ? /^ *$/ : /^(?: *- +)* *$/).test(before) &&
    /^[ \t]*(?:[ \t]#.*)?$/.test(text.slice(end, lineEnd))
  );
}

const blockAt = (value: Emittable, column: number): string =>
  emitItem(value, ' '.repeat(Math.max(0, column - 2))).slice(Math.max(2, column));

/** After the first line, which may stand behind a dash, where no comment can go before it. */
function withComments(block: string, comments: readonly string[]): string {
  const at = block.indexOf('\n') + 1;
  const indent = /^ */.exec(block.slice(at))?.[0] ?? '';
  return (
    block.slice(0, at) +
    comments.map((comment) => `${indent}${comment}\n`).join('') +
    block.slice(at)
  );
}

const commentsIn = (text: string): readonly string[] =>
  [...new Lexer().lex(text)]
    .filter((token) => token.startsWith('#'))
    .map((token) => token.trimEnd());
