/** Tests that the change breaks, beside the answer. */
import { allBroken, breakText } from '../prove-breaks.js';
import type { ProveView } from '../prove-wording.js';
import { page } from '../text.js';
import { type Sheet, row } from './sheet.js';

/** The tests that the change breaks, by their ids, with what they say. */
export function breakRows(sheet: Sheet, view: ProveView): void {
  const broken = allBroken(view);
  if (broken.length === 0) return;
  const { shown, more } = page(broken, sheet.limit);
  row(sheet, 'breaks', [
    ...shown.flatMap(({ test, message }) => [
      `${test}: ${breakText(view)}`,
      ...(message === null ? [] : [`  ${message}`]),
    ]),
    ...(more > 0 ? [`and ${more} more (-v)`] : []),
  ]);
}
