/** The names that lines of Python bind, and those that they use, each with how far it is known. */
import type { SgNode } from '@ast-grep/napi';
import { splitLines, startOf } from '../mutation/lines.js';
import { dottedName, isDefinition } from '../mutation/python-scope.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs } from '../mutation/source-tree.js';
import { type Excerpt, isAttribute, type Source, textOf, visitBound } from './python-bindings.js';

export interface Binding {
  readonly name: string;
  /** `member`: of a class or an object. `local`: of the function `scope`, its parameters too. */
  readonly reach: 'module' | 'member' | 'local';
  /** `Stream.close`; empty at module level. */
  readonly scope: string;
}

export interface Use {
  readonly name: string;
  /** `keyword`: the name of an argument in a call of `callee`. */
  readonly how: 'name' | 'attribute' | 'import' | 'keyword';
  readonly callee: string | null;
  /** Function or class around it, with dots; empty at module level. */
  readonly scope: string;
}

export function bindingsIn(excerpt: Excerpt): readonly Binding[] {
  const found: Binding[] = [];
  visitBound(excerpt, (source, target, binding) => {
    // `a += 1` gives no value to a name that has none.
    if (/^(lambda_parameters|augmented_assignment)$/.test(String(binding.kind()))) return;
    const around = binding.ancestors();
    const owner = around.find(isDefinition);
    const isMember = isAttribute(target) || kindIs(owner, 'class_definition');
    found.push({
      name: textOf(source, target),
      reach: isMember ? 'member' : owner === undefined ? 'module' : 'local',
      scope: scopeOf(source, around),
    });
  });
  return found;
}

/** Every use on these lines: what is bound there is none, nor what stands in a string. */
export function usesIn(excerpt: Excerpt): readonly Use[] {
  const { bytes, span } = excerpt;
  const tree = parsePython(bytes);
  if (tree === null || span.to <= span.from) return [];
  const source = { tree, bytes };
  const lines = splitLines(bytes);
  const [from, to] = [startOf(lines, span.from), startOf(lines, Math.min(span.to, lines.count))];
  const bound = new Set<number>();
  visitBound(excerpt, (_, target, binding) => {
    const isRead = /^(augmented_assignment|import_(from_)?statement)$/.test(String(binding.kind()));
    if (!isRead) bound.add(tree.span(target).start);
  });
  const uses: Use[] = [];
  const walk = (node: SgNode): void => {
    const { start, end } = tree.span(node);
    if (end <= from || start >= to) return;
    if (kindIs(node, 'identifier') && start >= from && !bound.has(start))
      uses.push(useOf(source, node));
    for (const child of node.children()) walk(child);
  };
  walk(tree.root);
  return uses;
}

function useOf(source: Source, node: SgNode): Use {
  const around = node.ancestors();
  const use = { name: textOf(source, node), callee: null, scope: scopeOf(source, around) };
  const [parent] = around;
  const isFirst = (field: string): boolean => {
    const child = parent?.field(field) ?? null;
    return child !== null && source.tree.span(child).start === source.tree.span(node).start;
  };
  if (around.some((each) => /^import_(from_)?statement$/.test(String(each.kind()))))
    return { ...use, how: 'import' };
  if (kindIs(parent, 'attribute') && isFirst('attribute')) return { ...use, how: 'attribute' };
  if (kindIs(parent, 'keyword_argument') && isFirst('name'))
    return { ...use, how: 'keyword', callee: calleeOf(source, around[2]) };
  return { ...use, how: 'name' };
}

/** `close` of `self.stream.close(…)`; null: no call, or of something without a name. */
export function calleeOf(source: Source, call: SgNode | undefined): string | null {
  const callee = kindIs(call, 'call') ? (call?.field('function') ?? null) : null;
  const name = kindIs(callee, 'attribute') ? (callee?.field('attribute') ?? null) : callee;
  return name !== null && kindIs(name, 'identifier') ? textOf(source, name) : null;
}

/** @param around nodes, the innermost first */
export const scopeOf = ({ tree, bytes }: Source, around: readonly SgNode[]): string =>
  dottedName(tree, bytes, around.toReversed()) ?? '';

export const isWithin = (scope: string, owner: string): boolean =>
  scope === owner || scope.startsWith(`${owner}.`);
