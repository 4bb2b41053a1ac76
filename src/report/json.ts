/** The record and nothing else: what `record.json` holds. */
import type { RunRecord } from '../record/schema.js';
import { recordText } from '../record/store.js';

export function renderJson(record: RunRecord): string {
  return recordText(record);
}
