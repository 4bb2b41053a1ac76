/** Which edit the options of `try` ask for, one at a time. */
import { err, ok, type Result } from '../result.js';
import type { Place } from './place.js';

export interface EditOptions {
  readonly replace?: string | undefined;
  readonly with?: string | undefined;
  readonly raise: boolean;
  readonly patch?: string | undefined;
  readonly edit: boolean;
}

/** What is to be done, before the patch is read or the editor is opened. */
export type Asked =
  | { readonly kind: 'remove' }
  | { readonly kind: 'replace'; readonly find: string; readonly with: string }
  | { readonly kind: 'raise' }
  /** Of a file, or `-` for standard input. */
  | { readonly kind: 'patch'; readonly path: string }
  | { readonly kind: 'edit'; readonly line: number };

/** Those of the options that ask for an edit, as they are typed. */
export const namedEdits = (options: EditOptions): readonly string[] =>
  [
    options.replace === undefined ? null : '--replace',
    options.with === undefined ? null : '--with',
    options.raise ? '--raise' : null,
    options.patch === undefined ? null : '--patch',
    options.edit ? '--edit' : null,
  ].filter((option) => option !== null);

/** @returns in a sentence why it cannot be meant */
export function askedEdit(options: EditOptions, { span }: Place): Result<Asked, string> {
  const { replace, raise, patch, edit } = options;
  const named = namedEdits(options).filter((option) => option !== '--with');
  if (named.length > 1) return err(`${named.join(' and ')}: one edit at a time.`);
  if (options.with !== undefined && replace === undefined)
    return err('--with goes with --replace: say what is to be replaced.');
  if (replace !== undefined)
    return options.with === undefined
      ? err('--replace goes with --with: say what stands there instead ("" for nothing).')
      : ok({ kind: 'replace', find: replace, with: options.with });
  if (raise) return ok({ kind: 'raise' });
  if (patch !== undefined) return ok({ kind: 'patch', path: patch });
  if (edit) return ok({ kind: 'edit', line: span?.from ?? 1 });
  return span === null
    ? err(
        'What is to change? Add :LINE to take a statement away, or one of --replace and --with, --raise, --patch, --edit.',
      )
    : ok({ kind: 'remove' });
}
