/** Changes of source that no test need notice: they are measured and shown, and spoil no answer. */
import type { Part } from '../mutation/file-change.js';
import { contentOf, displayText, splitLines } from '../mutation/lines.js';

export const VERSION_NUMBER = 'version number';
export const CI_SCRIPT = 'script of CI';

/** What such a change is, as its reason to be of class `source` says it. */
export type Aside = typeof VERSION_NUMBER | typeof CI_SCRIPT;

export const asideOf = (why: string): Aside | null =>
  why === VERSION_NUMBER || why === CI_SCRIPT ? why : null;

const CI_FOLDERS = new Set([
  '.azure-pipelines',
  '.buildkite',
  '.ci',
  '.circleci',
  '.github',
  '.gitlab',
]);

/**
 * At the top of the tree alone: within a package such a folder is a module as any other. `ci` may
 * be the name of a package there too, whose code is what the tests are about.
 */
export const isCiScript = (path: string): boolean =>
  CI_FOLDERS.has(path.split('/', 1)[0] ?? '') || /^ci\/.*\.sh$/.test(path);

const NUMBER = String.raw`[vV]?\d+(?:\.\d+)+[\w.+-]*`;
const STRING = String.raw`(?:"${NUMBER}"|'${NUMBER}')`;
const TUPLE = String.raw`\(\s*\d+\s*(?:,\s*(?:\d+|"\w*"|'\w*')\s*)+,?\s*\)`;
const VALUE = String.raw`(?:\s*:\s*[\w.\[\], ]+)?\s*=\s*(?:${STRING}|${TUPLE})\s*(?:#.*)?$`;

const OWN_NAME = new RegExp(`^(?<name>__version__|__version_info__|__version_tuple__)${VALUE}`);
/** A name that may stand for the version of a protocol or a format elsewhere. */
const ANY_NAME = new RegExp(`^(?<name>version|VERSION|version_info|version_tuple)${VALUE}`);
const PYTHON_FILE = /(?:^|\/)_{0,2}(?:version|about)_{0,2}\.py$/;
const TEXT_FILE = /(?:^|\/)version(?:\.txt)?$/i;
const TEXT = new RegExp(String.raw`^(?<name>)(?:${NUMBER}|[vV]?\d+)$`);

/** Whether nothing but numbers of a version changed, line by line, under the same names. */
export function isVersionNumber([part, ...others]: readonly Part[]): boolean {
  if (part?.kind !== 'lines' || others.length > 0) return false;
  const { before, after, path } = part.file;
  if (before === null || after === null) return false;
  const [old, fresh] = [namesIn(path, before, part.old), namesIn(path, after, part.fresh)];
  return old !== null && fresh !== null && old.join('\n') === fresh.join('\n');
}

/** null: some line is something else. */
function namesIn(
  path: string,
  bytes: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
): readonly string[] | null {
  const lines = splitLines(bytes);
  const names: string[] = [];
  for (let line = from; line < to; line += 1) {
    const name = nameIn(path, displayText(contentOf(lines, line)));
    if (name === null) return null;
    names.push(name);
  }
  return names;
}

function nameIn(path: string, line: string): string | null {
  const patterns = TEXT_FILE.test(path)
    ? [TEXT]
    : [...(path.endsWith('.py') ? [OWN_NAME] : []), ...(PYTHON_FILE.test(path) ? [ANY_NAME] : [])];
  for (const pattern of patterns) {
    const found = pattern.exec(line)?.groups;
    if (found !== undefined) return found['name'] ?? '';
  }
  return null;
}
