/** What YAML has and these formats have not, and what stands where something else was meant. */
import { isAlias, isMap, isScalar, type ParsedNode } from 'yaml';
import type { Diagnostic } from './model.js';
import type { Shape } from './shape.js';
import { diagnose, type Source, whereOf } from './source.js';
import { spanOfNode } from './yaml-place.js';
import { quoteYaml } from './yaml-quote.js';

/** An alias, an anchor, a tag, a merge key: where they stand, a text was mostly meant. */
export function refusedSyntax(source: Source, node: ParsedNode): Diagnostic | null {
  const [start, end] = node.range;
  const written = source.text.slice(start, end);
  if (isAlias(node))
    return diagnose(
      source,
      spanOfNode(node),
      `YAML reads \`${written}\` as an alias, which is not supported`,
      `If it is a text: ${quoteYaml(restOfLine(source, start))}`,
    );
  if (node.anchor !== undefined) return properties(source, node, `&${node.anchor}`, 'an anchor');
  if (node.tag !== undefined) {
    const tag = node.tag.replace(/^tag:yaml\.org,2002:/, '!!');
    return properties(source, node, tag, 'a tag');
  }
  if (isScalar(node) && node.value === '<<' && isKey(source, end))
    return diagnose(
      source,
      spanOfNode(node),
      'merge keys are not supported',
      'Write the fields out.',
    );
  return null;
}

const isKey = (source: Source, end: number): boolean =>
  /^[ \t]*:/.test(source.text.slice(end, end + 20));

/** Anchors and tags stand before their node, on the same line or on one above. */
function properties(source: Source, node: ParsedNode, written: string, what: string): Diagnostic {
  const before = source.text.slice(0, node.range[0]);
  const at = before.lastIndexOf(written);
  // A tag that YAML expands is not found as it is: its last `!` is.
  const start = at === -1 ? Math.max(0, before.lastIndexOf('!')) : at;
  const line = restOfLine(source, start);
  const word = /^\S+/u.exec(line)?.[0] ?? written;
  return diagnose(
    source,
    { start, end: start + word.length },
    `YAML reads \`${word}\` as ${what}, which is not supported`,
    isMap(node) ? 'Remove it.' : `If it is a text: ${quoteYaml(line)}`,
  );
}

function restOfLine(source: Source, start: number): string {
  const lineEnd = source.text.indexOf('\n', start);
  return source.text.slice(start, lineEnd === -1 ? undefined : lineEnd).trim();
}

/** A mapping or list in a place where a text was meant. */
export function notText(source: Source, node: ParsedNode, what: 'mapping' | 'list'): Diagnostic {
  const [start, end] = node.range;
  const written = source.text.slice(start, end).trimEnd();
  const span = { start, end: start + written.length };
  const isLine = !written.includes('\n') && written !== '' && written !== '[]' && written !== '{}';
  if (!isLine) return diagnose(source, span, `expected a text, found a ${what}`);
  const cause =
    what === 'list' ? 'its brackets' : written.startsWith('{') ? 'its braces' : 'the `:`';
  return diagnose(
    source,
    span,
    `YAML reads this as a ${what}, because of ${cause}`,
    `Quote the text: ${quoteYaml(written)}`,
  );
}

/** Nothing stands behind a key whose value is a text. */
export function emptyText(source: Source, node: ParsedNode, shape: Shape): Diagnostic {
  const before = source.text.slice(0, node.range[0]).trimEnd();
  const start = Math.max(before.length - 1, 0);
  return diagnose(
    source,
    { start, end: start + 1 },
    'no text stands here',
    shape.text === 'code'
      ? 'Write "" where the empty text is meant.'
      : 'Write the text, or remove the line.',
  );
}

export function duplicateKey(
  source: Source,
  key: string,
  node: ParsedNode,
  first: ParsedNode,
): Diagnostic {
  const { line } = whereOf(source, first.range[0]);
  return diagnose(
    source,
    spanOfNode(node),
    `\`${key}\` stands here a second time`,
    `The first one is on line ${line}.`,
  );
}
