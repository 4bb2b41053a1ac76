/** What new and changed tests do without the fix, in words that every report shares. */
import type { FixTestRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import type { Face } from './face.js';
import { breakText, brokenRows } from './prove-breaks.js';
import type { ProveView } from './prove-wording.js';

/** A new test that passes without the fix is a finding; a changed one may always have been about something else. */
export function faceOfTest(view: ProveView, test: FixTestRecord): Face {
  const { kind, withoutFix } = test;
  if (brokenRows(view, test).length > 0) return 'refuted';
  switch (withoutFix) {
    case 'failed':
    case 'error':
    case 'crashed':
    case 'timeout':
      return 'pinned';
    case 'passed':
      return kind === 'new' ? 'refuted' : 'accepted';
    case 'broken':
    case 'flaky':
    case 'not-run':
      return 'no-evidence';
    default:
      return unreachable(withoutFix);
  }
}

/** `fails without the fix: …`, `passes on v1.2`. */
export function testText(view: ProveView, test: FixTestRecord): string {
  const { prove } = view;
  const broken = brokenRows(view, test);
  if (broken.length > 0) {
    const part = broken.length < test.rows.length;
    return `${part ? `${broken.length} of ${test.rows.length} rows: ` : ''}${breakText(view)}`;
  }
  const { withoutFix, rows } = test;
  const moved = rows.filter((row) => row.withoutFix !== 'passed' && row.withoutFix !== 'not-run');
  const some = rows.length > 1 && moved.length < rows.length && moved.length > 0;
  const which = some ? `${moved.length} of ${rows.length} rows: ` : '';
  const where = prove.arms === null ? 'without the fix' : `on ${prove.arms.old}`;
  return which + withoutText(withoutFix, test, where);
}

function withoutText(
  withoutFix: FixTestRecord['withoutFix'],
  { kind, message }: FixTestRecord,
  where: string,
): string {
  const said = message === null ? '' : `: ${message}`;
  switch (withoutFix) {
    case 'failed':
      return `fails ${where}${said}`;
    case 'error':
      return `errors ${where}${said}`;
    case 'crashed':
      return `crashes ${where}`;
    case 'timeout':
      return `hangs ${where}`;
    case 'passed':
      return `${message ?? 'passes'} ${where}${kind === 'changed' ? ' (changed, not new)' : ''}`;
    case 'broken':
      return `fails by a missing name alone${said}`;
    case 'flaky':
      return 'disagrees with itself';
    case 'not-run':
      return `no answer${said}`;
    default:
      return unreachable(withoutFix);
  }
}

/** Rows of a parametrised test that do not notice, where others do. */
export function quietRows({ rows, withoutFix }: FixTestRecord): readonly string[] {
  if (withoutFix === 'passed') return [];
  return rows.filter((row) => row.withoutFix === 'passed').map(({ row }) => row);
}
