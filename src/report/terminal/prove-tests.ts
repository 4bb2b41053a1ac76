/** What each new or changed test does without the fix, beside its name. */
import { largest } from '../../lists.js';
import type { FixTestRecord } from '../../record/schema.js';
import { glyphOf, paintOf } from '../face.js';
import { faceOfTest, quietRows, testText } from '../prove-test-wording.js';
import { type ProveView } from '../prove-wording.js';
import { keepEnd, keepWords, padEnd, page, plural, visible, widthOf, wrap } from '../text.js';
import { type Sheet, cutRow, room, row } from './sheet.js';

/** Columns that are left beside a name for what its test does. */
const LEAST_SAID = 24;

export function testRows(sheet: Sheet, view: ProveView): void {
  const { prove } = view;
  const { shown, more } = pageOfTests(view, sheet.verbose ? sheet.limit : 12);
  const short = shortNames(prove.tests);
  const name = (test: string): string => visible(short(test));
  const most = Math.max(0, room(sheet) - 4 - LEAST_SAID);
  const width = largest(shown.map(({ test }) => widthOf(name(test))).filter((w) => w <= most));
  const entries = shown.flatMap((test) => {
    const face = faceOfTest(view, test);
    const paint = paintOf(face, sheet.palette);
    const glyph = glyphOf(face, sheet.glyphs);
    const said = testText(view, test);
    const paintGlyph = (text: string): string => text.replace(glyph, paint(glyph));
    const named = name(test.test);
    const rows = quietRows(test);
    return [
      ...(widthOf(named) <= width
        ? saidBeside(sheet, `${glyph} ${padEnd(named, width)}  `, said, paintGlyph)
        : [
            {
              text: `${glyph} ${keepEnd(named, room(sheet) - 2, sheet.glyphs.ellipsis)}`,
              paint: paintGlyph,
            },
            ...saidBeside(sheet, '    ', said, (text) => text),
          ]),
      ...(rows.length === 0 ? [] : [{ text: `  does not notice: ${rows.join(' ')}` }]),
    ];
  });
  cutRow(sheet, 'tests', entries);
  if (more > 0)
    row(sheet, '', [`and ${plural(more, 'more test')} that ${more === 1 ? 'fails' : 'fail'} (-v)`]);
}

/** Lines that a test's answer may take. */
const SAID_LINES = 3;

/** What a test does, beside its name and below it. */
function saidBeside(
  sheet: Sheet,
  head: string,
  said: string,
  paint: (text: string) => string,
): readonly { readonly text: string; readonly paint: (text: string) => string }[] {
  const indent = widthOf(head);
  const width = room(sheet) - indent;
  const lines = wrap(visible(said), width);
  const last = keepWords(lines.slice(SAID_LINES - 1).join(' '), width, sheet.glyphs.ellipsis);
  const kept = lines.length <= SAID_LINES ? lines : [...lines.slice(0, SAID_LINES - 1), last];
  return kept.map((line, index) => ({
    text: (index === 0 ? head : ' '.repeat(indent)) + line,
    paint,
  }));
}

/** As many as fit, in their order; one that does not fail is never among those left out. */
function pageOfTests(
  view: ProveView,
  limit: number,
): { readonly shown: readonly FixTestRecord[]; readonly more: number } {
  const { tests } = view.prove;
  const failing = tests.filter((test) => faceOfTest(view, test) === 'pinned');
  const left = Math.max(0, limit - (tests.length - failing.length));
  const kept = new Set(page(failing, left).shown);
  const shown = tests.filter((test) => faceOfTest(view, test) !== 'pinned' || kept.has(test));
  return { shown, more: tests.length - shown.length };
}

/** The function alone where that tells them apart. */
function shortNames(tests: readonly FixTestRecord[]): (test: string) => string {
  const last = (test: string): string => test.split('::').at(-1) ?? test;
  const counts = new Map<string, number>();
  for (const { test } of tests) counts.set(last(test), (counts.get(last(test)) ?? 0) + 1);
  return (test) => (counts.get(last(test)) === 1 ? last(test) : test);
}
