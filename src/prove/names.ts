/**
 * Names that a change defines. Without the change, code that still uses one fails by its
 * absence: that shows that the parts belong together, and nothing of what they do.
 */
import type { SgNode } from '@ast-grep/napi';
import type { MissingName } from '../proof/missing-name.js';
import { displayText, splitLines, startOf } from '../mutation/lines.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs, type SourceTree } from '../mutation/source-tree.js';
import { isPython } from './languages.js';
import type { Part, Span } from '../mutation/file-change.js';
import type { Change } from './fix.js';

/** Names that come to be by these changes, and are not there without them. */
export function namesDefinedBy(
  changes: readonly Change[],
  kind: MissingName['kind'] = 'name',
): ReadonlySet<string> {
  return difference(changes, kind, 'fresh', 'old');
}

/** Names that these changes did away with. */
export function namesRemovedBy(
  changes: readonly Change[],
  kind: MissingName['kind'] = 'name',
): ReadonlySet<string> {
  return difference(changes, kind, 'old', 'fresh');
}

function difference(
  changes: readonly Change[],
  kind: MissingName['kind'],
  side: Side,
  without: Side,
): ReadonlySet<string> {
  const parts = changes.flatMap((change) => change.parts);
  const others = new Set(parts.flatMap((part) => namesOn(part, kind, without)));
  const own = parts.flatMap((part) => namesOn(part, kind, side));
  return new Set(own.filter((name) => !others.has(name)));
}

/** Functions whose head these changes touch. */
export function functionsTouchedBy(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ parts }) => parts).flatMap((part) => [...headsOn(part, 'fresh')]),
  );
}

type Side = 'old' | 'fresh';

function sideOf(part: Part, side: Side): { readonly bytes: Buffer; readonly span: Span } | null {
  const bytes = side === 'old' ? part.file.before : part.file.after;
  if (bytes === null || !isPython(part.file.path)) return null;
  if (part.kind === 'lines') return { bytes, span: part[side] };
  if (part.kind === 'renamed') return null;
  return { bytes, span: { from: 0, to: Number.POSITIVE_INFINITY } };
}

function namesOn(part: Part, kind: MissingName['kind'], side: Side): readonly string[] {
  const found = sideOf(part, side);
  const modules = modulesOf(part, side);
  return found === null ? modules : [...modules, ...definedIn(found, kind)];
}

/** A file that is there on one side alone is a module that can be imported by its name. */
function modulesOf({ kind, file }: Part, side: Side): readonly string[] {
  const isOn = kind === 'renamed' || kind === (side === 'fresh' ? 'created' : 'deleted');
  const path = side === 'fresh' ? file.path : file.oldPath;
  if (!isOn || path === null || !isPython(path)) return [];
  const parts = path.replace(/\.py$/, '').split('/');
  const name = parts.at(-1) === '__init__' ? parts.at(-2) : parts.at(-1);
  return name === undefined ? [] : [name];
}

function headsOn(part: Part, side: Side): readonly string[] {
  const found = sideOf(part, side);
  if (found === null) return [];
  const names: string[] = [];
  visit(found.bytes, found.span, (source, node) => {
    if (!kindIs(node, 'function_definition') && !kindIs(node, 'class_definition')) return;
    const name = node.children().find((child) => kindIs(child, 'identifier'));
    if (name !== undefined) names.push(textOf(source, name));
  });
  return names;
}

interface Source {
  readonly tree: SourceTree;
  readonly bytes: Buffer;
}

const textOf = ({ tree, bytes }: Source, node: SgNode): string => {
  const { start, end } = tree.span(node);
  return displayText(bytes.subarray(start, end));
};

/** Calls back for each node that begins on one of these lines, or holds one of them in its head. */
function visit(bytes: Buffer, span: Span, call: (source: Source, node: SgNode) => void): void {
  const tree = parsePython(bytes);
  if (tree === null || span.to <= span.from) return;
  const lines = splitLines(bytes);
  const [from, to] = [startOf(lines, span.from), startOf(lines, Math.min(span.to, lines.count))];
  const source = { tree, bytes };
  const walk = (node: SgNode): void => {
    const { start, end } = tree.span(node);
    if (end <= from || start >= to) return;
    const children = node.children();
    const body = children.findLastIndex((child) => kindIs(child, 'block'));
    const beforeBody = children[body - 1];
    const headEnd = beforeBody === undefined ? end : tree.span(beforeBody).end;
    if (start < to && headEnd > from && node !== tree.root) call(source, node);
    for (const child of children) walk(child);
  };
  walk(tree.root);
}

function definedIn(
  { bytes, span }: { readonly bytes: Buffer; readonly span: Span },
  kind: MissingName['kind'],
): readonly string[] {
  const names: string[] = [];
  const lines = splitLines(bytes);
  const [from, to] = [startOf(lines, span.from), startOf(lines, Math.min(span.to, lines.count))];
  visit(bytes, span, (source, node) => {
    const isLocal = kind === 'attribute' && isInFunction(node);
    for (const target of targetsOf(node)) {
      if (isLocal && !isAttribute(target)) continue;
      const { start } = source.tree.span(target);
      if (start >= from && start < to) names.push(textOf(source, target));
    }
  });
  return names;
}

/** What is bound there is bound for the function alone. */
const isInFunction = (node: SgNode): boolean =>
  /^(lambda_)?parameters$/.test(String(node.kind())) ||
  node.ancestors().some((above) => /^(function_definition|lambda)$/.test(String(above.kind())));

/** `count` in `self.count = 0`. */
const isAttribute = (target: SgNode): boolean => kindIs(target.parent(), 'attribute');

/** The identifiers that a node binds, be it in a scope or on an object. */
function targetsOf(node: SgNode): readonly SgNode[] {
  switch (String(node.kind())) {
    case 'function_definition':
    case 'class_definition':
      return node
        .children()
        .filter((child) => kindIs(child, 'identifier'))
        .slice(0, 1);
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'named_expression': {
      const left = node.field('left') ?? node.field('name');
      return left === null ? [] : bound(left);
    }
    case 'as_pattern_target':
      return bound(node);
    case 'parameters':
    case 'lambda_parameters':
      return node.namedChildren().flatMap(parameter);
    case 'import_statement':
    case 'import_from_statement':
      return node
        .namedChildren()
        .slice(kindIs(node, 'import_from_statement') ? 1 : 0)
        .flatMap(imported);
    default:
      return [];
  }
}

function bound(node: SgNode): readonly SgNode[] {
  switch (String(node.kind())) {
    case 'identifier':
      return [node];
    case 'attribute': {
      const name = node.field('attribute');
      return name === null ? [] : [name];
    }
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'list_splat_pattern':
    case 'tuple':
    case 'list':
    case 'as_pattern_target':
      return node.namedChildren().flatMap(bound);
    default:
      return [];
  }
}

function parameter(node: SgNode): readonly SgNode[] {
  if (kindIs(node, 'identifier')) return [node];
  const name = node.field('name');
  if (name !== null) return [name];
  const [first] = node.namedChildren();
  return first === undefined ? [] : kindIs(first, 'identifier') ? [first] : parameter(first);
}

function imported(node: SgNode): readonly SgNode[] {
  if (kindIs(node, 'aliased_import')) {
    const alias = node.field('alias');
    return alias === null ? [] : [alias];
  }
  if (!kindIs(node, 'dotted_name')) return [];
  const first = node.namedChildren()[0];
  return first === undefined ? [] : [first];
}

const COMPILER: readonly RegExp[] = [
  /^E0(?:425|412|405|404|574|531|532): .*?`(?<name>[^`]+)`/,
  /^E0432: unresolved import `(?:[^`]*::)?(?<name>[^`:]+)`/,
  /^E0433: .*(?:undeclared (?:type|crate or module|module)|could not find|cannot find [\w ]+) `(?<name>[^`]+)`/,
  /^E0(?:599|609|560|026|559|027|407|437|438): .*?(?:named|field|method|type|const|variant|associated item)s? (?:named )?`(?:[^`]*::)?(?<name>[^`]+)`/,
  /^E0603: .* `(?<name>[^`]+)` is private/,
];

/** The name that an error of the Rust compiler is about; null: it is about something else. */
export function unresolvedName(message: string): string | null {
  for (const pattern of COMPILER) {
    const name = pattern.exec(message)?.groups?.['name'];
    if (name !== undefined) return name;
  }
  return null;
}
