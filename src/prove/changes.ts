/** From the files of a range to numbered changes, each with its class. */
import type { EntryKind } from '../git/changed.js';
import type { FileStates, Part, Span } from '../mutation/file-change.js';
import { contentOf, splitLines, startOf } from '../mutation/lines.js';
import { languageOf } from '../mutation/language.js';
import { partsOf } from '../mutation/parts.js';
import {
  type Classified,
  type ClassifyRules,
  classifyFile,
  isGenerated,
  isTestByName,
} from './classify.js';
import { isRust } from './languages.js';
import { joinMoves } from './moves.js';
import type { Change } from './fix.js';
import { isVersionNumber, VERSION_NUMBER } from './set-aside.js';
import { isSameCode, mayBeSilent } from './silent-code.js';
import type { RangeFile } from './read-fix.js';
import { innerTests, type IsTestLine } from './inner-tests.js';
import { isDoctest, RUN_DOCTEST, UNRUN_DOCTEST } from './doctests.js';
import { holdsOnlyTests } from './rust-test-module.js';
import { rustTestsIn } from './rust-tests.js';
import { apartFromTests } from './test-lines.js';

type Unnumbered = Omit<Change, 'id'>;

/** Splits the files of a range: source and support change by change, everything else file by file. */
export function changesOf(files: readonly RangeFile[], rules: ClassifyRules): readonly Change[] {
  const all = files.flatMap((file) => changesIn(file, rules));
  return numbered(
    joinMoves(all)
      .map((change) => silenced(change, rules))
      .map(versioned),
  );
}

const PREFIX = { source: '', support: 's', test: 't', other: 'o' } as const;

function numbered(changes: readonly Unnumbered[]): readonly Change[] {
  const counts = new Map<string, number>();
  return changes.map((change) => {
    const count = (counts.get(change.class) ?? 0) + 1;
    counts.set(change.class, count);
    return { ...change, id: `${PREFIX[change.class]}${count}` };
  });
}

function changesIn(entry: RangeFile, rules: ClassifyRules): readonly Unnumbered[] {
  const isTestLine = innerTests(rules);
  const { file } = entry;
  const classified = classOf(entry, rules);
  const parts = partsIn(entry, isTestLine);
  const inside =
    classified.class === 'source' ? parts.filter((part) => isInsideTests(part, isTestLine)) : [];
  const rest = parts.filter((part) => !inside.includes(part));
  const isWhole = classified.class === 'test' || classified.class === 'other';
  const groups = isWhole || parts.length === 0 ? [rest] : rest.map((part) => [part]);
  const tests: Classified = {
    class: 'test',
    why: isRust(file.path) ? 'compiled for tests alone' : 'tests in a source file',
  };
  return [
    ...groups.map((group) => changeOf(file, group, classified)),
    ...(inside.length === 0 ? [] : [changeOf(file, inside, tests)]),
  ];
}

const changeOf = (
  file: FileStates,
  parts: readonly Part[],
  classified: Classified,
): Unnumbered => ({
  parts: parts.length === 0 ? [wholePart(file)] : parts,
  class: classified.class,
  why: classified.why,
  scope: scopeOf(file, parts),
  obstacle: parts.map(obstacleOf).find((each) => each !== null) ?? null,
});

/** Lines of tests, on whichever side there are lines. */
function isInsideTests(part: Part, isTestLine: IsTestLine): boolean {
  if (part.kind !== 'lines') return false;
  const { path, before, after } = part.file;
  const [bytes, span] = part.fresh.to > part.fresh.from ? [after, part.fresh] : [before, part.old];
  if (bytes === null) return false;
  const lines = splitLines(bytes);
  for (let line = span.from; line < span.to; line += 1)
    if (contentOf(lines, line).toString('latin1').trim() !== '')
      return isTestLine(path, bytes, line);
  return false;
}

const wholePart = (file: FileStates): Part => ({ kind: 'replaced', file, isThere: false });

function classOf(
  { change, file, isMarkedGenerated, isTestModule, unreadable }: RangeFile,
  rules: ClassifyRules,
): Classified {
  const other = (why: string): Classified => ({ class: 'other', why });
  const is = (kind: EntryKind): boolean => change.kind === kind || change.oldKind === kind;
  if (is('submodule')) return other('submodule');
  if (is('link')) return other('symbolic link');
  if (unreadable !== null) return other(`cannot be read: ${unreadable}`);
  const byName = classifyFile(file.path, rules);
  const classified: Classified =
    isTestByName(byName) && !isRustTest(file, isTestModule)
      ? { class: 'source', why: 'code' }
      : byName;
  if (classified.class === 'other' || classified.why.startsWith('--')) return classified;
  if (isMarkedGenerated) return other('generated, says .gitattributes');
  if ([file.after, file.before].some((bytes) => bytes !== null && isGenerated(bytes)))
    return other('generated, says its head');
  const isSame = file.before !== null && file.after !== null && file.before.equals(file.after);
  if (isSame && change.modeChanged) return other('its mode alone');
  // Its line endings may be all that changed: then git sees no change of a line.
  if (isSame && change.oldPath === change.path) return other('the same content');
  const isEmpty = (file.after ?? file.before)?.length === 0;
  if (isEmpty && (file.before === null || file.after === null)) return other('an empty file');
  return classified;
}

/** Under `src/` a name alone makes no test: `test.rs` may be what runs tests. */
function isRustTest({ after, before }: FileStates, isTestModule: boolean | null): boolean {
  const bytes = after ?? before;
  if (isTestModule === true || bytes === null) return true;
  return isTestModule === null ? rustTestsIn(bytes).tests.length > 0 : holdsOnlyTests(bytes);
}

/** A run may hold source and the tests beside it. */
function partsIn({ change, file }: RangeFile, isTestLine: IsTestLine): readonly Part[] {
  const { before, after } = file;
  if (before === null || after === null) return partsOf(file, change);
  const isTest = (bytes: Buffer, line: number): boolean => isTestLine(file.path, bytes, line);
  return partsOf(file, { ...change, runs: apartFromTests(change.runs, before, after, isTest) });
}

function obstacleOf(part: Part): string | null {
  if (part.kind === 'lines') {
    return part.now === null
      ? `its lines no longer stand in ${part.file.path} as the range left them`
      : null;
  }
  if (part.isThere) return null;
  return part.kind === 'deleted'
    ? `${part.file.path} is there again`
    : `${part.file.path} is no longer as the range left it`;
}

/** The function that the first changed line lies in, after the change or, where that has none, before it. */
function scopeOf(file: FileStates, [first]: readonly Part[]): string | null {
  if (first?.kind !== 'lines') return null;
  return scopeIn(file.path, file.after, first.fresh) ?? scopeIn(file.path, file.before, first.old);
}

function scopeIn(path: string, bytes: Buffer | null, span: Span): string | null {
  const language = languageOf(path);
  const tree = bytes === null ? null : (language?.parse(bytes) ?? null);
  if (language === null || bytes === null || tree === null) return null;
  const lines = splitLines(bytes);
  for (let index = span.from; index < span.to; index += 1) {
    const name = language.scopeOf(tree, bytes, language.pathToLine(tree, lines, index));
    if (name !== null) return name;
  }
  return null;
}

/** A change of comments and blank lines alone is none to take back: no test can notice it, though one may be made of it. */
function silenced(change: Unnumbered, { runsDoctests = false }: ClassifyRules): Unnumbered {
  if (change.class !== 'source' && change.class !== 'support') return change;
  if (!isSilent(change.parts)) return change;
  if (!change.parts.some(isDoctest))
    return { ...change, class: 'other', why: 'comments and blank lines alone' };
  return { ...change, class: 'other', why: runsDoctests ? RUN_DOCTEST : UNRUN_DOCTEST };
}

/** What a person names as source by an option is never set aside. */
const versioned = (change: Unnumbered): Unnumbered =>
  change.class === 'source' && !change.why.startsWith('--') && isVersionNumber(change.parts)
    ? { ...change, why: VERSION_NUMBER }
    : change;

/** Only a file that can be parsed tells: in any other, and in a string, a blank line is content. */
function isSilent([part, ...others]: readonly Part[]): boolean {
  if (part?.kind !== 'lines' || others.length > 0) return false;
  const { before, after, path } = part.file;
  if (before === null || after === null || languageOf(path) === null) return false;
  const { old, fresh } = part;
  if (!mayBeSilent(path, { before, old }, { after, fresh })) return false;
  const [ours, theirs] = [splitLines(before), splitLines(after)];
  const without = Buffer.concat([
    after.subarray(0, startOf(theirs, fresh.from)),
    before.subarray(startOf(ours, old.from), startOf(ours, old.to)),
    after.subarray(startOf(theirs, fresh.to)),
  ]);
  return isSameCode(path, without, after);
}
