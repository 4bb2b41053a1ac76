/** Failures that are no evidence: the mutated file could not be compiled or imported. */
import path from 'node:path';
import type { Breakage } from '../../proof/evidence.js';
import { messageOf } from './message.js';
import type { JunitCase, Mark } from './report.js';

/** The files under proof, each with the names under which an error may speak of it. */
export type TargetNames = readonly {
  /** Tree-relative, as shown. */
  readonly path: string;
  readonly names: readonly string[];
}[];

/**
 * @param tree absolute, resolved
 * @param cwd absolute: runners name files relative to it
 */
export function targetNames(
  targets: readonly { readonly path: string }[],
  { tree, cwd }: { readonly tree: string; readonly cwd: string },
): TargetNames {
  return targets.map((target) => {
    const full = path.resolve(tree, target.path);
    const near = path.relative(cwd, full);
    return { path: target.path, names: near.startsWith('..') ? [full] : [full, near] };
  });
}

/** Vite's and Python's words for source that does not parse. */
const NOT_COMPILED =
  /^(?:\w*Error: )?(?:Transform failed|Parse failure|Failed to parse source)|^(?:Syntax|Indentation|Tab)Error\b/;
const NOT_IMPORTED =
  /^(?:\w*Error: )?(?:Cannot find (?:module|package)|Failed to (?:resolve import|load url))|^(?:ImportError|ModuleNotFoundError)\b/;

/**
 * Node's loader names no file when a module does not compile or link. Nothing but the mutant
 * differs from the baseline, so it is the mutant that does not load. A SyntaxError that code
 * throws itself (`JSON.parse`) has other frames on top.
 */
const LOADER = /SyntaxError\b[^\n]*\n\s+at [^\n]*\(node:internal\/(?:modules|vm)/;

/** Why a red test is no evidence; null: nothing says that a file under proof did not load. */
export function brokenBy(mark: Mark, targets: TargetNames): string | null {
  const [first] = targets;
  if (first === undefined) return null;
  const about = messageOf(mark) ?? 'it could not be loaded';
  if (LOADER.test(mark.text)) return `${first.path}: ${about}`;
  if (!headsOf(mark).some((head) => NOT_COMPILED.test(head) || NOT_IMPORTED.test(head)))
    return null;
  const spoken = `${mark.message ?? ''}\n${withoutFrames(mark.text)}`;
  const named = targets.find(({ names }) => names.some((name) => spoken.includes(name)));
  return named === undefined ? null : `${named.path}: ${about}`;
}

/**
 * The places in which an error's own name stands: not just anywhere, for a test may well assert
 * about the words `SyntaxError`.
 */
function headsOf({ type, message, text }: Mark): readonly string[] {
  const marked = Array.from(text.matchAll(/^(?:E\s+|\s*cause: )(.+)$/gm), ([, said]) => said ?? '');
  return [type ?? '', (message ?? '').trimStart(), text.trimStart(), ...marked];
}

/** The frames of an ordinary error name the files whose code led to it. */
const withoutFrames = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s*(?:at|❯)\s|: in /.test(line))
    .join('\n');

/**
 * A red case that stands for a whole file, which could not be collected; null: it is a test.
 *
 * - Vitest gives it the file's name three times over;
 * - pytest gives it no class, and says so in its message.
 */
export function collectionFault(found: JunitCase, mark: Mark): Breakage | null {
  const { classname, name, suites } = found;
  if (name === null) return null;
  const isFile =
    name === classname &&
    name === suites.at(-1)?.name &&
    (name.includes('/') || /\.\w+$/.test(name));
  const byPytest = (classname ?? '') === '' && mark.message === 'collection failure';
  if (!isFile && !byPytest) return null;
  const heads = headsOf(mark);
  const isOf = (pattern: RegExp): boolean => heads.some((head) => pattern.test(head));
  const stage = isOf(NOT_COMPILED) ? 'compile' : isOf(NOT_IMPORTED) ? 'import' : 'collect';
  const marked = byPytest ? markedLine(mark) : null;
  const said = marked ?? messageOf(mark) ?? 'it could not be collected';
  return { stage, file: name, line: null, message: said.replace(/\.$/, '') };
}

/** pytest's message names no cause; the line that it marks with `E` does. */
const markedLine = ({ text }: Mark): string | null => /^E\s+(.+)$/m.exec(text)?.[1] ?? null;
