/**
 * Text from a project on its way into a GitHub comment: it must show as it is, link nothing,
 * mention nobody, and neither open nor close anything. Names of tests hold backticks, pipes,
 * HTML and `@` in real projects.
 */
import { largest } from '../../lists.js';
import { visible } from '../text.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

function entity(character: string): string {
  return ENTITIES.get(character) ?? `&#${character.codePointAt(0)};`;
}

/** Breaks what GitHub turns into links and mentions; the comment shows as nothing. */
const BREAK = '<!-- -->';

/**
 * Everything that Markdown or HTML could read as more than itself, as a character reference.
 * Addresses are also looked for in the text of inline HTML, after references were resolved.
 */
function inert(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{M}\p{N} .,:;/=+()%'-]/gu, entity)
    .replaceAll(/&#64;|:(?=\/\/)|www(?=\.)/gi, `$&${BREAK}`);
}

/**
 * Inline code that is safe in a paragraph, a list and a table cell. A plain span where that is
 * enough, since it reads well as source too; otherwise `<code>` with character references: in a
 * table a pipe ends the cell even inside a span, and `\\|` is read differently by implementations.
 */
export function code(raw: string): string {
  const text = visible(raw);
  const plain = text !== '' && !/[`|\\]/.test(text) && text.trim() === text && !text.includes('  ');
  return plain ? `\`${text}\`` : htmlCode(raw);
}

/** Inline code where Markdown is not read: inside `<summary>`. */
export function htmlCode(raw: string): string {
  const text = inert(visible(raw)).replaceAll(/^ | $|(?<= ) /g, '&#32;');
  return `<code>${text}</code>`;
}

/**
 * A sentence as plain text. Backslashes keep Markdown from reading it; `@name`, `#1`, `GH-1`
 * and addresses are linked after Markdown was read, so they are broken by an empty comment.
 */
export function prose(raw: string): string {
  return visible(raw)
    .replaceAll(/[\\`*{}[\]|~!$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\$&`)
    .replaceAll(/[&<>]/g, entity)
    .replaceAll(/(@|#|:\/\/|www\.|\bGH-)(?=[\w-])/gi, `$1${BREAK}`)
    .replace(
      /^(\s*)([-+=]|\d+[.)])(?=\s|=|-|$)/,
      (_, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`,
    )
    .replace(/^(\s*)(#+)(?=\s|$)/, String.raw`$1\$2`);
}

/** A fenced block whose fence is longer than any run of backticks in it. Line breaks and tabs stay. */
export function fence(raw: string, language: string): string {
  const lines = raw.replace(/\n$/, '').split('\n');
  const body = lines.map((line) => line.split('\t').map(visible).join('\t')).join('\n');
  const longest = largest(Array.from(body.matchAll(/`+/g), ([run]) => run.length));
  const marks = '`'.repeat(Math.max(3, longest + 1));
  return `${marks}${language}\n${body}\n${marks}`;
}

/** A table row; cells are finished Markdown. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function tableHead(titles: readonly string[]): string {
  return `${tableRow(titles)}\n${tableRow(titles.map(() => '---'))}`;
}

/** A folded block. `summary` is finished HTML, `body` finished Markdown. */
export function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
