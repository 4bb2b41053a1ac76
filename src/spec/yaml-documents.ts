/** The parser's own trees, of a whole text or, where it is long, put together from pieces of it. */
import { Composer, type Document, isMap, isScalar, isSeq, Parser, type YAMLSeq } from 'yaml';
import { append } from '../lists.js';
import { cutList, type Piece, withoutList } from './yaml-pieces.js';

/** In UTF-16 units. What pieces of 32 KiB leave behind outlives the collector's young generation. */
const PIECE = 2 ** 13;
/** A text of fewer pieces is parsed whole: it costs next to nothing. */
const FEW = 8;

/**
 * The documents of a text. A long one is parsed piece by piece where that gives the same
 * tree, with the same ranges. Comments may then be missing from it, and the document's own range
 * may end before its list.
 *
 * @param size of a piece
 * @throws RangeError where lists are nested some thousand levels deep
 */
export function parseDocuments(text: string, size = PIECE): readonly Document.Parsed[] {
  const pieces = text.length > FEW * size ? cutList(text, size) : null;
  const whole = pieces === null ? null : fromPieces(text, pieces);
  return whole === null ? parsed(text, 0) : [whole];
}

/** null: something is not as it was thought to be, or has an error, which the whole text will tell. */
function fromPieces(text: string, pieces: readonly Piece[]): Document.Parsed | null {
  const document = onlyOne(parsed(withoutList(text, pieces), 0));
  const root = document?.contents ?? null;
  if (document === null || !isMap(root) || root.flow === true) return null;
  const list = root.items.find(({ key }) => isScalar(key) && key.value === 'mutations');
  if (list === undefined || !isScalar(list.value) || list.value.source !== '') return null;
  let all: YAMLSeq.Parsed | null = null;
  for (const piece of pieces) {
    const part = onlyOne(parsed(text.slice(piece.from, piece.to), piece.from))?.contents ?? null;
    if (!isSeq(part) || part.flow === true || part.items.length !== piece.items) return null;
    all = all === null ? part : joined(all, part);
  }
  if (all === null) return null;
  list.value = all;
  if (list === root.items.at(-1)) {
    const [, end, nodeEnd] = all.range;
    root.range = [root.range[0], end, nodeEnd];
  }
  return document;
}

/** The first list with the items of the second, which follows it. */
function joined(first: YAMLSeq.Parsed, second: YAMLSeq.Parsed): YAMLSeq.Parsed {
  const [, end, nodeEnd] = second.range;
  append(first.items, second.items);
  first.range = [first.range[0], end, nodeEnd];
  return first;
}

const onlyOne = ([first, ...others]: readonly Document.Parsed[]): Document.Parsed | null =>
  first === undefined || others.length > 0 || first.errors.length > 0 ? null : first;

/**
 * Every scalar stays text ("failsafe"): what is a number or a boolean is decided later, by the
 * schema of its place.
 *
 * @param from where the text begins in the one that the nodes' ranges are of
 */
function parsed(text: string, from: number): readonly Document.Parsed[] {
  const parser = new Parser();
  parser.offset = from;
  const composer = new Composer({
    schema: 'failsafe',
    version: '1.2',
    // The reader names both places of a key that stands twice, so it looks itself.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return [...composer.compose(parser.parse(text))];
}
