/** What stands at the end of every report: red tests, an early end, the closing line. */
import { sentence } from '../../proof/wording/words.js';
import type { RunRecord } from '../../record/schema.js';
import { duration, page, plural, visible, widthOf } from '../text.js';
import { unprovenIds } from '../wording.js';
import { type Sheet, blank, row, spread, text } from './sheet.js';

interface RedBefore {
  /** When they were red: beside what is then an edit. */
  readonly heading: string;
  /** Those that stand elsewhere in the report. */
  readonly told: readonly { readonly test: string }[];
}

/** Tests that were red before anything was changed: once, by id, never as flips. */
export function preExisting(
  sheet: Sheet,
  record: RunRecord,
  { heading, told }: RedBefore = { heading: 'before the edit already', told: [] },
): void {
  const known = new Set(told.map(({ test }) => test));
  for (const lane of record.lanes) {
    const where = record.lanes.length === 1 ? '' : ` in lane ${lane.name}`;
    const red = lane.preExisting
      .filter(({ test }) => !known.has(test))
      .map(({ test, outcome }) => `${test} (${outcome})`);
    const uncollected = lane.collectionErrors.map(
      ({ file, message }) => `${file ?? 'a file'}: ${message}`,
    );
    listed(sheet, 'red', red, `${heading}${where}, no flips:`);
    listed(sheet, 'red', uncollected, `not collected, ${heading}${where}:`);
    listed(
      sheet,
      'aside',
      lane.quarantined.map(({ test, because }) => `${test}: ${because}`),
      `in quarantine${where}:`,
    );
  }
}

export function listed(
  sheet: Sheet,
  label: string,
  items: readonly string[],
  heading: string,
): void {
  if (items.length === 0) return;
  const { shown, more } = page(items, sheet.limit);
  row(sheet, label, [
    heading,
    ...shown.map((item) => `  ${item}`),
    ...(more > 0 ? [`  and ${more} more (-v)`] : []),
  ]);
}

export function unfinished(sheet: Sheet, record: RunRecord): void {
  const ids = unprovenIds(record);
  if (record.complete && ids.length === 0) return;
  blank(sheet);
  if (!record.complete) {
    text(
      sheet,
      sentence(`The run ended early: ${record.stopped ?? 'the reason was not recorded'}`),
    );
  }
  listed(sheet, 'unproven', ids, `${plural(ids.length, 'mutation')} had no turn:`);
}

/** `2 refuted, 9 pinned, 5.2s, record in …      exit 1` */
export function closingLine(
  sheet: Sheet,
  answer: string,
  record: RunRecord,
  recordPath: string | null,
): void {
  const said = `${answer}, ${duration(record.durationMs)}`;
  const exit = `exit ${record.exitCode}`;
  if (recordPath === null) {
    spread(sheet, said, exit);
    return;
  }
  const whole = `${said}, record in ${recordPath}`;
  const fits = widthOf(visible(whole)) + 2 + widthOf(exit) <= sheet.look.width;
  if (!fits) row(sheet, 'record', [recordPath]);
  spread(sheet, fits ? whole : said, exit);
}
