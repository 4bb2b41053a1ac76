/**
 * Names that a change defines. Without the change, code that still uses one fails by its
 * absence: that shows that the parts belong together, and nothing of what they do.
 */
import type { MissingName } from '../proof/missing-name.js';
import { kindIs } from '../mutation/source-tree.js';
import { isPython } from './languages.js';
import type { Part } from '../mutation/file-change.js';
import type { Change } from './fix.js';
import {
  type Excerpt,
  isAttribute,
  isInFunction,
  textOf,
  visit,
  visitBound,
} from './python-bindings.js';

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

export type Side = 'old' | 'fresh';

function sideOf(part: Part, side: Side): Excerpt | null {
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
export function modulesOf({ kind, file }: Part, side: Side): readonly string[] {
  const isOn = kind === 'renamed' || kind === (side === 'fresh' ? 'created' : 'deleted');
  const path = side === 'fresh' ? file.path : file.oldPath;
  if (!isOn || path === null || !isPython(path)) return [];
  const parts = path.replace(/\.py$/, '').split('/');
  const name = parts.at(-1) === '__init__' ? parts.at(-2) : parts.at(-1);
  return name === undefined ? [] : [name];
}

/** Functions and classes whose head these lines touch. */
export function headsOn(part: Part, side: Side): readonly string[] {
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

function definedIn(excerpt: Excerpt, kind: MissingName['kind']): readonly string[] {
  const names: string[] = [];
  visitBound(excerpt, (source, target, binding) => {
    const isLocal = kind === 'attribute' && isInFunction(binding) && !isAttribute(target);
    if (!isLocal) names.push(textOf(source, target));
  });
  return names;
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
