/** What functions of Python take, and what calls give them. */
import type { SgNode } from '@ast-grep/napi';
import { splitLines, startOf } from '../mutation/lines.js';
import { isDefinition } from '../mutation/python-scope.js';
import { parsePython } from '../mutation/python-tree.js';
import { kindIs } from '../mutation/source-tree.js';
import { type Excerpt, type Source, textOf } from './python-bindings.js';
import { calleeOf, scopeOf } from './python-scopes.js';

interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly by: 'position' | 'either' | 'keyword';
}

/** Without `self`, where it is a method. */
export interface Signature {
  readonly parameters: readonly Parameter[];
  /** `*rest` and `**more`. */
  readonly takesMore: { readonly byPosition: boolean; readonly byKeyword: boolean };
}

export interface Call {
  readonly callee: string;
  readonly positions: number;
  readonly keywords: readonly string[];
  /** It has `*rest` or `**more`, so that what it gives is not known. */
  readonly isOpen: boolean;
}

/** The functions of a file by their dotted names; of several of one name the last. */
export function signaturesIn(bytes: Buffer): ReadonlyMap<string, Signature> {
  const found = new Map<string, Signature>();
  const tree = parsePython(bytes);
  if (tree === null) return found;
  const source = { tree, bytes };
  for (const node of tree.root.findAll({ rule: { kind: 'function_definition' } })) {
    const list = node.children().find((child) => kindIs(child, 'parameters'));
    if (list === undefined) continue;
    const around = node.ancestors();
    const scope = around.find((each) => isDefinition(each));
    const isMethod = kindIs(scope, 'class_definition') && !isStatic(source, node);
    found.set(scopeOf(source, [node, ...around]), signatureOf(source, list, isMethod ? 1 : 0));
  }
  return found;
}

const isStatic = (source: Source, node: SgNode): boolean =>
  (node.parent()?.children() ?? []).some(
    (child) => kindIs(child, 'decorator') && textOf(source, child).includes('staticmethod'),
  );

function signatureOf(source: Source, list: SgNode, skipped: number): Signature {
  const parameters: Parameter[] = [];
  let by: Parameter['by'] = 'either';
  let [byPosition, byKeyword] = [false, false];
  for (const node of list.namedChildren()) {
    const kind = String((kindIs(node, 'typed_parameter') ? node.namedChildren()[0] : node)?.kind());
    if (kind === 'positional_separator')
      for (const [at, each] of parameters.entries()) parameters[at] = { ...each, by: 'position' };
    else if (kind === 'dictionary_splat_pattern') byKeyword = true;
    else if (kind === 'list_splat_pattern' || kind === 'keyword_separator') {
      byPosition ||= kind === 'list_splat_pattern';
      by = 'keyword';
    } else {
      const name =
        node.field('name') ?? (kindIs(node, 'identifier') ? node : node.namedChildren()[0]);
      if (name === undefined || kindIs(node, 'comment')) continue;
      parameters.push({ name: textOf(source, name), isRequired: node.field('value') === null, by });
    }
  }
  return { parameters: parameters.slice(skipped), takesMore: { byPosition, byKeyword } };
}

/** Every call that begins on these lines, or goes on there. */
export function callsIn({ bytes, span }: Excerpt): readonly Call[] {
  const tree = parsePython(bytes);
  if (tree === null || span.to <= span.from) return [];
  const source = { tree, bytes };
  const lines = splitLines(bytes);
  const [from, to] = [startOf(lines, span.from), startOf(lines, Math.min(span.to, lines.count))];
  return tree.root.findAll({ rule: { kind: 'call' } }).flatMap((node): readonly Call[] => {
    const { start, end } = tree.span(node);
    const callee = calleeOf(source, node);
    if (end <= from || start >= to || callee === null) return [];
    return [{ callee, ...givenIn(source, node.field('arguments')) }];
  });
}

function givenIn(source: Source, list: SgNode | null): Omit<Call, 'callee'> {
  if (!kindIs(list, 'argument_list')) return { positions: 1, keywords: [], isOpen: false };
  const given = (list?.namedChildren() ?? []).filter((node) => !kindIs(node, 'comment'));
  const keywords = given.filter((node) => kindIs(node, 'keyword_argument'));
  const isOpen = given.some((node) => /^(list|dictionary)_splat$/.test(String(node.kind())));
  return {
    positions: given.length - keywords.length,
    keywords: keywords.flatMap((node) => {
      const name = node.field('name');
      return name === null ? [] : [textOf(source, name)];
    }),
    isOpen,
  };
}

/** Whether a call can be one of this function. */
export const isCallOf = ({ callee }: Call, dotted: string): boolean => {
  const names = dotted.split('.');
  const last = names.at(-1) ?? '';
  const isConstructor = last === '__init__' || last === '__new__';
  return callee === last || (isConstructor && (callee === names.at(-2) || callee === 'cls'));
};

/** Whether the function takes what the call gives, and gets all that it needs. */
export function fits({ parameters, takesMore }: Signature, call: Call): boolean {
  const { positions, keywords, isOpen } = call;
  if (isOpen) return true;
  const inOrder = parameters.filter(({ by }) => by !== 'keyword');
  const byName = new Set(parameters.filter(({ by }) => by !== 'position').map(({ name }) => name));
  if (positions > inOrder.length && !takesMore.byPosition) return false;
  if (keywords.some((name) => !byName.has(name)) && !takesMore.byKeyword) return false;
  const given = new Set([...inOrder.slice(0, positions).map(({ name }) => name), ...keywords]);
  return parameters.every(({ name, isRequired }) => !isRequired || given.has(name));
}
