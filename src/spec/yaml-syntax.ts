/** YAML text to its syntax tree, or to its syntax errors in words that lead on. */
import type { Document, ParsedNode, YAMLError } from 'yaml';
import { err, ok, type Result } from '../result.js';
import type { Diagnostic } from './model.js';
import { diagnose, lineText, type Source, whereOf } from './source.js';
import { parseDocuments } from './yaml-documents.js';
import { quoteYaml } from './yaml-quote.js';

/** The parser takes seconds for some ten thousand brackets, and nothing here needs ten. */
const TOO_DEEP = /(?:[[{][ \t\r\n]*){100}/;
const NESTED = 'the file is nested too deeply';

/**
 * Parses one YAML document, whose scalars are all text.
 *
 * @returns the tree; null where the file holds nothing
 */
export function parseYaml(source: Source): Result<ParsedNode | null, readonly Diagnostic[]> {
  const deep = TOO_DEEP.exec(source.text);
  if (deep !== null) {
    const start = deep.index;
    return err([diagnose(source, { start, end: start + deep[0].length }, NESTED)]);
  }
  let documents: readonly Document.Parsed[];
  try {
    documents = parseDocuments(source.text);
  } catch (error) {
    // The parser recurses, so lists nested some thousand levels deep exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return err([diagnose(source, { start: 0, end: 1 }, NESTED)]);
  }
  const [first, second] = documents;
  if (first === undefined) return ok(null);
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) return err(onePerLine(source, errors));
  if (second !== undefined) {
    const start = source.text.lastIndexOf('---', second.range[0]);
    const at = start === -1 ? second.range[0] : start;
    return err([
      diagnose(
        source,
        { start: at, end: at + 3 },
        'a second YAML document starts here',
        'Only one document is read from a file: put the rest into a file of its own.',
      ),
    ]);
  }
  return ok(first.contents);
}

/** The parser reports what follows from an error as further errors: the first of a line stands. */
function onePerLine(source: Source, errors: readonly YAMLError[]): readonly Diagnostic[] {
  const byLine = new Map<number, Diagnostic>();
  for (const error of errors.toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const diagnostic = explain(source, error);
    if (!byLine.has(diagnostic.where.line)) byLine.set(diagnostic.where.line, diagnostic);
  }
  return [...byLine.values()];
}

function explain(source: Source, error: YAMLError): Diagnostic {
  const span = { start: error.pos[0], end: error.pos[1] };
  const message = messageOf(error);
  if (error.code === 'TAB_AS_INDENT') return diagnose(source, span, message, 'Indent with blanks.');
  return diagnose(source, span, message, quotingHint(source, error));
}

/** Wording of ours, by the start of the parser's code and message, where its own does not lead on. */
const WORDING: readonly (readonly [code: string, start: string, ours: string])[] = [
  ['BLOCK_AS_IMPLICIT_KEY', '', 'YAML reads a second key in this value, because of a `:` in it'],
  ['MULTILINE_IMPLICIT_KEY', '', 'YAML reads a second key in this value, because of a `:` in it'],
  ['BAD_SCALAR_START', '', 'YAML does not let an unquoted text start with this character'],
  ['TAB_AS_INDENT', '', 'a tab cannot indent YAML'],
  ['MISSING_CHAR', 'Missing , or :', 'YAML reads a bracket inside a list as a list of its own'],
  ['MISSING_CHAR', 'Missing closing', 'a quote is opened and not closed'],
  ['UNEXPECTED_TOKEN', 'Unexpected scalar at', 'YAML reads the value as ended before this'],
];

function messageOf(error: YAMLError): string {
  const ours = WORDING.find(
    ([code, start]) => code === error.code && error.message.startsWith(start),
  );
  return ours?.[2] ?? `YAML: ${decapitalise(error.message)}`;
}

const decapitalise = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

const KEY_AND_VALUE = /^(\s*(?:- +)*(?:[\w-]+:|-)[ \t]+)(\S.*?)\s*$/u;

/** `find: "…"`, where quoting the rest of the line is the way out. */
function quotingHint(source: Source, error: YAMLError): string | null {
  const where = whereOf(source, error.pos[0]);
  const match = KEY_AND_VALUE.exec(lineText(source, where.line));
  const [, key, value] = match ?? [];
  if (key === undefined || value === undefined || where.col <= key.length) return null;
  if (/^[|>]/.test(value)) return 'To start a text with this character, put it in double quotes.';
  const list = /^\[(.*)\]$/.exec(value);
  if (list !== null) return 'Put every text of the list in double quotes.';
  const open = unclosed(value);
  if (open !== null) {
    // A comment, or a backslash before the quote, leaves open where the text is meant to end.
    return / #|\\$/.test(value)
      ? 'Close the quote at the end of the text.'
      : `Close the quote: ${key.trim()} ${value}${open}`;
  }
  const bare = /^(["'])(.*)\1/u.exec(value) === null ? value : null;
  return bare === null
    ? 'Put the whole text in one pair of quotes, or write it as a block under `|`.'
    : `Quote the text: ${key.trim()} ${quoteYaml(bare)}`;
}

/** The quote that a value begins with and has no second time; null: it begins with none, or has. */
function unclosed(value: string): string | null {
  const quote = /^["']/.exec(value)?.[0] ?? null;
  return quote === null || value.includes(quote, 1) ? null : quote;
}
