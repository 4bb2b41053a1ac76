import { err, ok, unreachable, type Result } from '../result.js';
import type { FileEdit, Where } from '../spec/model.js';
import type { NotApplied } from './edit.js';
import { languageOf } from './language.js';
import { splitLines } from './lines.js';
import { makePatch } from './make-patch.js';
import { noChange, refused } from './problem.js';
import { replaceOnLines } from './replace.js';

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
  if (asked.kind === 'replace' && request.span === null)
    return ok({ ...base, kind: 'replace', find: asked.find, with: asked.with, count: 1 });
  const after = editedBytes(request);
  if (!after.ok) return after;
  if (after.value.equals(bytes)) return noChange(file, 'the edit');
  const patch = makePatch(file, bytes, after.value);
  return patch.ok ? ok({ ...base, kind: 'patch', patch: patch.value }) : refused(file, patch.error);
}

function editedBytes({ bytes, file, span, asked }: AdHocRequest): Result<Buffer, NotApplied> {
  if (asked.kind === 'bytes') return ok(asked.bytes);
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
    case 'replace':
      return replaceOnLines(splitLines(bytes), file, span, asked);
    case 'raise': {
      const lines = splitLines(bytes);
      if (span.from > lines.count)
        return refused(file, `line ${span.from} is not in the file, which has ${lines.count}`);
      const language = languageOf(file);
      if (language === null)
        return refused(file, '`--raise` knows functions of Python and Rust only');
      const raised = language.raiseAtLine(lines, span.from - 1, 'raise');
      return raised.ok ? raised : err({ kind: 'refused', path: file, why: raised.error });
    }
    case 'patch':
      throw new Error('Internal error: a patch is located, not made');
    default:
      return unreachable(asked);
  }
}
