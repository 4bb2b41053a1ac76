/** From the path that the compiler wrote into a panic to one that a reader can open. */
import path from 'node:path';

export interface SourceFolders {
  /** Absolute; what is shown is relative to it. */
  readonly root: string;
  /** Absolute; rustc is started here, so the paths of members are relative to it. */
  readonly workspace: string;
}

/** `src/lib.rs:10`, relative to the root where it lies in it; otherwise as the compiler wrote it. */
export function sourcePlace(
  at: { readonly file: string; readonly line: number },
  { root, workspace }: SourceFolders,
): string {
  const inRoot = path.relative(root, path.resolve(workspace, at.file));
  const outside = inRoot === '' || inRoot.startsWith('..') || path.isAbsolute(inRoot);
  const file = outside ? at.file : inRoot.replaceAll(path.sep, '/');
  return `${file}:${String(at.line)}`;
}
