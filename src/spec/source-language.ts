/** The languages whose source can be read, told by a file's name. */
export type SourceLanguage = 'python' | 'rust';

/** null: none whose source can be read. */
export function sourceLanguage(file: string): SourceLanguage | null {
  if (/\.pyi?$/i.test(file)) return 'python';
  return /\.rs$/i.test(file) ? 'rust' : null;
}
