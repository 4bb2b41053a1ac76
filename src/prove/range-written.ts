/** How people write a range. */
export type WrittenRange =
  /** One commit against its first parent. */
  | { readonly kind: 'commit'; readonly rev: string; readonly text: string }
  /** What `b` has since it left `a`. */
  | { readonly kind: 'between'; readonly a: string; readonly b: string; readonly text: string };

/** `REV`, `REV^!`, `A..B` and `A...B`, where `HEAD` may be left out. A long commit id is shown short. */
export function readRange(written: string): WrittenRange {
  const [, before, dots, after] = /^(.*?)(\.{2,3})(.*)$/s.exec(written) ?? [];
  if (dots === undefined) {
    const rev = written.replace(/\^!$/, '');
    return { kind: 'commit', rev, text: /^[0-9a-f]{12,}$/.test(rev) ? shortId(rev) : rev };
  }
  const [a, b] = [before, after].map((rev) => (rev === undefined || rev === '' ? 'HEAD' : rev));
  return { kind: 'between', a: a ?? 'HEAD', b: b ?? 'HEAD', text: `${a}${dots}${b}` };
}

export const shortId = (commit: string): string => commit.slice(0, 10);
