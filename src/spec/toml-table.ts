/** Whether a pyproject.toml holds a configuration of ours. */
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { valueAt } from './written.js';

/** A header as it is mostly written; also found in a file that does not parse. */
const HEADER = /^\s*\[+\s*tool\s*\.\s*counterproof\s*[.\]]/m;

export function hasTomlTable(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return false;
  }
  if (HEADER.test(text)) return true;
  if (!text.includes('counterproof')) return false;
  try {
    return valueAt(parse(text), ['tool', 'counterproof']) !== undefined;
  } catch {
    // Somebody else's broken file: pytest will say so.
    return false;
  }
}
