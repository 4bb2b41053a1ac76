/** Probe files: test files that stand in the tree only while a lane runs. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Check, faultAt, faultAtKey, whereIs } from './check.js';
import type { Probe } from './model.js';
import { checkPath } from './paths.js';
import { MAX_BYTES } from './read-text.js';
import type { ProbeInput } from './spec-schema.js';
import type { Path } from './written.js';

export function probesOf(
  check: Check,
  input: readonly ProbeInput[] | undefined,
  path: Path,
): readonly Probe[] {
  const probes = new Map<string, Probe>();
  for (const [index, entry] of (input ?? []).entries()) {
    const here = [...path, index];
    const at = checkPath(entry.path, check.bounds);
    if (!at.ok) faultAt(check, [...here, 'path'], at.error.message, at.error.hint);
    const content = contentOf(check, entry, here);
    if (!at.ok || content === null) continue;
    const first = probes.get(at.value);
    if (first !== undefined && !first.content.equals(content))
      faultAt(
        check,
        [...here, 'path'],
        `the probe ${at.value} is declared twice, with different content`,
        `The first one is on line ${first.where.line}.`,
      );
    if (first === undefined)
      probes.set(at.value, { path: at.value, content, where: whereIs(check, [...here, 'path']) });
  }
  return [...probes.values()];
}

function contentOf(check: Check, entry: ProbeInput, here: Path): Buffer | null {
  if (entry.content !== undefined && entry.source !== undefined) {
    faultAtKey(
      check,
      [...here, 'content'],
      '`source` and `content` exclude each other',
      'Keep one of them.',
    );
    return null;
  }
  if (entry.content !== undefined) return Buffer.from(entry.content);
  if (entry.source === undefined) {
    faultAt(
      check,
      here,
      'the probe has no content',
      'Add `content:`, or `source:` with the path of a file.',
    );
    return null;
  }
  const sourcePath = [...here, 'source'];
  const source = checkPath(entry.source, check.bounds);
  if (!source.ok) {
    faultAt(check, sourcePath, source.error.message, source.error.hint);
    return null;
  }
  const file = resolve(check.bounds.root, source.value);
  try {
    const stat = statSync(file);
    if (stat.isFile() && stat.size <= MAX_BYTES) return readFileSync(file);
    faultAt(
      check,
      sourcePath,
      stat.isFile() ? 'the file is too big for a probe' : 'this is no regular file',
    );
  } catch {
    faultAt(
      check,
      sourcePath,
      'the file cannot be read',
      'The path is relative to the root of the project.',
    );
  }
  return null;
}
