/** Where a Python file binds names: definitions, assignments, parameters, imports. */
import type { SgNode } from '@ast-grep/napi';
import type { Span } from '../mutation/file-change.js';
import { displayText, splitLines, startOf } from '../mutation/lines.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs, type SourceTree } from '../mutation/source-tree.js';

/** A parsed file with the bytes that its names are read from. */
export interface Source {
  readonly tree: SourceTree;
  readonly bytes: Buffer;
}

export const textOf = ({ tree, bytes }: Source, node: SgNode): string => {
  const { start, end } = tree.span(node);
  return displayText(bytes.subarray(start, end));
};

/** Calls back for each node that begins on one of these lines, or holds one of them in its head. */
export function visit(
  bytes: Buffer,
  span: Span,
  call: (source: Source, node: SgNode) => void,
): void {
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

/** Lines of a file. */
export interface Excerpt {
  readonly bytes: Buffer;
  readonly span: Span;
}

/** Calls back for each identifier on these lines that is bound there, with the node that binds it. */
export function visitBound(
  { bytes, span }: Excerpt,
  call: (source: Source, target: SgNode, binding: SgNode) => void,
): void {
  const lines = splitLines(bytes);
  const [from, to] = [startOf(lines, span.from), startOf(lines, Math.min(span.to, lines.count))];
  visit(bytes, span, (source, node) => {
    for (const target of targetsOf(node)) {
      const { start } = source.tree.span(target);
      if (start >= from && start < to) call(source, target, node);
    }
  });
}

/** What is bound there is bound for the function alone. */
export const isInFunction = (node: SgNode): boolean =>
  /^(lambda_)?parameters$/.test(String(node.kind())) ||
  node.ancestors().some((above) => /^(function_definition|lambda)$/.test(String(above.kind())));

/** `count` in `self.count = 0`. */
export const isAttribute = (target: SgNode): boolean => kindIs(target.parent(), 'attribute');

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
