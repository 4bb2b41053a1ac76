import { expect, test } from 'vitest';
import { renderReport } from '../../src/report/index.js';
import { PROVE_RECORDS } from './prove-records.js';

const OPTIONS = {
  width: 120,
  colour: false,
  unicode: true,
  verbose: false,
  quiet: false,
  recordPath: null,
};

test.each(['terminal', 'markdown'] as const)(
  'a hunk of lines that moved is named with both places: %s',
  async (format) => {
    const [record] = Object.values(PROVE_RECORDS);
    if (record?.prove === undefined) throw new Error('no record of prove');
    const [first, ...rest] = record.prove.changes;
    if (first === undefined) throw new Error('no change');
    const changes = [{ ...first, others: ['src/other.py:7'] }, ...rest];
    const text = await renderReport(
      format,
      { ...record, prove: { ...record.prove, changes } },
      OPTIONS,
    );
    expect(text).toContain('src/stream.py:14 + src/other.py:7');
  },
);

test.each(['terminal', 'markdown'] as const)(
  'parts of one file that stay for several reasons are told with each: %s',
  async (format) => {
    const [record] = Object.values(PROVE_RECORDS);
    const [first, ...rest] = record?.prove?.changes ?? [];
    if (record?.prove === undefined || first === undefined) throw new Error('no record of prove');
    const other = { ...first, class: 'other', file: 'src/lib.rs' } as const;
    const changes = [
      first,
      ...rest,
      ...['doctest', 'comments alone', 'doctest'].map((why, at) => ({
        ...other,
        id: `x${String(at)}`,
        why,
      })),
    ];
    const text = await renderReport(
      format,
      { ...record, prove: { ...record.prove, changes } },
      OPTIONS,
    );
    expect(text.match(/src\/lib\.rs.{0,3}\(doctest\)/g)).toHaveLength(1);
    expect(text).toContain('(comments alone)');
  },
);

test('what to type next has neither how the run showed itself, nor quotes that no shell needs', async () => {
  const [record] = Object.values(PROVE_RECORDS);
  if (record === undefined) throw new Error('no record of prove');
  const command = ['counterproof', 'prove', 'HEAD~1..HEAD', '--no-progress', '--report', 'json'];
  const text = await renderReport('terminal', { ...record, command }, OPTIONS);
  expect(text).toContain('counterproof prove HEAD~1..HEAD --report markdown   for the review');
});
