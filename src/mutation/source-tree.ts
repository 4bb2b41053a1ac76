/** Source as a tree, by ast-grep, with positions that are byte offsets. */
import python from '@ast-grep/lang-python';
import rust from '@ast-grep/lang-rust';
import { parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi';
import type { SourceLanguage } from '../spec/source-language.js';

let registered = false;

/** A byte range of the source. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SourceTree {
  readonly root: SgNode;
  readonly span: (node: SgNode) => Span;
  /** How many places the parser could not make sense of. */
  readonly errors: number;
}

/** A text whose positions, in UTF-16 units, can be turned into offsets of the bytes it stands for. */
export interface ParserText {
  readonly text: string;
  readonly byteOf: (unit: number) => number;
}

const BOM_LENGTH = 3;

/** Bytes that a byte order mark takes at the head of a file. */
export const bomLength = (bytes: Buffer): number =>
  bytes.toString('latin1', 0, BOM_LENGTH) === '\xef\xbb\xbf' ? BOM_LENGTH : 0;

type Parsed = Pick<SourceTree, 'root' | 'errors'>;

/** Latest last. A mutation is located several times, and its neighbours lie in the same file. */
const latest = new Map<string, Parsed>();
/** A source before an edit, after it, and one more: trees lie outside the heap, and are not small. */
const KEPT = 3;

/** 3,500 lines take 12 ms, so a text that was parsed a moment ago is not parsed again. */
function parsed(language: SourceLanguage, text: string): Parsed {
  if (!registered) {
    registerDynamicLanguage({ python, rust });
    registered = true;
  }
  const key = `${language} ${text}`;
  let tree = latest.get(key);
  latest.delete(key);
  if (tree === undefined) {
    const root = parse(language, text).root();
    tree = { root, errors: root.findAll({ rule: { kind: 'ERROR' } }).length };
  }
  latest.set(key, tree);
  const [oldest] = latest.keys();
  if (latest.size > KEPT && oldest !== undefined) latest.delete(oldest);
  return tree;
}

export function parseText(language: SourceLanguage, { text, byteOf }: ParserText): SourceTree {
  return {
    ...parsed(language, text),
    span: (node) => {
      const range = node.range();
      return { start: byteOf(range.start.index), end: byteOf(range.end.index) };
    },
  };
}

/** The nodes that hold the byte at `offset`, outermost first; the root alone where nothing does. */
export function pathTo(tree: SourceTree, offset: number): readonly SgNode[] {
  const path = [tree.root];
  for (;;) {
    const children = path.at(-1)?.children() ?? [];
    const next = children.find((child) => {
      const { start, end } = tree.span(child);
      return start <= offset && offset < end;
    });
    if (next === undefined) return path;
    path.push(next);
  }
}

export const kindIs = (node: SgNode | null | undefined, kind: string): boolean =>
  node !== null && node !== undefined && String(node.kind()) === kind;

/**
 * Whether the parser guessed: it marks what it skipped as `ERROR`, and what it missed by a
 * token without any text.
 */
export function isGuess(tree: SourceTree, node: SgNode): boolean {
  if (kindIs(node, 'ERROR')) return true;
  const { start, end } = tree.span(node);
  return start === end || node.children().some((child) => isGuess(tree, child));
}
