/**
 * As much of GitHub's reading of Markdown as the reports use, written from the rules of CommonMark
 * and its table extension: enough to see that no name breaks out of its place.
 */

/** Tags that our own text uses; anything else in angle brackets is somebody's name that got loose. */
const OUR_TAGS = /<!-- (?:counterproof:[0-9a-f]{16} )?-->|<\/?(?:details|summary|code)>|<br>/g;

export interface Shape {
  /** What is not as it must be, in words. */
  readonly faults: readonly string[];
  /** Everything that a reader sees, with references, escapes and breaks resolved. */
  readonly seen: string;
}

function unescape(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Splits a line into code spans and the text between them; a backtick run without a partner is text. */
function spans(line: string): { readonly code: string[]; readonly rest: string } {
  const code: string[] = [];
  let rest = '';
  let at = 0;
  while (at < line.length) {
    if (line[at] === '\\') {
      rest += line.slice(at, at + 2);
      at += 2;
      continue;
    }
    const run = /^`+/.exec(line.slice(at))?.[0];
    if (run === undefined) {
      rest += line[at];
      at += 1;
      continue;
    }
    const end = line.indexOf(run, at + run.length);
    if (end === -1) {
      rest += run;
      at += run.length;
      continue;
    }
    code.push(line.slice(at + run.length, end));
    rest += '\uE000';
    at = end + run.length;
  }
  return { code, rest };
}

function lineFaults(line: string): string[] {
  const { rest } = spans(line);
  const bare = rest.replaceAll(OUR_TAGS, '');
  const text = bare.replaceAll(/\\[!-/:-@[-`{-~]/g, '').replaceAll(/&(?:#\d+|[a-z]+);/g, '');
  const faults: string[] = [];
  if (/[<>]/.test(text)) faults.push(`a bare angle bracket: ${line}`);
  if (text.includes('`')) faults.push(`a bare backtick: ${line}`);
  // The breaking comments are gone from `bare`; in the page they stand between these characters.
  const page = rest.replaceAll('<!-- -->', '\uE001');
  if (/@[\w-]/.test(page)) faults.push(`a mention: ${line}`);
  if (/#\d/.test(page.replaceAll(/&#\d+;/g, ''))) faults.push(`an issue link: ${line}`);
  if (/:\/\/|www\./i.test(page.replaceAll(/:\uE001\/\/|:\/\/\uE001|www\.?\uE001/gi, ''))) {
    faults.push(`an address: ${line}`);
  }
  return faults;
}

/** Cells of a table row: an escaped pipe does not end one, a pipe in a code span does. */
function cellCount(line: string): number {
  return line.replaceAll(/\\[!-/:-@[-`{-~]/g, '').split('|').length - 2;
}

export function shapeOf(markdown: string): Shape {
  const faults: string[] = [];
  let seen = '';
  let fence: string | null = null;
  let open = 0;
  let columns = 0;
  for (const line of markdown.split('\n')) {
    if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(line.replaceAll('\t', ''))) faults.push('a control character');
    const marks = /^(`{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (line === fence) fence = null;
      else if (marks !== undefined && marks.length >= fence.length && line === marks) {
        faults.push('a fence closed early');
      }
      seen += `${line}\n`;
      continue;
    }
    if (marks !== undefined) {
      fence = marks;
      continue;
    }
    if (/^(?: {4}|\t)/.test(line)) faults.push(`an indented block: ${line}`);
    const { rest, code } = spans(line);
    open += (rest.match(/<details>/g) ?? []).length - (rest.match(/<\/details>/g) ?? []).length;
    if (open < 0 || open > 1) faults.push('folded blocks that are not balanced');
    if (line.startsWith('|')) {
      if (columns !== 0 && cellCount(line) !== columns)
        faults.push(`a row of other width: ${line}`);
      columns = cellCount(line);
    } else {
      columns = 0;
    }
    if (/^#{1,6}(?:\s|$)/.test(line) && !/^### [A-Z0-9]/.test(line))
      faults.push(`a foreign heading: ${line}`);
    faults.push(...lineFaults(line));
    let next = 0;
    seen += rest
      .replaceAll(OUR_TAGS, '')
      .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
      .replaceAll('\uE000', () => `\uE002${next++}\uE002`);
    seen = unescape(seen).replaceAll(
      /\uE002(\d+)\uE002/g,
      (_, index: string) => code[Number(index)] ?? '',
    );
    seen += '\n';
  }
  if (fence !== null) faults.push('a fence that stays open');
  if (open !== 0) faults.push('a folded block that stays open');
  return { faults, seen };
}
