/** Failures by a name that is gone: who uses it, and so what has to go together. */
import { posix } from 'node:path';
import { missingName, type MissingName } from '../proof/missing-name.js';
import type { ChangeClass } from './classify.js';
import type { Part } from '../mutation/file-change.js';
import type { Change } from './fix.js';
import { functionsTouchedBy, namesDefinedBy, namesRemovedBy, unresolvedName } from './names.js';

/** What the code around a change is, for telling who misses a name. */
export interface Surroundings {
  /** All changes of source. */
  readonly changes: readonly Change[];
  /** Root of the project relative to the tree; `.` where it is the same. */
  readonly root: string;
  readonly classOf: (path: string) => ChangeClass;
  /** Whether a line of a source file, as it lies, belongs to tests that stand in it. */
  readonly isTestLine: (path: string, line: number) => boolean;
}

export interface Absence {
  readonly names: readonly string[];
  /** Ids of changes that cannot be there without what was taken back, or the reverse. */
  readonly with: readonly string[];
  /** Tests themselves use what is gone. */
  readonly usedByTests: boolean;
}

interface Failed {
  readonly at: string | null;
  readonly message: string | null;
}

/**
 * Whether all of these failures are about names that the taken changes define and something
 * else of the fix, or a test, still uses; or about names that another change took away, and
 * that the old lines use again. What code outside the fix says of a missing name it also said
 * before the fix: that is how the fault showed.
 *
 * @returns null: at least one failure is about something else
 */
export function readAbsence(
  failures: readonly Failed[],
  taken: readonly Change[],
  around: Surroundings,
): Absence | null {
  if (failures.length === 0) return null;
  const names = new Set<string>();
  const others = new Set<string>();
  let usedByTests = false;
  for (const failure of failures) {
    const found = absenceOf(failure, taken, around);
    if (found === null) return null;
    names.add(found.name);
    for (const id of found.with) others.add(id);
    usedByTests ||= found.usedByTests;
  }
  return { names: [...names], with: [...others], usedByTests };
}

/**
 * The same for a build that failed. A mixed tree that does not compile is never evidence, so
 * that it matters only where the errors lie: in another change, which then has to go too; or in
 * tests. What lies in old lines or in code around is told by the names, where it has any.
 *
 * @returns null: the errors do not say what they are about
 */
export function readBuildAbsence(
  errors: readonly { readonly at: string | null; readonly message: string | null }[],
  taken: readonly Change[],
  around: Surroundings,
): Absence | null {
  const ids = new Set(taken.map(({ id }) => id));
  const rest = around.changes.filter(({ id }) => !ids.has(id));
  const names = new Set<string>();
  const others = new Set<string>();
  let usedByTests = false;
  for (const { at, message } of errors) {
    const name = unresolvedName(message ?? '');
    if (name !== null) names.add(name);
    const user = userAt(at, taken, rest, around);
    if (user.kind === 'change') others.add(user.id);
    else if (user.kind === 'test') usedByTests = true;
    else if (name !== null)
      for (const change of rest) if (isAbout(change, name)) others.add(change.id);
  }
  return others.size === 0 && !usedByTests
    ? null
    : { names: [...names], with: [...others], usedByTests };
}

/** It took the name away, or gave it. */
function isAbout(change: Change, name: string): boolean {
  const [old, fresh] = [mentions(change, name, 'old'), mentions(change, name, 'fresh')];
  return old !== fresh;
}

interface One {
  readonly name: string;
  readonly with: readonly string[];
  readonly usedByTests: boolean;
}

function absenceOf(
  { at, message }: Failed,
  taken: readonly Change[],
  around: Surroundings,
): One | null {
  const missing = missingName(message);
  if (missing === null) return null;
  const ids = new Set(taken.map(({ id }) => id));
  const rest = around.changes.filter(({ id }) => !ids.has(id));
  const removers = rest.filter((change) => takesAway(change, missing)).map(({ id }) => id);
  if (removers.length > 0) return { name: missing.name, with: removers, usedByTests: false };
  if (!gives(taken, missing)) return null;
  const user = userAt(at, taken, rest, around);
  /** All at once: the test that failed shows the first of them alone. */
  const users = (): readonly string[] =>
    rest.filter((change) => mentions(change, missing.name, 'fresh')).map(({ id }) => id);
  switch (user.kind) {
    case 'change':
      return { name: missing.name, with: [...new Set([user.id, ...users()])], usedByTests: false };
    case 'test':
      // A call that leaves out what used to be required is a use that the fix allows.
      return /\bmissing \d+ required\b/.test(message ?? '')
        ? null
        : { name: missing.name, with: [], usedByTests: true };
    case 'unknown':
      return { name: missing.name, with: users(), usedByTests: users().length === 0 };
    default:
      return null;
  }
}

const takesAway = (change: Change, { name, kind }: MissingName): boolean =>
  namesRemovedBy([change], kind).has(name) ||
  (kind === 'argument' && isCallOf(name, functionsTouchedBy([change])));

const gives = (taken: readonly Change[], missing: MissingName): boolean =>
  namesDefinedBy(taken, missing.kind).has(missing.name) ||
  (missing.kind === 'argument' && isCallOf(missing.name, functionsTouchedBy(taken)));

/** A class is called by its own name, and takes what its constructor takes. */
const isCallOf = (name: string, functions: ReadonlySet<string>): boolean =>
  functions.has(name) || functions.has('__init__') || functions.has('__new__');

type User =
  | { readonly kind: 'change'; readonly id: string }
  /** Code that the fix did not touch, or that was there before it. */
  | { readonly kind: 'source' }
  | { readonly kind: 'test' }
  | { readonly kind: 'unknown' };

function userAt(
  at: string | null,
  taken: readonly Change[],
  rest: readonly Change[],
  { root, classOf, isTestLine }: Surroundings,
): User {
  const [, file, number] = /^(.*):(\d+)$/s.exec(at ?? '') ?? [];
  if (file === undefined || file.startsWith('/')) return { kind: 'unknown' };
  const path = posix.normalize(posix.join(root, file));
  const kind = classOf(path);
  if (kind === 'test' || kind === 'support') return { kind: 'test' };
  const line = lineNow(path, Number(number) - 1, taken);
  if (line === null) return { kind: 'source' };
  if (isTestLine(path, line)) return { kind: 'test' };
  const change = rest.find(({ parts }) => parts.some((part) => holdsLine(part, path, line)));
  return change === undefined ? { kind: 'source' } : { kind: 'change', id: change.id };
}

function holdsLine(part: Part, path: string, line: number): boolean {
  if (part.file.path !== path) return false;
  if (part.kind !== 'lines') return part.kind === 'created';
  return part.now !== null && line >= part.now.from && line < part.now.to;
}

/** A line of the file without the taken changes, as a line of the file as it lies; null: it was put back. */
function lineNow(path: string, line: number, taken: readonly Change[]): number | null {
  const places = taken
    .flatMap(({ parts }) => parts)
    .flatMap((part) =>
      part.kind === 'lines' && part.file.path === path && part.now !== null
        ? [{ now: part.now, length: part.old.to - part.old.from }]
        : [],
    )
    .toSorted((a, b) => a.now.from - b.now.from);
  let shift = 0;
  for (const { now, length } of places) {
    const start = now.from + shift;
    if (line < start) break;
    if (line < start + length) return null;
    shift += length - (now.to - now.from);
  }
  return line - shift;
}

/** Whether its lines before or after the fix have this word. */
export function mentions(change: Change, name: string, side: 'old' | 'fresh'): boolean {
  const word = new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped(name)}(?![\p{L}\p{N}_])`, 'u');
  return change.parts.some((part) => {
    const bytes = side === 'old' ? part.file.before : part.file.after;
    if (bytes === null) return false;
    const text = bytes.toString('utf8').split('\n');
    const lines = part.kind === 'lines' ? text.slice(part[side].from, part[side].to) : text;
    return word.test(lines.join('\n'));
  });
}

const escaped = (name: string): string => name.replaceAll(/[.+^${}()|[\]\\*?]/g, String.raw`\$&`);
