/**
 * Changes that other changes cannot do without: taken back alone, one would leave a name that is
 * not there. It is read off their lines, since the code around may swallow the failure
 * (`except Exception: return None`), and then no test says a word of the name.
 */
import type { Part, Span } from '../mutation/file-change.js';
import type { TakenFile } from '../mutation/take.js';
import { unreachable } from '../result.js';
import type { Change } from './fix.js';
import { isPython } from './languages.js';
import { headsOn, modulesOf, type Side } from './names.js';
import type { Excerpt } from './python-bindings.js';
import { callsIn, fits, isCallOf, signaturesIn } from './python-calls.js';
import { type Binding, bindingsIn, isWithin, type Use, usesIn } from './python-scopes.js';
import { takeBack } from './take.js';

/** A change that has to go too, and a name that it would miss. */
export interface Need {
  readonly id: string;
  readonly name: string;
}

/**
 * What would miss a name if this change alone were taken back: the lines of another that use what
 * it gives, and another that took away what its old lines use.
 */
export function needsOf(source: readonly Change[]): ReadonlyMap<string, readonly Need[]> {
  const needs = new Map(source.map(({ id }) => [id, [] as Need[]]));
  for (const giver of source) {
    for (const user of source) {
      if (giver === user) continue;
      const given = missing(giver, user, 'fresh');
      if (given !== null) needs.get(giver.id)?.push({ id: user.id, name: given });
      const taken = missing(giver, user, 'old');
      if (taken !== null) needs.get(user.id)?.push({ id: giver.id, name: taken });
    }
  }
  return needs;
}

/** A name that `giver` has on this side alone, and that `user` uses there; null: there is none. */
function missing(giver: Change, user: Change, side: Side): string | null {
  const back = side === 'fresh' ? giver : user;
  for (const part of giver.parts) {
    for (const other of user.parts) {
      const [own, its] = [excerptOf(part, side), excerptOf(other, side)];
      if (its === null) continue;
      const isSame = part.file === other.file;
      const uses = usesOf(its);
      const modules = modulesOf(part, side);
      const imported = uses.find(({ name, how }) => how === 'import' && modules.includes(name));
      if (imported !== undefined) return imported.name;
      if (own === null) continue;
      const used = bindingsOf(own).find(
        (binding) =>
          uses.some((use) => isUseOf(use, binding, isSame, its)) &&
          !isThereWithout(binding, part, back),
      );
      if (used !== undefined) return used.name;
      const called = unfitting(part, side, its);
      if (called !== null) return called;
    }
  }
  return null;
}

function excerptOf(part: Part, side: Side): Excerpt | null {
  const bytes = side === 'old' ? part.file.before : part.file.after;
  if (bytes === null || !isPython(part.file.path) || part.kind === 'renamed') return null;
  const span: Span = part.kind === 'lines' ? part[side] : { from: 0, to: Number.MAX_SAFE_INTEGER };
  return { bytes, span };
}

const whole = (bytes: Buffer): Excerpt => ({
  bytes,
  span: { from: 0, to: Number.MAX_SAFE_INTEGER },
});

function isUseOf(use: Use, { name, reach, scope }: Binding, isSame: boolean, at: Excerpt): boolean {
  if (use.name !== name) return false;
  switch (reach) {
    case 'member':
      return (
        use.how === 'attribute' ||
        (use.how === 'keyword' && use.callee === scope.split('.').at(-1)) ||
        (use.how === 'name' && isSame && use.scope === scope)
      );
    case 'local':
      return use.how === 'name' && isSame && isWithin(use.scope, scope);
    case 'module':
      return isSame
        ? use.how === 'name' && !isLocalTo(name, use.scope, at)
        : use.how === 'attribute' || use.how === 'import';
    default:
      return unreachable(reach);
  }
}

const isLocalTo = (name: string, scope: string, { bytes }: Excerpt): boolean =>
  bindingsOf(whole(bytes)).some(
    (each) => each.name === name && each.reach === 'local' && isWithin(scope, each.scope),
  );

/** Whether the name is bound as far in the file without what is taken back. */
function isThereWithout({ name, reach, scope }: Binding, { file }: Part, change: Change): boolean {
  const without = withoutAlone(change).find(({ path }) => path === file.path);
  const bytes = without === undefined ? file.now : without.after;
  if (bytes === null) return false;
  return bindingsOf(whole(bytes)).some((each) => {
    if (each.name !== name) return false;
    if (reach !== 'local') return each.reach === reach;
    return each.reach === 'module' || (each.reach === 'local' && isWithin(scope, each.scope));
  });
}

/** A function that takes what these lines give it on this side alone; null: there is none. */
function unfitting(part: Part, side: Side, at: Excerpt): string | null {
  const { file } = part;
  const { before, after } = file;
  if (before === null || after === null || !isPython(file.path)) return null;
  const [old, fresh] = [signaturesOf(whole(before)), signaturesOf(whole(after))];
  const [own, other] = side === 'fresh' ? [fresh, old] : [old, fresh];
  const touched = new Set([...headsOn(part, 'old'), ...headsOn(part, 'fresh')]);
  for (const [dotted, signature] of own) {
    const name = dotted.split('.').at(-1) ?? dotted;
    const without = other.get(dotted);
    if (!touched.has(name) || without === undefined) continue;
    const isMisfit = callsOf(at).some(
      (call) => isCallOf(call, dotted) && fits(signature, call) && !fits(without, call),
    );
    if (isMisfit) return name;
  }
  return null;
}

/** The same lines are asked for by each of the other changes. */
function remembering<T>(read: (excerpt: Excerpt) => T): (excerpt: Excerpt) => T {
  const known = new WeakMap<Buffer, Map<string, T>>();
  return (excerpt) => {
    const spans = known.get(excerpt.bytes) ?? new Map<string, T>();
    known.set(excerpt.bytes, spans);
    const key = `${excerpt.span.from}-${excerpt.span.to}`;
    const found = spans.get(key) ?? read(excerpt);
    spans.set(key, found);
    return found;
  };
}

const bindingsOf = remembering(bindingsIn);
const usesOf = remembering(usesIn);
const callsOf = remembering(callsIn);
const signaturesOf = remembering(({ bytes }) => signaturesIn(bytes));

const taken = new WeakMap<Change, readonly TakenFile[]>();

function withoutAlone(change: Change): readonly TakenFile[] {
  const files = taken.get(change) ?? takeBack([change]);
  taken.set(change, files);
  return files;
}
