/** Python source as a tree. */
import type { SgNode } from '@ast-grep/napi';
import { bomLength, isGuess, kindIs, parseText, type SourceTree } from './source-tree.js';

/**
 * Multi-byte encodings in which a byte below 0x80 can be the second half of a character: a
 * backslash or quote found in such a file may be none.
 */
const UNSAFE_CODING =
  /^(shift|sjis|s-jis|ms_?kanji|cp932|932|ms932|big5|cp950|950|gbk|gb18030|cp936|936|ms936|johab|cp949|949|uhc|hz|iso-?2022|utf-?(7|16|32))/i;
const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;

/** Whether every byte below 0x80 stands for itself, as the parser below takes for granted. */
function isAsciiBased(bytes: Buffer): boolean {
  const head = bytes
    .subarray(0, 400)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r?\n/);
  return !head.slice(0, 2).some((line) => UNSAFE_CODING.test(CODING.exec(line)?.[1] ?? ''));
}

/**
 * Parses Python source of any ASCII-based encoding. Every other byte becomes the letter `ª`,
 * one UTF-16 unit and good in names: so the parser's positions, which count UTF-16 units, are
 * byte offsets, in UTF-8, latin-1 and broken files alike. Names must be read from the bytes.
 *
 * @returns null where the file declares an encoding that is not ASCII-based.
 */
export function parsePython(bytes: Buffer): SourceTree | null {
  if (!isAsciiBased(bytes)) return null;
  const shift = bomLength(bytes);
  const text = bytes.toString('latin1', shift).replace(/[\x80-\xff]/g, '\xaa');
  return parseText('python', { text, byteOf: (unit) => unit + shift });
}

const COMPOUND = new Set([
  'if_statement',
  'for_statement',
  'while_statement',
  'with_statement',
  'try_statement',
  'match_statement',
  'function_definition',
  'class_definition',
  'decorated_definition',
]);

const CLAUSES = new Set([
  'elif_clause',
  'else_clause',
  'except_clause',
  'except_group_clause',
  'finally_clause',
  'case_clause',
]);

export const isCompound = (node: SgNode): boolean => COMPOUND.has(String(node.kind()));

export const isClause = (node: SgNode): boolean => CLAUSES.has(String(node.kind()));

/** The statements of a module, block or `match` body, comments and separators left out. */
export const statementsOf = (block: SgNode): readonly SgNode[] =>
  block
    .children()
    .filter(
      (child) => child.isNamed() && !/^(comment|line_continuation)$/.test(String(child.kind())),
    );

/** The body of a function, class or clause. */
export const bodyOf = (node: SgNode): SgNode | null =>
  node.children().findLast((child) => String(child.kind()) === 'block') ?? null;

/**
 * Whether the parser guessed in what comes before a body: a signature, a condition.
 */
export const hasBrokenHead = (tree: SourceTree, node: SgNode): boolean =>
  node
    .children()
    .filter((child) => !kindIs(child, 'block') && !isClause(child) && !isCompound(child))
    .some((child) => isGuess(tree, child));

/** A string that stands alone at the head of a body: removing or preceding it changes `__doc__`. */
export function isDocstring(tree: SourceTree, bytes: Buffer, statement: SgNode): boolean {
  if (!kindIs(statement, 'expression_statement')) return false;
  const [only, ...rest] = statement.namedChildren();
  if (only === undefined || rest.length > 0) return false;
  if (!kindIs(only, 'string') && !kindIs(only, 'concatenated_string')) return false;
  const parts = kindIs(only, 'string') ? [only] : only.namedChildren();
  return parts.every((part) => {
    const { start } = tree.span(part);
    const prefix = /^[a-z]*/i.exec(bytes.toString('latin1', start, start + 3))?.[0] ?? '';
    return !/[bft]/i.test(prefix);
  });
}
