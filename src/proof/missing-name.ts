/** Failures by a name that is not there: they show that code was run, and nothing of what it does. */
import { isOfBuiltIn } from './built-in-attributes.js';

/** The name whose absence a failure is about. */
export interface MissingName {
  readonly name: string;
  /** `argument`: a call did not fit the function's parameters. */
  readonly kind: 'name' | 'attribute' | 'import' | 'argument';
}

/** Types that no code gives an attribute: that such a value is there at all is what the code did. */
const BUILT_IN =
  /^AttributeError: '(?:NoneType|NotImplementedType|ellipsis|bool|int|float|complex|str|bytes|bytearray|memoryview|list|tuple|dict|dict_\w+|set|frozenset|range|slice|generator|coroutine|async_generator)' object has no attribute '(?<name>[^']+)'/;

const FAILURES: readonly (readonly [RegExp, MissingName['kind']])[] = [
  [/^(?:NameError|UnboundLocalError): name '(?<name>[^']+)' is not defined/, 'name'],
  [/^NameError: (?:global |free )?(?:variable|name) '(?<name>[^']+)'/, 'name'],
  [/^UnboundLocalError: .*variable '(?<name>[^']+)'/, 'name'],
  [/^AttributeError: .* has no attribute '(?<name>[^']+)'/, 'attribute'],
  // From `mock.patch`, which looks before it replaces.
  [/^AttributeError: .* does not have the attribute '(?<name>[^']+)'/, 'attribute'],
  [/^AttributeError: (?<name>\w+)$/, 'attribute'],
  [/^ImportError: cannot import name '(?<name>[^']+)'/, 'import'],
  [/^ModuleNotFoundError: No module named '(?:[^']*\.)?(?<name>[^'.]+)'/, 'import'],
  [/^TypeError: .*got an unexpected keyword argument '(?<name>[^']+)'/, 'argument'],
  [
    /^TypeError: (?:[\w.<>]+\.)?(?<name>\w+)\(\) takes (?:exactly |at most |from )?\d+ .*positional arguments?/,
    'argument',
  ],
  [/^TypeError: (?:[\w.<>]+\.)?(?<name>\w+)\(\) takes no (?:keyword )?arguments/, 'argument'],
  [/^TypeError: (?:[\w.<>]+\.)?(?<name>\w+)\(\) missing \d+ required/, 'argument'],
];

/** Reads the first line of a failure; null: it is about no missing name. */
export function missingName(message: string | null): MissingName | null {
  const text = errorIn(message);
  if (BUILT_IN.test(text)) return null;
  for (const [pattern, kind] of FAILURES) {
    const name = pattern.exec(text)?.groups?.['name'];
    if (name !== undefined) return { name, kind };
  }
  return null;
}

/** A module's own path may stand before the error where a test's import is reported. */
const errorIn = (message: string | null): string =>
  (message ?? '').replace(/^(?:E\s+)?(?:[\w/.-]+:\d+: )?/, '').replace(/^builtins\./, '');

/**
 * The attribute that a value of a built-in type was asked for, where no built-in type has one of
 * that name. None is left out: that it is there in place of something else is what the code did.
 */
export function foreignAttribute(message: string | null): string | null {
  const text = errorIn(message);
  const name = BUILT_IN.exec(text)?.groups?.['name'];
  if (name === undefined || text.startsWith("AttributeError: 'No")) return null;
  return isOfBuiltIn(name) ? null : name;
}
