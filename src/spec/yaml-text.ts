/** What YAML silently cuts off, joins or misreads in a text: found, and what to write instead. */
import { Scalar } from 'yaml';
import { diagnose, type Source, type Span } from './source.js';
import type { Diagnostic } from './model.js';
import type { Shape } from './shape.js';
import { quoteYaml } from './yaml-quote.js';

interface TextPlace {
  readonly source: Source;
  readonly shape: Shape;
  readonly inFlowList: boolean;
}

/** The fault of a scalar in a place that takes text; null: YAML gave back what was written. */
export function textFault(node: Scalar.Parsed, place: TextPlace): Diagnostic | null {
  const { source, shape } = place;
  const value = String(node.value);
  const span = { start: node.range[0], end: node.range[1] };
  const strict = shape.text === 'code' || shape.text === 'name';
  if (node.type === Scalar.PLAIN && !shape.words.has(value)) {
    const cut = commentAfter(source, span.end);
    if (cut !== null && (strict || !cut.clear)) return cutFault(source, span, value, cut);
    if (strict && place.inFlowList && !isBalanced(value))
      return diagnose(
        source,
        span,
        'YAML ends the text at the comma, with a bracket still open',
        'Put the whole text, with its comma, in double quotes.',
      );
  }
  if (strict && isJoined(node, source))
    return diagnose(
      source,
      { start: span.start, end: span.start + 1 },
      'YAML joins the lines of this text with blanks',
      'Write it as a block under `|`, which keeps its lines, or on one line in double quotes with \\n.',
    );
  return null;
}

interface Comment {
  readonly span: Span;
  /** Blanks before it and the mark. */
  readonly lead: string;
  /** Two blanks before it and one after: nobody means that as a part of the text. */
  readonly clear: boolean;
}

function commentAfter(source: Source, end: number): Comment | null {
  const lineEnd = source.text.indexOf('\n', end);
  const rest = source.text.slice(end, lineEnd === -1 ? undefined : lineEnd).trimEnd();
  const match = /^([ \t]+)#(.?)/u.exec(rest);
  if (match === null) return null;
  const [lead, blanks = '', next = ''] = match;
  return {
    span: { start: end + blanks.length, end: end + rest.length },
    lead,
    clear: blanks.length >= 2 && (next === ' ' || next === ''),
  };
}

function cutFault(source: Source, span: Span, value: string, cut: Comment): Diagnostic {
  const whole = source.text.slice(span.start, cut.span.end);
  return diagnose(
    source,
    cut.span,
    'YAML takes this for a comment, and cuts it off the text before it',
    `If it belongs to the text: ${quoteYaml(whole)}\nIf it is a comment: put it on a line of its own, or quote the text: ${quoteYaml(value)}`,
  );
}

/** A text over several lines whose line breaks YAML folds into blanks. */
function isJoined(node: Scalar.Parsed, source: Source): boolean {
  if (node.type === Scalar.BLOCK_FOLDED) return true;
  if (node.type === Scalar.BLOCK_LITERAL) return false;
  return source.text.slice(node.range[0], node.range[1]).includes('\n');
}

const CLOSER: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const character of text) {
    const closer = CLOSER[character];
    if (closer !== undefined) open.push(closer);
    else if (Object.values(CLOSER).includes(character) && open.pop() !== character) return false;
  }
  return open.length === 0;
}
