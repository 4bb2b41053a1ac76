/** The text of a patch as hunks, or the reason why it is no patch of one file's lines. */
import { parsePatch } from 'diff';
import { err, ok, type Result } from '../result.js';

export interface HunkLine {
  readonly kind: 'keep' | 'drop' | 'add';
  /** Without the sign, the line break and a carriage return before it. */
  readonly text: string;
  /** `\ No newline at end of file` follows. */
  readonly isUnterminated: boolean;
}

/** Lines in the order of the patch; at least one is not kept. Line numbers are not held. */
export type Hunk = readonly HunkLine[];

const FULL_HEADER = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const BARE_HEADER = /^@@(\s*(\.\.\.|…)?\s*@@)?\s*$/;
const DIFF_HEADER = /^(diff --git |diff -|Index:\s)/;

/** What git says of a file beside its lines, and why a patch that says it is refused. */
const EXTENDED_HEADERS: readonly (readonly [RegExp, string])[] = [
  [/^(GIT binary patch|Binary files .* differ)/, 'is binary; use `from` or `create`'],
  [/^(rename|copy) (from|to) /, 'renames or copies the file; use `create` and `delete`'],
  [/^new file mode /, 'creates a file; use `create`'],
  [/^deleted file mode /, 'deletes a file; use `delete`'],
  [/^(old|new) mode /, "changes the file's mode, which is not a change of its lines"],
];

/**
 * Reads a unified diff of one file: `git diff`, `git format-patch` and `diff -u` output, or
 * hunks alone, whose headers may be bare `@@`. File names and line numbers are not used.
 *
 * The parser of `diff` reads the hunks. What surrounds them is read here, because that parser
 * lets an empty text, prose, headers without hunks and binary, rename and mode patches pass as
 * patches that change nothing, and fails at the signature of a mail. A line that is quite empty
 * is a context line whose space an editor stripped; at the end of a hunk with a bare header,
 * which has no counts, it is no part of the hunk.
 *
 * @returns the hunks, at least one; or why not, as the end of a sentence about the patch.
 */
export function parsePatchText(text: string): Result<readonly Hunk[], string> {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  if (text.trim() === '') return err('is empty');
  const scanned = scan(lines);
  if (!scanned.ok) return scanned;
  const hunks: Hunk[] = [];
  for (const [index, raw] of scanned.value.entries()) {
    const hunk = readHunk(raw);
    if (!hunk.ok) return err(`is malformed: hunk ${index + 1} (line ${raw.line}) ${hunk.error}`);
    hunks.push(hunk.value);
  }
  return ok(hunks);
}

interface RawHunk {
  /** 1-based line of the header in the patch. */
  readonly line: number;
  /** null: bare. */
  readonly header: string | null;
  readonly body: readonly string[];
}

function scan(lines: readonly string[]): Result<readonly RawHunk[], string> {
  const hunks: RawHunk[] = [];
  let index = lines.findIndex((_, at) => isHeader(lines, at));
  if (index === -1) return err(withoutHeader(lines));
  let files = 0;
  let inHeader = false;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    if (/^(@@@|diff --(cc|combined) )/.test(line)) {
      return err('is the combined diff of a merge; make one against a single parent');
    }
    if (DIFF_HEADER.test(line)) {
      files += 1;
      inHeader = true;
      index += 1;
    } else if (isFileHeader(lines, index)) {
      if (!inHeader) files += 1;
      inHeader = false;
      const [before, after] = [line, lines[index + 1] ?? ''];
      if (/^--- \/dev\/null\b/.test(before)) return err('creates a file; use `create`');
      if (/^\+\+\+ \/dev\/null\b/.test(after)) return err('deletes a file; use `delete`');
      index += 2;
    } else if (line.startsWith('@@')) {
      inHeader = false;
      const raw = scanHunk(lines, index);
      if (!raw.ok) return raw;
      hunks.push(raw.value.hunk);
      index = raw.value.next;
    } else if (hunks.length > 0 && !inHeader && /^-- ?$/.test(line)) {
      if (lines.some((_, at) => at > index && isHeader(lines, at))) files += 1;
      index = lines.length;
    } else {
      const why = inHeader
        ? EXTENDED_HEADERS.find(([pattern]) => pattern.test(line))?.[1]
        : undefined;
      if (why !== undefined && files < 2) return err(why);
      if (!inHeader && line.trim() !== '') return err(strayLine(line, index + 1, hunks));
      index += 1;
    }
    if (files > 1) return err('is about several files; write one entry of `edits` for each');
  }
  return hunks.length === 0 ? err('has file headers but no hunk: nothing would change') : ok(hunks);
}

const isFileHeader = (lines: readonly string[], at: number): boolean =>
  (lines[at]?.startsWith('--- ') ?? false) && (lines[at + 1]?.startsWith('+++ ') ?? false);

const isHeader = (lines: readonly string[], at: number): boolean =>
  (lines[at]?.startsWith('@@') ?? false) ||
  DIFF_HEADER.test(lines[at] ?? '') ||
  isFileHeader(lines, at);

function withoutHeader(lines: readonly string[]): string {
  return lines.some((line) => /^[+-]/.test(line))
    ? 'has no hunk header: put a line `@@` above each place that changes'
    : 'has no hunk: it is text, not a unified diff';
}

function strayLine(line: string, number: number, hunks: readonly RawHunk[]): string {
  const last = hunks.at(-1);
  return last !== undefined && /^[-+ \\]/.test(line)
    ? `is malformed: hunk ${hunks.length} (line ${last.line}) has more lines than its header counts; a bare \`@@\` needs no counts`
    : `is malformed: line ${number} belongs to no hunk: ${JSON.stringify(line)}`;
}

function scanHunk(
  lines: readonly string[],
  at: number,
): Result<{ readonly hunk: RawHunk; readonly next: number }, string> {
  const line = at + 1;
  const header = lines[at] ?? '';
  const counts = FULL_HEADER.exec(header);
  if (counts === null && !BARE_HEADER.test(header)) {
    return err(
      `has a hunk header (line ${line}) that is neither \`@@\` nor \`@@ -a,b +c,d @@\`: ${JSON.stringify(header)}; use \`within\` to name the place`,
    );
  }
  const body: string[] = [];
  let next = at + 1;
  if (counts === null) {
    while (next < lines.length && !startsAnother(lines, next)) {
      body.push(lines[next] ?? '');
      next += 1;
    }
    while (body.at(-1) === '') body.pop();
    return ok({ hunk: { line, header: null, body }, next });
  }
  let [old, fresh] = [Number(counts[1] ?? 1), Number(counts[2] ?? 1)];
  for (; next < lines.length; next += 1) {
    const text = lines[next] ?? '';
    if (!text.startsWith('\\') && old <= 0 && fresh <= 0) break;
    if (!/^[-+ \\]|^$/.test(text)) break;
    if (text === '' && next === lines.length - 1) break;
    if (/^[- ]|^$/.test(text)) old -= 1;
    if (/^[+ ]|^$/.test(text)) fresh -= 1;
    body.push(text);
  }
  return ok({ hunk: { line, header, body }, next });
}

/** In a hunk without counts `--- a` may be a dropped line `-- a`: only a whole header ends it. */
function startsAnother(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (line.startsWith('@@') || DIFF_HEADER.test(line)) return true;
  return isFileHeader(lines, at) && (lines[at + 2]?.startsWith('@@') ?? false);
}

const kindOf = (line: string): HunkLine['kind'] =>
  line.startsWith('-') ? 'drop' : line.startsWith('+') ? 'add' : 'keep';

function readHunk(raw: RawHunk): Result<Hunk, string> {
  const stray = raw.body.findIndex((line) => !/^[-+ \\]|^$/.test(line));
  if (stray !== -1) {
    return err(
      `has a line that begins with neither a space, \`-\` nor \`+\`: ${JSON.stringify(raw.body[stray])}`,
    );
  }
  const body = raw.body.map((line) => (line === '' ? ' ' : line));
  const count = (pattern: RegExp): number => body.filter((line) => pattern.test(line)).length;
  const header = raw.header ?? `@@ -1,${count(/^[- ]/)} +1,${count(/^[+ ]/)} @@`;
  let parsed: readonly string[];
  try {
    parsed = parsePatch([header, ...body].join('\n'))[0]?.hunks[0]?.lines ?? [];
  } catch {
    return err(
      `does not have as many lines as its header counts (${header}); a bare \`@@\` needs no counts`,
    );
  }
  return toLines(parsed);
}

function toLines(parsed: readonly string[]): Result<Hunk, string> {
  const lines: HunkLine[] = [];
  for (const [index, line] of parsed.entries()) {
    if (line.startsWith('\\')) continue;
    const kind = kindOf(line);
    const isUnterminated = parsed[index + 1]?.startsWith('\\') ?? false;
    lines.push({ kind, text: line.slice(1), isUnterminated });
  }
  if (lines.length === 0) return err('is empty');
  if (lines.every((line) => line.kind === 'keep')) {
    return err('has only context lines: nothing would change');
  }
  for (const side of ['drop', 'add'] as const) {
    const own = lines.filter((line) => line.kind === 'keep' || line.kind === side);
    if (own.slice(0, -1).some((line) => line.isUnterminated)) {
      return err('says `\\ No newline at end of file` before its last line');
    }
  }
  return ok(lines);
}
