/**
 * Whether a path is meant by what a person wrote for paths: a file, a folder with all below it,
 * or a pattern in which `*` stands for anything but `/`, and `**` for anything.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  if (plain === '' || plain === '.') return true;
  const source = plain
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((piece) => PIECES.get(piece) ?? piece.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`))
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`, 's').test(path);
}

const PIECES: ReadonlyMap<string, string> = new Map([
  ['**/', '(?:.*/)?'],
  ['**', '.*'],
  ['*', '[^/]*'],
  ['?', '[^/]'],
]);
