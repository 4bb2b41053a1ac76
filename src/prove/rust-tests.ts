/** Tests that stand inside a Rust source file: which of its lines are theirs, and what they are called. */
import type { SgNode } from '@ast-grep/napi';
import { displayText, lineAt, splitLines } from '../mutation/lines.js';
import { parseRust } from '../mutation/rust-tree.js';
import { kindIs, type SourceTree } from '../mutation/source-tree.js';
import type { Span } from './fix.js';

export interface RustTest {
  /** `tests::trims`, within its file. */
  readonly name: string;
  readonly lines: Span;
}

export interface RustTests {
  /** Items that are compiled for tests alone. */
  readonly regions: readonly Span[];
  readonly tests: readonly RustTest[];
}

const known = new WeakMap<Buffer, RustTests>();

export function rustTestsIn(bytes: Buffer): RustTests {
  const found = known.get(bytes);
  if (found !== undefined) return found;
  const tree = parseRust(bytes);
  const source: Source = { tree, bytes, lineOf: lineOf(bytes), regions: [], tests: [] };
  walk(source, tree.root, []);
  const result = { regions: source.regions, tests: source.tests };
  known.set(bytes, result);
  return result;
}

export const isTestLine = (bytes: Buffer, line: number): boolean =>
  rustTestsIn(bytes).regions.some(({ from, to }) => line >= from && line < to);

interface Source {
  readonly tree: SourceTree;
  readonly bytes: Buffer;
  readonly lineOf: (offset: number) => number;
  readonly regions: Span[];
  readonly tests: RustTest[];
}

function lineOf(bytes: Buffer): (offset: number) => number {
  const lines = splitLines(bytes);
  return (offset) => lineAt(lines, offset);
}

const textOf = ({ tree, bytes }: Source, node: SgNode): string => {
  const { start, end } = tree.span(node);
  return displayText(bytes.subarray(start, end));
};

/** `cfg(test)`, `cfg(all(test, unix))`; not `cfg(not(test))`. */
const isTestConfig = (attribute: string): boolean =>
  /^#!?\[\s*cfg\s*\(/.test(attribute) &&
  /\btest\b/.test(attribute.replaceAll(/not\s*\(\s*test\s*\)/g, '').replaceAll(/"[^"]*"/g, ''));

/** `#[test]`, `#[tokio::test]`, `#[rstest]`, `#[test_case(1)]`. */
const isTestAttribute = (attribute: string): boolean =>
  /^#\[\s*(?:\w+\s*::\s*)*\w*test\w*\s*(?:[\](]|$)/.test(attribute);

function walk(source: Source, body: SgNode, modules: readonly string[]): void {
  let attributes: SgNode[] = [];
  for (const node of body.children()) {
    if (kindIs(node, 'inner_attribute_item') && isTestConfig(textOf(source, node)))
      source.regions.push(spanOf(source, body, body));
    if (kindIs(node, 'attribute_item')) {
      attributes.push(node);
      continue;
    }
    // Comments may stand between an attribute and its item.
    if (!node.isNamed() || /comment/.test(String(node.kind()))) continue;
    item(source, node, attributes, modules);
    attributes = [];
  }
}

function item(
  source: Source,
  node: SgNode,
  attributes: readonly SgNode[],
  modules: readonly string[],
): void {
  const texts = attributes.map((attribute) => textOf(source, attribute));
  const isTest = kindIs(node, 'function_item') && texts.some(isTestAttribute);
  const span = spanOf(source, attributes[0] ?? node, node);
  if (isTest || texts.some(isTestConfig)) source.regions.push(span);
  const name = node.field('name');
  const inner = name === null ? modules : [...modules, textOf(source, name)];
  if (isTest) source.tests.push({ name: inner.join('::'), lines: span });
  const body = kindIs(node, 'mod_item') ? node.field('body') : null;
  if (body !== null) walk(source, body, inner);
}

function spanOf({ tree, lineOf: line }: Source, first: SgNode, last: SgNode): Span {
  const { end } = tree.span(last);
  return { from: line(tree.span(first).start), to: line(Math.max(0, end - 1)) + 1 };
}

/** Module path of a source file within its crate: `src/decoder/stop.rs` is `decoder::stop`. */
export function modulesOfFile(path: string): readonly string[] {
  const parts = path.split('/');
  const at = parts.lastIndexOf('src');
  const below = at === -1 ? [] : parts.slice(at + 1);
  const stem = (below.at(-1) ?? '').replace(/\.rs$/, '');
  const folders = below.slice(0, -1);
  if (folders[0] === 'bin') return [];
  return ['lib', 'main'].includes(stem) && folders.length === 0
    ? []
    : stem === 'mod'
      ? folders
      : [...folders, stem].filter((part) => part !== '');
}
