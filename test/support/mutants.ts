/** Mutants by textual rules, for comparisons of many: the same ones for the same text. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly find: string;
  readonly with: string;
  /** The whole file. */
  readonly content: string;
}

const RULES: readonly (readonly [RegExp, string])[] = [
  [/ == /, ' != '],
  [/ != /, ' == '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ and /, ' or '],
  [/ or /, ' and '],
  [/\bnot in\b/, 'in'],
  [/\bis not\b/, 'is'],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/\breturn (?!None\b)\S.*[^,([{\\]$/, 'return None'],
  [/\bTrue\b/, 'False'],
  [/^( *)raise .*[^,([{\\]$/, '$1pass'],
  [/\byield \w+$/, 'pass'],
];

/**
 * @param most how many at most, spread evenly over all that there are
 */
export function mutantsOf(sources: ReadonlyMap<string, string>, most: number): readonly Mutant[] {
  const all = [...sources].flatMap(([file, text]) => mutantsOfFile(file, text));
  const step = Math.max(1, all.length / most);
  const chosen = Array.from({ length: Math.min(most, all.length) }, (_, at) => {
    const mutant = all[Math.floor(at * step)];
    if (mutant === undefined) throw new Error('no such mutant');
    return mutant;
  });
  return chosen.map((mutant, at) => ({ ...mutant, id: `m${at}` }));
}

function mutantsOfFile(file: string, text: string): readonly Mutant[] {
  const lines = text.split('\n');
  let docstring = false;
  return lines.flatMap((line, at) => {
    const quotes = line.match(/"""|'''/g)?.length ?? 0;
    const inText = docstring || quotes > 0;
    if (quotes % 2 === 1) docstring = !docstring;
    if (inText || /^\s*#|^\s*$|^\s*@|>>>/.test(line)) return [];
    return RULES.flatMap(([from, to]) => {
      const changed = line.replace(from, to);
      if (changed === line) return [];
      const content = lines.with(at, changed).join('\n');
      return [{ id: '', file, line: at + 1, find: line, with: changed, content }];
    });
  });
}
