/** Tests that stand inside a Rust source file: which of its lines are theirs, and what they are called. */
import type { SgNode } from '@ast-grep/napi';
import { displayText, lineAt, splitLines } from '../mutation/lines.js';
import { parseRust } from '../mutation/rust-tree.js';
import { kindIs, type SourceTree } from '../mutation/source-tree.js';
import type { Span } from '../mutation/file-change.js';

export interface RustTest {
  /** `tests::trims`, within its file. */
  readonly name: string;
  readonly lines: Span;
}

/** `mod stop;`, whose content stands in another file. */
export interface RustModule {
  readonly name: string;
  /** Modules of this file that it stands in, outermost first. */
  readonly inside: readonly RustFolder[];
  /** What `#[path]` says; null: the file is where its name says. */
  readonly path: string | null;
  /** The path is under a condition: it may as well be where its name says. */
  readonly isConditional: boolean;
  /** Declared for tests alone. */
  readonly isTest: boolean;
}

/** A module with a body, as a folder of the modules in it. */
export type RustFolder = Pick<RustModule, 'name' | 'path'>;

export interface RustTests {
  /** Items that are compiled for tests alone. */
  readonly regions: readonly Span[];
  readonly tests: readonly RustTest[];
  readonly modules: readonly RustModule[];
}

const known = new WeakMap<Buffer, RustTests>();

export function rustTestsIn(bytes: Buffer): RustTests {
  const found = known.get(bytes);
  if (found !== undefined) return found;
  const tree = parseRust(bytes);
  const source: Source = {
    tree,
    bytes,
    lineOf: lineOf(bytes),
    regions: [],
    tests: [],
    modules: [],
  };
  walk(source, tree.root, []);
  const result = { regions: source.regions, tests: source.tests, modules: source.modules };
  known.set(bytes, result);
  return result;
}

interface Source {
  readonly tree: SourceTree;
  readonly bytes: Buffer;
  readonly lineOf: (offset: number) => number;
  readonly regions: Span[];
  readonly tests: RustTest[];
  readonly modules: RustModule[];
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

/** `#[path = "other.rs"]`, `#[cfg_attr(unix, path = "unix.rs")]`. */
function pathIn(attributes: readonly string[]): Pick<RustModule, 'path' | 'isConditional'> {
  for (const text of attributes) {
    const { condition, path } =
      /^#\[\s*(?<condition>cfg_attr\b.*,\s*)?path\s*=\s*r?#*"(?<path>[^"]*)"/s.exec(text)?.groups ??
      {};
    if (path !== undefined) return { path, isConditional: condition !== undefined };
  }
  return { path: null, isConditional: false };
}

function walk(source: Source, body: SgNode, inside: readonly RustFolder[]): void {
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
    item(source, node, attributes, inside);
    attributes = [];
  }
}

function item(
  source: Source,
  node: SgNode,
  attributes: readonly SgNode[],
  inside: readonly RustFolder[],
): void {
  const texts = attributes.map((attribute) => textOf(source, attribute));
  const isTest = kindIs(node, 'function_item') && texts.some(isTestAttribute);
  const span = spanOf(source, attributes[0] ?? node, node);
  if (isTest || texts.some(isTestConfig)) source.regions.push(span);
  const field = node.field('name');
  if (field === null) return;
  const name = textOf(source, field);
  if (isTest)
    source.tests.push({ name: [...inside.map((each) => each.name), name].join('::'), lines: span });
  if (!kindIs(node, 'mod_item')) return;
  const body = node.field('body');
  const path = pathIn(texts);
  if (body === null)
    source.modules.push({ name, inside, ...path, isTest: isIn(source.regions, span) });
  else walk(source, body, [...inside, { name, path: path.path }]);
}

const isIn = (regions: readonly Span[], { from }: Span): boolean =>
  regions.some((region) => from >= region.from && from < region.to);

function spanOf({ tree, lineOf: line }: Source, first: SgNode, last: SgNode): Span {
  const { end } = tree.span(last);
  return { from: line(tree.span(first).start), to: line(Math.max(0, end - 1)) + 1 };
}
