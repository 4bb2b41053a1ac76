import { err, ok, unreachable, type Result } from '../result.js';
import type { FileEdit, Where } from '../spec/model.js';
import type { NotApplied } from './edit.js';
import { languageOf } from './language.js';
import { splitLines } from './lines.js';
import { makePatch } from './make-patch.js';
import { noChange, refused } from './problem.js';
import { linesThatFit, replaceOnLines } from './replace.js';

/** What a person asks for at the terminal, without a spec. */
export type AdHoc =
  | { readonly kind: 'remove' }
  | { readonly kind: 'replace'; readonly find: string; readonly with: string }
  | { readonly kind: 'raise' }
  | { readonly kind: 'patch'; readonly text: string }
  /** The file as it is to be. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

export interface AdHocRequest {
  /** The file as it is. */
  readonly bytes: Buffer;
  /** Root-relative. */
  readonly file: string;
  /** Its path as the person names it. */
  readonly typed: string;
  /** 1-based lines, inclusive; null: none was named. */
  readonly span: { readonly from: number; readonly to: number } | null;
  readonly asked: AdHoc;
  readonly where: Where;
}

/**
 * An edit that a spec can hold, and that finds its place by content: a line number is good
 * for the moment in which it was typed, so it is turned into a patch at once.
 */
export function adHocEdit(request: AdHocRequest): Result<FileEdit, NotApplied> {
  const { asked, file, where, bytes } = request;
  const base = { file, within: [], where };
  if (asked.kind === 'patch') return ok({ ...base, kind: 'patch', patch: asked.text });
  const after = editedBytes(request);
  if (!after.ok)
    return asked.kind === 'replace'
      ? err(asTyped(elsewhere(after.error, asked.find, request), asked))
      : after;
  if (asked.kind === 'replace' && request.span === null)
    return ok({ ...base, kind: 'replace', find: asked.find, with: asked.with, count: 1 });
  if (after.value.equals(bytes)) return noChange(file, 'the edit');
  const patch = makePatch(file, bytes, after.value);
  return patch.ok ? ok({ ...base, kind: 'patch', patch: patch.value }) : refused(file, patch.error);
}

function editedBytes({ bytes, file, span, asked }: AdHocRequest): Result<Buffer, NotApplied> {
  if (asked.kind === 'bytes') return ok(asked.bytes);
  const all = splitLines(bytes);
  if (asked.kind === 'replace')
    return replaceOnLines(all, file, span ?? { from: 1, to: all.count }, asked);
  if (span === null) return refused(file, 'name the line: FILE:LINE');
  switch (asked.kind) {
    case 'remove': {
      const language = languageOf(file);
      return language === null
        ? refused(
            file,
            'only statements of Python and Rust can be taken away; use --replace and --with',
          )
        : language.removeStatement(bytes, file, span.from, span.to);
    }
    case 'raise': {
      if (span.from > all.count)
        return refused(file, `line ${span.from} is not in the file, which has ${all.count}`);
      const language = languageOf(file);
      if (language === null)
        return refused(file, '`--raise` knows functions of Python and Rust only');
      const raised = language.raiseAtLine(all, span.from - 1, 'raise');
      return raised.ok ? raised : err({ kind: 'refused', path: file, why: raised.error });
    }
    case 'patch':
      throw new Error('Internal error: a patch is located, not made');
    default:
      return unreachable(asked);
  }
}

const MOST_LINES = 5;

/** A text that stands on other lines than the named ones: they are what the person looks for. */
function elsewhere(
  problem: NotApplied,
  find: string,
  { bytes, span, typed }: AdHocRequest,
): NotApplied {
  if (problem.kind !== 'no-match' || span === null) return problem;
  const fits = linesThatFit(splitLines(bytes), find);
  if (fits.length === 0) return problem;
  const named = span.from === span.to ? `line ${span.from}` : `lines ${span.from}-${span.to}`;
  const more = fits.length > MOST_LINES ? ` and ${fits.length - MOST_LINES} more` : '';
  const at = `${typed}:${fits.slice(0, MOST_LINES).join(', ')}${more}`;
  const why = `\`find\` is not on ${named}, and fits at ${at}`;
  return { kind: 'refused', path: typed, why };
}

/** Columns of a typed text that a message repeats. */
const MOST_SHOWN = 40;

/** In a spec the texts are `find` and `with`; here they are options. */
function asTyped(problem: NotApplied, { find }: { readonly find: string }): NotApplied {
  const [first = ''] = find.split('\n');
  const shown =
    first === find && find.length <= MOST_SHOWN ? find : `${first.slice(0, MOST_SHOWN)}…`;
  const typed = (text: string): string =>
    text
      .replaceAll('`find`', find === '' ? '--replace' : `--replace "${shown}"`)
      .replaceAll('`with`', '--with');
  if (problem.kind === 'ambiguous')
    return {
      ...problem,
      what: typed(problem.what),
      next: 'name the line, FILE:LINE, or give --replace more of the text',
    };
  if (problem.kind === 'no-change' && problem.why !== undefined)
    return { ...problem, why: typed(problem.why) };
  if ('what' in problem) return { ...problem, what: typed(problem.what) };
  return problem.kind === 'refused' ? { ...problem, why: typed(problem.why) } : problem;
}
