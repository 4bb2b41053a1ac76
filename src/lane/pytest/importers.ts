/** Which test files name a module: by an import, or by its dotted name in a text. */

export interface TestFile {
  /** Relative to the tree. */
  readonly path: string;
  readonly text: string;
}

/**
 * Test files that name one of these modules: by an import, or by its dotted name in a text, as
 * mocks do.
 *
 * @param sources paths of changed source files, relative to the tree
 */
export function importersOf(
  sources: readonly string[],
  tests: readonly TestFile[],
): readonly string[] {
  const modules = sources.flatMap(modulesOf);
  if (modules.length === 0) return [];
  return tests.filter(({ text }) => names(text, modules)).map(({ path }) => path);
}

interface Module {
  /** `pkg.mod`: every ending of its path that has at least two names, and `mod` alone. */
  readonly dotted: readonly string[];
  readonly name: string;
}

function modulesOf(path: string): readonly Module[] {
  if (!path.endsWith('.py')) return [];
  const parts = path.replace(/\.py$/, '').split('/');
  if (parts.at(-1) === '__init__') parts.pop();
  const name = parts.at(-1);
  if (name === undefined) return [];
  return [{ name, dotted: parts.map((_, at) => parts.slice(at).join('.')) }];
}

const IMPORT =
  /^[ \t]*(?:from[ \t]+(?<from>[.\w]+)[ \t]+import[ \t]*(?<names>\([^)]*\)|[^\n#]+)|import[ \t]+(?<modules>[^\n#]+))/gm;

function names(text: string, modules: readonly Module[]): boolean {
  if (
    modules.some(({ dotted }) => dotted.some((each) => each.includes('.') && hasWord(text, each)))
  )
    return true;
  for (const { groups = {} } of text.matchAll(IMPORT)) {
    const { from, names: list = '', modules: whole = '' } = groups;
    const words = new Set((from === undefined ? whole : list).match(/[\w.]+/g));
    for (const { dotted, name } of modules) {
      if (
        from === undefined
          ? dotted.some((each) => words.has(each))
          : isFrom(from, words, dotted, name)
      )
        return true;
    }
  }
  return false;
}

function isFrom(
  from: string,
  words: ReadonlySet<string>,
  dotted: readonly string[],
  name: string,
): boolean {
  const plain = from.replace(/^\.+/, '');
  if (dotted.includes(plain)) return true;
  if (!words.has(name)) return false;
  // `from pkg import mod`, `from . import mod`: the module itself, not a name in another one.
  return plain === '' || dotted.includes(`${plain}.${name}`);
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + word.length]];
    if (!/[\w.]/.test(before) && !/\w/.test(after)) return true;
  }
  return false;
}
