/** Records with any names and messages in them, hostile ones far more often than by chance. */
import * as fc from 'fast-check';
import { VERDICTS } from '../../src/proof/verdict.js';
import type { ProofRecord, RunRecord } from '../../src/record/schema.js';
import { move, pinnedProof, proof, record } from './records.js';

const name = fc
  .array(
    fc.oneof(
      // Not any grapheme: cli-table3 brings a string-width of its own, and an older one, which
      // knows other widths for signs that were assigned since.
      fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
      fc.constantFrom(
        '`',
        '``',
        '|',
        '\\|',
        '<details>',
        '</summary>',
        '-->',
        '@someone',
        '#12',
        'https://a.example',
        '\u001B[2J',
        '\u202E',
        '\r\n',
        '\n\n# x',
        '日本',
        'tests/test_a.py::test_b',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const long = fc.tuple(name, fc.integer({ min: 1, max: 30 })).map(([text, n]) => text.repeat(n));

const anyName = fc.oneof({ arbitrary: name, weight: 9 }, { arbitrary: long, weight: 1 });

const anyMove = fc
  .record({ test: anyName, message: fc.option(anyName), at: fc.option(name) })
  .map(({ test, message, at }) => move(test, { message, at }));

const anyProof: fc.Arbitrary<ProofRecord> = fc
  .record({
    id: anyName,
    verdict: fc.constantFrom(...VERDICTS),
    reason: anyName,
    facts: fc.array(anyName, { maxLength: 3 }),
    next: fc.array(anyName, { maxLength: 3 }),
    patch: fc.option(anyName),
    expected: fc.array(anyMove, { maxLength: 5 }),
    also: fc.array(anyMove, { maxLength: 5 }),
    missing: fc.array(anyName, { maxLength: 4 }),
    accepted: fc.option(fc.record({ because: anyName, until: fc.constant(null) })),
    reached: fc.array(anyName, { maxLength: 5 }),
    group: name,
    selector: name,
    path: name,
    value: fc.jsonValue(),
  })
  .map(({ verdict, expected, also, missing, reached, group, selector, path, value, ...rest }) =>
    proof(verdict, {
      ...rest,
      flips: { declared: expected.length + missing.length, expected, missing, also },
      reach: { state: 'reached', by: reached, noticed: [], why: null },
      around: pinnedProof.around.map((each) => ({ ...each, group })),
      controls: pinnedProof.controls.map((each) => ({ ...each, selector, moved: also })),
      files: pinnedProof.files.map((each) => ({ ...each, path })),
      edits: [{ path, line: 1, scope: group }],
      kept: [{ path, keptAs: path }],
      probes: [{ path, sha256: 'a'.repeat(64) }],
      values: [
        { test: selector, key: group, values: { baseline: value, mutated: null }, same: false },
      ],
    }),
  );

/** A run of up to three mutations, or of the same ones `copies` times. */
export function anyRecord(copies: number): fc.Arbitrary<RunRecord> {
  return fc
    .record({
      proofs: fc.array(anyProof, { maxLength: 3 }),
      notVerified: fc.array(anyName, { maxLength: 4 }),
      stopped: fc.option(anyName),
    })
    .map(({ proofs, notVerified, stopped }) =>
      record(Array.from({ length: copies }, () => proofs).flat(), {
        notVerified,
        stopped,
        complete: stopped === null,
      }),
    );
}
