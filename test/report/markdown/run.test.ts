import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VERDICTS } from '../../../src/proof/verdict.js';
import { MARKDOWN_LIMIT, markerOf, renderMarkdown } from '../../../src/report/markdown/run.js';
import { visible } from '../../../src/report/text.js';
import { anyRecord } from '../any-record.js';
import { PROVE_RECORDS } from '../prove-records.js';
import {
  RECORDS as RUN_RECORDS,
  huge,
  inGroup,
  many,
  pinnedProof,
  proof,
  record,
  survivedProof,
} from '../records.js';
import { shapeOf } from './commonmark.js';

const RECORDS = { ...RUN_RECORDS, ...PROVE_RECORDS };

test.each(Object.entries(RECORDS))('the comment reads as expected: %s', async (name, it) => {
  const text = renderMarkdown(it);
  await expect(text).toMatchFileSnapshot(`../expected/markdown/${name}.md`);
  expect(shapeOf(text).faults).toEqual([]);
});

test('a comment begins with its id, the overall verdict in a sentence, and a line of totals', () => {
  expect(
    renderMarkdown(many)
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, 3),
  ).toEqual([
    markerOf(many),
    'The tests do not hold 1 of 24 mutations, and 2 could not be measured.',
    '**✗ 1 refuted, 2 without evidence, 1 accepted, 20 pinned; 3m 07s; exit 1**',
  ]);
});

describe('the hidden id', () => {
  test('is the same for another result of the same specs', () => {
    const after = record([proof('survived'), proof('pinned', { id: 'new' })], { durationMs: 1 });
    expect(markerOf(after)).toBe(markerOf(record([pinnedProof])));
    expect(markerOf(after)).toMatch(/^<!-- counterproof:[0-9a-f]{16} -->$/);
  });

  test('differs for other specs, another root and another shard', () => {
    const it = record([pinnedProof]);
    const others = [
      record([{ ...pinnedProof, spec: 'mutations/other.yaml' }]),
      { ...it, project: { ...it.project, root: 'sub' } },
      { ...it, selection: { ...it.selection, shard: { index: 1, total: 2, planHash: 'x' } } },
    ];
    expect(new Set([it, ...others].map(markerOf)).size).toBe(4);
  });

  test('differs for two trees that are compared, and each pair of them', () => {
    const it = Object.values(PROVE_RECORDS)[0];
    if (it?.prove === undefined) throw new Error('no record of prove');
    const { prove } = it;
    const armed = [null, { old: 'a', fresh: 'b' }, { old: 'b', fresh: 'a' }].map((arms) => ({
      ...it,
      prove: { ...prove, arms },
    }));
    expect(new Set(armed.map(markerOf)).size).toBe(3);
  });
});

test('what was not verified is always said', () => {
  for (const it of Object.values(RECORDS)) {
    const { seen } = shapeOf(renderMarkdown(it));
    expect(seen).toContain('### Not verified');
    for (const item of it.notVerified) expect(seen).toContain(visible(inGroup(item)));
  }
});

test('every verdict has its word, and says what it means', () => {
  for (const verdict of VERDICTS) {
    expect(renderMarkdown(record([proof(verdict)]))).toContain(`- **${verdict}**: `);
  }
});

test('controls are shown with their counts at every step, skipped ones included', () => {
  expect(renderMarkdown(record([pinnedProof]))).toContain(
    '| `tests/test_logprobs.py` | 39 passed, 1 skipped | 39 passed, 1 skipped | 39 passed, 1 skipped | held |',
  );
});

test('a patch stands in a fence that is longer than any run of backticks in it', () => {
  const text = renderMarkdown(record([{ ...survivedProof, patch: '-a\n+`````\n' }]));
  expect(text).toContain('``````diff\n-a\n+`````\n``````');
});

test('a mark that ends the patch early is not used to carry it', () => {
  const text = renderMarkdown(record([{ ...survivedProof, patch: '-a\n+b\nEND_OF_PATCH\n' }]));
  expect(text).toContain("<<'END_OF_PATCH_'");
});

test('a patch that cannot be shown as it is is not offered for copying', () => {
  expect(renderMarkdown(record([{ ...survivedProof, patch: '-a\r\n+b\n' }]))).not.toContain(
    'Check by hand',
  );
  expect(renderMarkdown(record([survivedProof]))).toContain('Check by hand');
});

describe('under the limit of a comment', () => {
  const sweep = record([
    ...Array.from({ length: 2000 }, (_, index) => ({ ...pinnedProof, id: `core-${index}` })),
    ...Array.from({ length: 20 }, (_, index) => ({ ...survivedProof, id: `gap-${index}` })),
  ]);

  test('rows and details go whole, the least important first, and are counted', () => {
    const text = renderMarkdown(sweep);
    expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    expect(shapeOf(text).faults).toEqual([]);
    for (let index = 0; index < 20; index += 1) expect(text).toContain(`| \`gap-${index}\` |`);
    const rows = text.match(/^\| `core-\d+` \| \*\*/gm)?.length ?? 0;
    const dropped = /rows of pinned mutations: (\d+)/.exec(text)?.[1];
    expect(rows).toBeGreaterThan(100);
    expect(rows + Number(dropped)).toBe(2000);
    expect(text).toContain('details of pinned mutations: 2000');
    expect(text).toContain('### Not verified');
  });

  test('statements of what was not verified do not push out the verdicts, nor vanish', () => {
    const text = renderMarkdown({
      ...record([survivedProof]),
      notVerified: Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(300)}`),
    });
    expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    expect(text).toContain('| `strip-request-ids` |');
    expect(text).toMatch(/statements of what was not verified: \d+/);
  });

  test('a proof of very long ids loses its lists one by one, and says which', () => {
    const long = (name: string): string => `tests/test_${name}.py::test_${'x'.repeat(3000)}`;
    const [move] = pinnedProof.flips.expected;
    if (move === undefined) throw new Error('the proof flips nothing');
    const moves = (name: string) =>
      Array.from({ length: 12 }, (_, n) => ({ ...move, test: long(`${name}${n}`) }));
    const text = renderMarkdown(
      record([{ ...pinnedProof, flips: { ...pinnedProof.flips, also: moves('also') } }]),
    );
    expect(text).toContain('Also moved:');
    const more = renderMarkdown(
      record([
        {
          ...pinnedProof,
          flips: { ...pinnedProof.flips, expected: moves('flip'), also: moves('also') },
        },
      ]),
    );
    expect(more.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    expect(more).toContain('| step | SHA-256 | result |');
    expect(more).toContain('Flipped:');
    expect(more).toMatch(/^Left out, all of it in the record: the tests that also moved/m);
    expect(more).not.toContain('details of pinned mutations');
  });

  test('500 moved tests fit', () => {
    expect(renderMarkdown(huge).length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
    expect(renderMarkdown(huge)).toContain('and 470 more in the record');
  });
});

test.each([1, 40])(
  'no name breaks out of its place, and none is lost (%d copies)',
  (copies) => {
    fc.assert(
      fc.property(anyRecord(copies), (it) => {
        const text = renderMarkdown(it);
        expect(text.length).toBeLessThanOrEqual(MARKDOWN_LIMIT);
        const { faults, seen } = shapeOf(text);
        expect(faults).toEqual([]);
        // An id that is not there is counted among the rows that were left out.
        const lost = it.proofs.filter(({ id }) => !seen.includes(visible(id))).length;
        const counted = Array.from(text.matchAll(/rows of [\w-]+ mutations: (\d+)/g), ([, n]) =>
          Number(n),
        );
        expect(lost).toBeLessThanOrEqual(counted.reduce((sum, n) => sum + n, 0));
      }),
      { numRuns: copies === 1 ? 40 : 6 },
    );
  },
  300_000,
);
