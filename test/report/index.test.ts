import { expect, test } from 'vitest';
import { FORMATS, parseReportOption, renderReport } from '../../src/report/index.js';
import { many } from './records.js';

test.each([
  ['markdown', { format: 'markdown', path: null }],
  ['markdown=out/report.md', { format: 'markdown', path: 'out/report.md' }],
  ['json=a=b.json', { format: 'json', path: 'a=b.json' }],
])('--report %s is understood', (option, value) => {
  expect(parseReportOption(option)).toEqual({ ok: true, value });
});

test.each([
  ['mark', 'there is no format "mark"; did you mean markdown?'],
  ['pdf=x', 'there is no format "pdf"; formats are terminal, markdown, json'],
  ['', 'there is no format ""; formats are terminal, markdown, json'],
  ['json=', 'the path after = is empty'],
])('--report %s is refused in words', (option, message) => {
  expect(parseReportOption(option)).toEqual({ ok: false, error: `--report ${option}: ${message}` });
});

test('every format renders, and ends with a line break', async () => {
  const options = {
    width: 80,
    colour: false,
    unicode: true,
    verbose: false,
    quiet: false,
    recordPath: null,
  };
  for (const format of FORMATS)
    expect(await renderReport(format, many, options)).toMatch(/[^\n]\n$/);
  expect(JSON.parse(await renderReport('json', many, options))).toEqual(many);
});
