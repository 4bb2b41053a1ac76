/** Data as block YAML in which every text is quoted, or a block under `|`. */
import { quoteYaml } from './yaml-quote.js';

/** Keys of the formats; any other key is quoted. */
const BARE_KEY = /^[A-Za-z][A-Za-z0-9_-]*$/;

export type Emittable =
  | string
  | number
  | boolean
  | readonly Emittable[]
  | { readonly [key: string]: Emittable | undefined };

/** An entry of a list, ending with a line break; `indent` stands before its dash. */
export function emitItem(value: Emittable, indent: string): string {
  return `${indent}- ${emitBlock(value, `${indent}  `)}`;
}

/** What follows a dash, or a key and its colon with a blank; nested lines start with `indent`. */
function emitBlock(value: Emittable, indent: string): string {
  if (typeof value === 'string') return emitText(value, indent);
  if (typeof value !== 'object') return `${String(value)}\n`;
  if (isList(value)) {
    if (value.length === 0) return '[]\n';
    return value
      .map((item) => emitItem(item, indent))
      .join('')
      .slice(indent.length);
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return '{}\n';
  return entries
    .map(([key, item]) => `${indent}${emitEntry(key, item ?? '', indent)}`)
    .join('')
    .slice(indent.length);
}

function emitEntry(key: string, value: Emittable, indent: string): string {
  const name = BARE_KEY.test(key) ? key : quoteYaml(key);
  const deeper = `${indent}  `;
  if (typeof value !== 'object') return `${name}: ${emitBlock(value, deeper)}`;
  if (isList(value) && value.every((item) => typeof item !== 'object')) {
    const line = `[${value.map((item) => (typeof item === 'string' ? quoteYaml(item) : String(item))).join(', ')}]`;
    if (line.length <= 80) return `${name}: ${line}\n`;
  }
  const block = emitBlock(value, deeper);
  return /^[[{]/.test(block) ? `${name}: ${block}` : `${name}:\n${deeper}${block}`;
}

const isList = (value: object): value is readonly Emittable[] => Array.isArray(value);

/** Several lines that a block keeps exactly as they are: no odd blanks at either end of one. */
function emitText(text: string, indent: string): string {
  const lines = text.split('\n');
  const endsWithBreak = lines.at(-1) === '';
  if (endsWithBreak) lines.pop();
  const isPlainBlock =
    text.includes('\n') &&
    !/^\s/.test(text) &&
    lines.at(-1) !== '' &&
    lines.every((line) => line === '' || (!/\s$/u.test(line) && quoteYaml(line).length < 2000)) &&
    // Only what can be read in an editor as it is.
    !/[^\P{C}\n\t]|[\u2028\u2029\ufeff]/u.test(text);
  if (!isPlainBlock) return `${quoteYaml(text)}\n`;
  const body = lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('');
  return `${endsWithBreak ? '|' : '|-'}\n${body}`;
}
