/** The file that a unified diff is for, as its own headers say. */

export type PatchTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string; readonly hint: string };

/**
 * Reads `--- a/…` and `+++ b/…` where a hunk follows them: a deleted line `-- x` looks like a
 * header, but never has the other two lines behind it.
 */
export function patchTarget(patch: string): PatchTarget {
  const lines = patch.split(/\r?\n/);
  const paths: string[] = [];
  for (let at = 0; at + 2 < lines.length; at += 1) {
    const [old, now, hunk] = lines.slice(at, at + 3);
    if (old?.startsWith('--- ') !== true || now?.startsWith('+++ ') !== true) continue;
    if (hunk?.startsWith('@@') !== true) continue;
    const before = nameIn(old);
    const after = nameIn(now);
    if (after === '/dev/null')
      return { kind: 'refused', why: 'the patch deletes its file', hint: 'Write `delete: true`.' };
    if (before === '/dev/null')
      return {
        kind: 'refused',
        why: 'the patch creates its file',
        hint: 'Write `create:` with the content.',
      };
    if (after.startsWith('"'))
      return {
        kind: 'refused',
        why: "the path in the patch's header is quoted",
        hint: 'Write the path as `file:`.',
      };
    const path = before.startsWith('a/') && after.startsWith('b/') ? after.slice(2) : after;
    if (!paths.includes(path)) paths.push(path);
  }
  const [only] = paths;
  if (only === undefined) return { kind: 'none' };
  return paths.length === 1 ? { kind: 'file', path: only } : { kind: 'several', paths };
}

/** Behind a tab some tools write the time. */
const nameIn = (header: string): string => (header.slice(4).split('\t')[0] ?? '').trimEnd();

/** Whether there is anything in the patch that could change a line. */
export const hasHunk = (patch: string): boolean => /^@@/m.test(patch) && /^[+-]/m.test(patch);
