/** What is done in the languages whose source can be read: one object for each. */
import type { SgNode } from '@ast-grep/napi';
import type { Result } from '../result.js';
import { sourceLanguage, type SourceLanguage } from '../spec/source-language.js';
import type { NotApplied } from './edit.js';
import type { Lines } from './lines.js';
import { PYTHON_RAISE, PYTHON_REACH, raiseInPython } from './python-raise.js';
import { continuesPython, dottedName, isDefinition, pathToLine } from './python-scope.js';
import { removeFromPython } from './python-statement.js';
import { parsePython } from './python-tree.js';
import { raiseInRust, RUST_RAISE, RUST_REACH } from './rust-raise.js';
import { continuesRust, isRustDefinition, pathToRustLine, rustScope } from './rust-scope.js';
import { removeFromRust } from './rust-statement.js';
import { parseRust } from './rust-tree.js';
import type { SourceTree } from './source-tree.js';

export interface Language {
  readonly name: 'Python' | 'Rust';
  /** null where the bytes cannot be read safely. */
  parse(bytes: Buffer): SourceTree | null;
  /**
   * The nodes around a line's first character, outermost first. What belongs to a definition and
   * stands above it (a decorator, an attribute) counts as its head.
   */
  pathToLine(tree: SourceTree, lines: Lines, index: number): readonly SgNode[];
  isDefinition(node: SgNode): boolean;
  /** The name of the innermost definition of a path of nodes, with those around it; null: there is none. */
  scopeOf(tree: SourceTree, bytes: Buffer, path: readonly SgNode[]): string | null;
  /**
   * Puts a statement that fails first into the body of the innermost function that holds a line.
   * No other byte changes.
   *
   * @param index 0-based line: of what stands above the function, its signature or its body.
   * @param purpose `reach`: it also says which test got there.
   * @returns why not, as a whole clause: `line 3 is at class level`.
   */
  raiseAtLine(lines: Lines, index: number, purpose: 'raise' | 'reach'): Result<Buffer, string>;
  /** Removes the statements that stand on lines `from` to `to` (1-based, inclusive). */
  removeStatement(
    bytes: Buffer,
    path: string,
    from: number,
    to: number,
  ): Result<Buffer, NotApplied>;
  /** Whether a line goes on with what an earlier one, not before line `since`, began. */
  continues(tree: SourceTree, lines: Lines, index: number, since: number): boolean;
}

const PYTHON: Language = {
  name: 'Python',
  parse: parsePython,
  pathToLine,
  isDefinition,
  scopeOf: dottedName,
  raiseAtLine: (lines, index, purpose) =>
    raiseInPython(lines, index, purpose === 'raise' ? PYTHON_RAISE : PYTHON_REACH),
  removeStatement: removeFromPython,
  continues: continuesPython,
};

const RUST: Language = {
  name: 'Rust',
  parse: parseRust,
  pathToLine: pathToRustLine,
  isDefinition: isRustDefinition,
  scopeOf: rustScope,
  raiseAtLine: (lines, index, purpose) =>
    raiseInRust(lines, index, purpose === 'raise' ? RUST_RAISE : RUST_REACH),
  removeStatement: removeFromRust,
  continues: continuesRust,
};

/** The language of a file, by its name; null: none whose source can be read. */
export function languageOf(path: string): Language | null {
  const language = sourceLanguage(path);
  return language === null ? null : LANGUAGES[language];
}

const LANGUAGES: { readonly [L in SourceLanguage]: Language } = { python: PYTHON, rust: RUST };
