/** The answer for all of it, and the sentence that says why. */
import { sentence } from '../proof/wording/words.js';
import type { ChangeRecord, ProveRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import type { Breaking } from './breaks.js';

type Overall = Pick<ProveRecord, 'overall' | 'reason'>;

/** Of a range that was taken back part by part. */
export function ofParts(records: readonly ChangeRecord[], whole: ProveRecord['whole']): Overall {
  const overall = overallOf(records, whole);
  return { overall, reason: reasonOf(overall, records, whole) + asidesText(records) };
}

/** Of two trees that were compared whole. */
export function ofArms(
  records: readonly ChangeRecord[],
  arms: readonly [string, string],
  whole: ProveRecord['whole'],
): Overall {
  const overall = overallOfArms(records, whole);
  return { overall, reason: armsReason(overall, arms, whole) };
}

export interface NewTests {
  /** That pass without the fix. */
  readonly vacuous: number;
  /** That fail with the fix in place. */
  readonly red: number;
}

/** What new tests do that nobody expects: a held range that ends with 1 all the same says why. */
export function withNewTests(answer: Overall, { vacuous, red }: NewTests): Overall {
  const isHeld = answer.overall === 'held';
  const said = [
    ...(isHeld && vacuous > 0 ? [`${countOf(vacuous, 'passes', 'pass')} without it.`] : []),
    ...(red > 0 ? [`${countOf(red, 'fails', 'fail')} with the fix in place.`] : []),
  ].join(' ');
  if (said === '') return answer;
  return { ...answer, reason: `${answer.reason} ${isHeld ? 'But ' : ''}${said}` };
}

/** What the change breaks comes first: it is the opposite of a test that holds it. */
export function withBreaks(
  answer: Overall,
  breaks: readonly Breaking[],
  arms: readonly [string, string] | null,
): Overall {
  if (breaks.length === 0) return answer;
  const said = breaks.map((group) => breakText(group, arms)).join(' ');
  const { overall, reason } = answer;
  return { overall, reason: overall === 'held' ? `${reason} But ${said}` : `${said} ${reason}` };
}

/** `test_a fails with this change and passes without it.` */
function breakText(
  { hunks: ids, tests }: Breaking,
  arms: readonly [string, string] | null,
): string {
  const isOne = tests.length === 1;
  const [fails, passes] = isOne ? ['fails', 'passes'] : ['fail', 'pass'];
  const what = ids === null ? 'this change' : hunks(ids);
  const [on, off] =
    arms === null
      ? [`with ${what}`, `without ${ids === null || ids.length === 1 ? 'it' : 'them'}`]
      : [`on ${arms[1]}`, `on ${arms[0]}`];
  return `${shortNames(tests)} ${fails} ${on} and ${passes} ${off}.`;
}

/** Two by name, of more the first; an id is given whole where a report lists them. */
function shortNames(tests: readonly string[]): string {
  const [first = '', second] = tests.map((test) => test.split('::').at(-1) ?? test);
  if (second === undefined) return first;
  return tests.length === 2 ? `${first} and ${second}` : `${first} and ${tests.length - 1} more`;
}

const countOf = (n: number, one: string, many: string): string =>
  n === 1 ? `1 new test ${one}` : `${n} new tests ${many}`;

/** Changes of source, and what is known of them. */
const sourceOf = (records: readonly ChangeRecord[]): readonly ChangeRecord[] =>
  records.filter((record) => record.class === 'source' && record.status !== 'aside');

/** `Hunk 3 is a version number that no test notices.` */
function asidesText(records: readonly ChangeRecord[]): string {
  const groups = new Map<string, ChangeRecord[]>();
  for (const record of records.filter(({ status }) => status === 'aside')) {
    const key = JSON.stringify([record.why, record.reason === null]);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].map((group) => ` ${asideText(group)}`).join('');
}

function asideText(group: readonly ChangeRecord[]): string {
  const why = group[0]?.why ?? '';
  const named = hunks(group.map(({ id }) => id));
  const what = group.length === 1 ? `a ${why}` : why.replace(/^\w+(?= of)|\w+$/, '$&s');
  if (group[0]?.reason != null) return `There is no evidence about ${named}, ${what}.`;
  const begin = `${named.charAt(0).toUpperCase()}${named.slice(1)}`;
  return `${begin} ${group.length === 1 ? 'is' : 'are'} ${what} that no test notices.`;
}

/** Two trees are one change: it is held, or not, or cannot be measured. */
function overallOfArms(
  records: readonly ChangeRecord[],
  whole: ProveRecord['whole'],
): ProveRecord['overall'] {
  const source = sourceOf(records);
  if (source.length === 0) return 'nothing-to-prove';
  const isWhole = source.every(({ status }) => status === 'skipped');
  return isWhole && whole !== null ? whole.state : 'not-measurable';
}

function armsReason(
  overall: ProveRecord['overall'],
  [old, fresh]: readonly [string, string],
  whole: ProveRecord['whole'],
): string {
  switch (overall) {
    case 'held':
      return `Tests that pass on ${fresh} fail on ${old}.`;
    case 'unheld':
    case 'partly-held':
      return `No test that passes on ${fresh} fails on ${old}.`;
    case 'nothing-to-prove':
      return `${old} and ${fresh} differ in nothing that a test could notice.`;
    case 'not-measurable':
      return noAnswer(whole?.reason ?? `not all of ${old} could be put in place`);
    default:
      return unreachable(overall);
  }
}

/** In doubt there is no answer: `held` needs every change held, `unheld` that nothing notices all of it. */
function overallOf(
  records: readonly ChangeRecord[],
  whole: ProveRecord['whole'],
): ProveRecord['overall'] {
  const source = sourceOf(records);
  if (source.length === 0) return 'nothing-to-prove';
  const count = (...statuses: readonly ChangeRecord['status'][]): number =>
    source.filter(({ status }) => statuses.includes(status)).length;
  const unknown = count('not-measurable');
  const missed = count('unheld', 'together', 'skipped');
  if (missed > 0 && (count('held') > 0 || whole?.state === 'held')) return 'partly-held';
  if (unknown > 0) return 'not-measurable';
  return missed > 0 ? 'unheld' : 'held';
}

function reasonOf(
  overall: ProveRecord['overall'],
  records: readonly ChangeRecord[],
  whole: ProveRecord['whole'],
): string {
  const source = sourceOf(records);
  const named = (...statuses: readonly ChangeRecord['status'][]): string =>
    hunks(source.filter(({ status }) => statuses.includes(status)).map(({ id }) => id));
  const missing = named('unheld', 'together');
  const unknown = named('not-measurable');
  const isOne =
    source.filter(({ status }) => status === 'unheld' || status === 'together').length === 1;
  const gone = `Nothing notices when ${missing} ${isOne ? 'is' : 'are'} gone.`;
  const also = unknown === '' ? '' : ` There is no evidence about ${unknown}.`;
  switch (overall) {
    case 'nothing-to-prove':
      if (records.some(({ status }) => status === 'aside'))
        return 'The range changes nothing that a test has to notice.';
      return records.some((record) => record.class === 'test')
        ? 'The range changes tests, and no source that they could hold.'
        : 'The range changes no source.';
    case 'held':
      if (records.some(({ status }) => status === 'aside'))
        return `The tests hold ${named('held')}.`;
      return source.length === 1
        ? 'A test fails without the fix.'
        : `The tests hold ${source.length === 2 ? 'both hunks' : `all ${source.length} hunks`}.`;
    case 'unheld':
      return 'No test fails without the fix.';
    case 'partly-held': {
      const kept = named('held');
      return `${kept === '' ? 'The tests hold the fix as a whole.' : `The tests hold ${kept}.`} ${gone}${also}`;
    }
    case 'not-measurable': {
      const kept = named('held');
      if (kept !== '') return `The tests hold ${kept}.${also}`;
      if (missing !== '') return `${gone}${also}`;
      if (source.length > 1 && whole?.state === 'held')
        return `The tests hold the fix as a whole.${also}`;
      return noAnswer(whole?.reason ?? source[0]?.reason ?? 'nothing was measured');
    }
    default:
      return unreachable(overall);
  }
}

const noAnswer = (why: string): string => sentence(`There is no answer: ${why}`);

/** `hunk 1`, `hunks 1 and 3`, `hunks 1, 2 and 5 more`. */
function hunks(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  if (ids.length === 1) return `hunk ${ids[0]}`;
  const shown = ids.length > 6 ? [...ids.slice(0, 4), `${ids.length - 4} more`] : ids;
  return `hunks ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
