/** JSON as `JSON.stringify(value, null, 2)` gives it, without ever holding all of its text. */

/** In UTF-16 units. Each piece is a write. */
const PIECE = 2 ** 16;

/** Pieces of the text of a mapping, cut after entries of the lists in it; ends with a line break. */
export function* jsonPieces(mapping: object, size = PIECE): Generator<string> {
  let text = '';
  for (const part of partsOf(mapping)) {
    text += part;
    if (text.length < size) continue;
    yield text;
    text = '';
  }
  yield `${text}\n`;
}

function* partsOf(mapping: object): Generator<string> {
  const entries = Object.entries(mapping).filter(([, value]) => value !== undefined);
  if (entries.length === 0) yield '{';
  for (const [index, [key, value]] of entries.entries()) {
    yield `${index === 0 ? '{' : ','}\n  ${JSON.stringify(key)}: `;
    if (Array.isArray(value)) yield* partsOfList(value);
    else yield jsonAt(value, '  ');
  }
  yield entries.length === 0 ? '}' : '\n}';
}

function* partsOfList(list: readonly unknown[]): Generator<string> {
  if (list.length === 0) yield '[';
  for (const [index, value] of list.entries())
    yield `${index === 0 ? '[' : ','}\n    ${jsonAt(value ?? null, '    ')}`;
  yield list.length === 0 ? ']' : '\n  ]';
}

/** No text in JSON has a line break of its own. */
const jsonAt = (value: unknown, indent: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
