/** The tests that a mutation is expected to flip. */
import { type Check, faultAt, faultAtKey, whereIs } from './check.js';
import { listOf } from './fields.js';
import type { FlipExpectation, Flips } from './model.js';
import type { ExpectationInput, MutationInput } from './spec-schema.js';
import type { Path } from './written.js';

/** Optional for liveness, where it then means `any`. */
export function flipsOf(check: Check, input: MutationInput, path: Path): Flips {
  const here = [...path, 'flips'];
  const isLiveness = input.role === 'liveness';
  const { flips } = input;
  if (flips === undefined) {
    if (!isLiveness)
      faultAt(
        check,
        [...path, 'id'],
        `\`${input.id}\` does not say which tests flip`,
        'Add `flips:` with test ids, `flips: any` (some test moves) or `flips: none` (no test may move).',
      );
    return { kind: 'any' };
  }
  if (flips === 'any') return { kind: 'any' };
  if (flips === 'none') {
    if (isLiveness)
      faultAt(
        check,
        here,
        'a liveness mutation must flip something',
        'Remove `flips`, or name the tests.',
      );
    return { kind: 'none' };
  }
  const entries = listOf<string | ExpectationInput>(flips);
  if (entries.length === 0)
    faultAt(
      check,
      here,
      'the list of flips is empty',
      'Write `flips: none` where no test may move.',
    );
  const isList = Array.isArray(flips);
  const tests = entries.map((entry, index) =>
    expectationOf(check, typeof entry === 'string' ? { test: entry } : entry, {
      here: isList ? [...here, index] : here,
      isMapping: typeof entry !== 'string',
    }),
  );
  reportRepeated(check, tests, (index) => (isList ? [...here, index] : here));
  return { kind: 'tests', tests };
}

function expectationOf(
  check: Check,
  input: ExpectationInput,
  at: { readonly here: Path; readonly isMapping: boolean },
): FlipExpectation {
  const { here } = at;
  const testPath = at.isMapping ? [...here, 'test'] : here;
  if (isOtherType(check, input.test, testPath))
    faultAt(
      check,
      testPath,
      `expected the id of a test, found \`${input.test}\``,
      'Write the id of a test; `any` where at least one moves, `none` where none may. A test of that name: in quotes.',
    );
  const word = /^(?:any|none)$/i.exec(input.test)?.[0].toLowerCase();
  if (word !== undefined)
    faultAt(
      check,
      testPath,
      `\`${input.test}\` is no id of a test`,
      `Write \`flips: ${word}\`, alone.`,
    );
  if (input.count !== undefined && input.min !== undefined)
    faultAtKey(
      check,
      [...here, 'min'],
      '`count` and `min` exclude each other',
      '`count`: exactly so many flip; `min`: at least so many.',
    );
  const from = input.from ?? 'passed';
  const to = [...new Set(listOf(input.to ?? 'failed'))];
  if (to.length === 0)
    faultAt(
      check,
      [...here, 'to'],
      'the list of outcomes is empty',
      'Leave `to` out to expect `failed`.',
    );
  if (to.includes(from))
    faultAt(
      check,
      [...here, input.to === undefined ? 'from' : 'to'],
      `from \`${from}\` to \`${from}\` is no move`,
    );
  return {
    test: input.test,
    count: input.count ?? null,
    min: input.min ?? null,
    from,
    to,
    message:
      input.message === undefined ? null : patternOf(check, input.message, [...here, 'message']),
    where: whereIs(check, testPath),
  };
}

/** Ids are read as they stand, so that a boolean or a number is one where it has no quotes. */
function isOtherType({ written }: Check, test: string, path: Path): boolean {
  const { start } = written.spanOf(path);
  const isQuoted = /^["']/.test(written.source.text.slice(start, start + 1));
  return !isQuoted && /^(?:true|false|-?(?:0|[1-9]\d*))$/.test(test);
}

/** The slashes around a regular expression are optional; options behind them are not supported. */
function patternOf(check: Check, written: string, path: Path): string {
  const slashes = /^\/(.*)\/([a-z]*)$/su.exec(written);
  const pattern = slashes?.[1] ?? written;
  const options = slashes?.[2] ?? '';
  if (options !== '')
    faultAt(
      check,
      path,
      `options behind a regular expression (\`${options}\`) are not supported`,
      `Write /${pattern}/`,
    );
  const why = regexProblem(pattern);
  if (why !== null)
    faultAt(
      check,
      path,
      `not a regular expression: ${why}`,
      'Put a backslash before characters that are meant as they are: \\( \\[ \\.',
    );
  return pattern;
}

function regexProblem(pattern: string): string | null {
  try {
    return new RegExp(pattern) instanceof RegExp ? null : 'unknown';
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const why = text.slice(text.lastIndexOf(': ') + 2);
    return why.slice(0, 1).toLowerCase() + why.slice(1);
  }
}

/** The same id twice would count one flip for two. */
function reportRepeated(
  check: Check,
  tests: readonly FlipExpectation[],
  pathOf: (index: number) => Path,
): void {
  const seen = new Map<string, FlipExpectation>();
  for (const [index, test] of tests.entries()) {
    const first = seen.get(test.test);
    if (first === undefined) seen.set(test.test, test);
    else
      faultAt(
        check,
        pathOf(index),
        `\`${test.test}\` is named twice`,
        `The first one is on line ${first.where.line}.`,
      );
  }
}
