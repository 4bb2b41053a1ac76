import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VERDICTS } from '../../../src/proof/verdict.js';
import { recordSchema } from '../../../src/record/schema.js';
import { type TerminalOptions, renderRun } from '../../../src/report/terminal/run.js';
import { visible, widthOf } from '../../../src/report/text.js';
import { anyRecord } from '../any-record.js';
import { PROVE_RECORDS } from '../prove-records.js';
import { RECORDS as RUN_RECORDS, inGroup, many, pinnedProof, proof, record } from '../records.js';

const plain: TerminalOptions = {
  width: 80,
  colour: false,
  unicode: true,
  verbose: false,
  quiet: false,
  recordPath: '.counterproof/runs/20261130-013612-4711',
};

const RECORDS: typeof RUN_RECORDS = { ...RUN_RECORDS, ...PROVE_RECORDS };

async function expectFile(name: string, text: string): Promise<void> {
  // Colour codes as a visible sign, so that the file can be read in a review.
  await expect(text.replaceAll('\u001B', '␛')).toMatchFileSnapshot(
    `../expected/terminal/${name}.txt`,
  );
}

test.each(Object.keys(RECORDS))('the record "%s" is a valid one', (name) => {
  expect(recordSchema.safeParse(RECORDS[name]).error?.issues ?? []).toEqual([]);
});

test.each([
  ['--report json=a.json -v', '-v --report markdown'],
  ['--report=json --write a.yaml HEAD', 'HEAD --report markdown'],
  ['HEAD -- -k fast --report x', 'HEAD --report markdown -- -k fast --report x'],
])('after prove %s the next command is prove %s', (typed, next) => {
  const { 'prove-partly': partly = many } = PROVE_RECORDS;
  const command = ['/usr/bin/counterproof', 'prove', ...typed.split(' ')];
  const text = renderRun({ ...partly, command }, { ...plain, width: 200 });
  expect(text).toContain(`counterproof prove ${next}   for the review`);
});

describe('the report reads as expected', () => {
  test.each(Object.entries(RECORDS))('at 80 columns: %s', async (name, it) => {
    await expectFile(`${name}.80`, renderRun(it, plain));
  });

  test.each(['pinned', 'survived-reached', 'control-moved', 'many', 'hostile', 'prove-partly'])(
    'at 40 columns: %s',
    async (name) => {
      await expectFile(`${name}.40`, renderRun(RECORDS[name] ?? many, { ...plain, width: 40 }));
    },
  );

  test.each(['partial', 'many'])('in colour: %s', async (name) => {
    await expectFile(
      `${name}.colour`,
      renderRun(RECORDS[name] ?? many, { ...plain, colour: true }),
    );
  });

  test.each(['control-moved', 'many', 'not-restored'])('in ASCII: %s', async (name) => {
    await expectFile(
      `${name}.ascii`,
      renderRun(RECORDS[name] ?? many, { ...plain, unicode: false }),
    );
  });

  test.each(['survived-reached', 'many', 'alike'])('verbose: %s', async (name) => {
    await expectFile(
      `${name}.verbose`,
      renderRun(RECORDS[name] ?? many, { ...plain, verbose: true }),
    );
  });

  test.each(['pinned', 'many', 'alike', 'prove-partly', 'prove-joined'])(
    'quiet: %s',
    async (name) => {
      await expectFile(
        `${name}.quiet`,
        renderRun(RECORDS[name] ?? many, { ...plain, quiet: true }),
      );
    },
  );
});

test('colour stands only on glyph, verdict and diff, and changes no letter', () => {
  const coloured = renderRun(many, { ...plain, colour: true });
  expect(stripVTControlCharacters(coloured)).toBe(renderRun(many, plain));
  const painted = Array.from(
    coloured.replaceAll('\u001B', '␛').matchAll(/␛\[3[1-8]m([^␛]*)/g),
    ([, inner]) => inner,
  );
  for (const inner of painted) expect(inner).toMatch(/^([✓~✗?‼]( [A-Z-]+)?|[a-z-]+|[-+] .*)$/);
});

test('ASCII glyphs stand where Unicode is absent', () => {
  const text = renderRun(many, { ...plain, unicode: false });
  expect(text).toMatch(/^\+ alive/m);
  expect(text).toMatch(/^x strip-request-ids/m);
  // The spec's own words may hold what they like; everything of ours is ASCII.
  expect(renderRun(record([pinnedProof]), { ...plain, unicode: false })).toMatch(/^[\n -~]*$/);
});

test('a stored record renders as the live one did', () => {
  for (const it of Object.values(RECORDS)) {
    const stored = recordSchema.parse(JSON.parse(JSON.stringify(it)));
    expect(renderRun(stored, plain)).toBe(renderRun(it, plain));
  }
});

test('the last line holds the answer and the exit code', () => {
  for (const it of Object.values(RECORDS)) {
    expect(renderRun(it, plain).trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`exit ${it.exitCode}$`),
    );
  }
});

test('what was not verified is said in every form, quiet ones too', () => {
  for (const it of Object.values(RECORDS)) {
    for (const quiet of [true, false]) {
      const said = renderRun(it, { ...plain, width: 200, quiet });
      const words = said.replaceAll(/\s+/g, ' ');
      for (const item of it.notVerified)
        expect(words).toContain(visible(inGroup(item)).replaceAll(/\s+/g, ' '));
    }
  }
  const silent = record([pinnedProof], { notVerified: [] });
  expect(renderRun(silent, plain)).toMatch(/^not run {3}the run noted nothing here/m);
});

test('the answer of prove is broken at any width, and loses no letter', () => {
  const { 'prove-partly': partly } = PROVE_RECORDS;
  if (partly?.prove === undefined) throw new Error('no record of prove');
  const letters = Array.from({ length: 200 }, (_, at) => String(at % 10)).join(' ');
  const it = { ...partly, prove: { ...partly.prove, reason: letters } };
  for (let width = 20; width <= 120; width += 1) {
    const said = renderRun(it, { ...plain, width });
    expect(said.replaceAll(/\s+/g, ' ')).toContain(letters);
    expect(Math.max(...said.split('\n').map(widthOf))).toBeLessThanOrEqual(width);
  }
});

test('every verdict has a line, in words and with its glyph', () => {
  for (const verdict of VERDICTS) {
    const said = renderRun(record([proof(verdict)]), plain);
    expect(said).toMatch(new RegExp(`^[✓✗?‼] ${verdict.toUpperCase()}  rename-pause-route: `, 'm'));
  }
});

test('an ad hoc mutation has no name of its own to show', () => {
  expect(renderRun(record([{ ...pinnedProof, spec: null }]), plain)).toContain(
    '✓ PINNED  1 test notices',
  );
});

test('500 moves are paged, and whole with -v', () => {
  const it = RECORDS['huge'] ?? many;
  expect(renderRun(it, plain)).toContain('and 495 more (-v)');
  expect(renderRun(it, plain).split('\n').length).toBeLessThan(50);
  expect(renderRun(it, { ...plain, verbose: true })).toContain('[499-');
});

test('beyond a hundred mutations pinned ones are counted, all others listed', () => {
  const sweep = record([
    ...Array.from({ length: 300 }, (_, index) => ({ ...pinnedProof, id: `core-${index}` })),
    proof('survived', { id: 'the-one' }),
  ]);
  const said = renderRun(sweep, plain);
  expect(said).toContain('and 300 pinned (-v lists them)');
  expect(said).toMatch(/^✗ the-one /m);
  const whole = renderRun(sweep, { ...plain, verbose: true });
  expect(whole).toMatch(/^✓ core-0 /m);
  expect(whole).toMatch(/^✓ core-299 /m);
  expect(whole.match(/^ {2}mutation /gm)).toHaveLength(1);
});

test('a file that is not back is said, whatever the verdict is', () => {
  const sums = { path: 'a.py', baseline: 'a'.repeat(64), mutated: 'b'.repeat(64) };
  const away = { ...pinnedProof, files: [{ ...sums, restored: 'b'.repeat(64) }] };
  const unknown = { ...pinnedProof, files: [{ ...sums, restored: null }] };
  expect(renderRun(record([pinnedProof, away]), plain)).toContain('FILES ARE NOT BACK');
  expect(renderRun(record([pinnedProof, unknown]), plain)).toContain('files were not checked');
  const created = {
    ...pinnedProof,
    steps: [],
    files: [{ ...sums, baseline: null, restored: null }],
  };
  expect(renderRun(record([pinnedProof, created]), plain)).toContain('files were not checked');
  expect(renderRun(record([pinnedProof, pinnedProof]), plain)).toContain('every file is back');
});

test('no line is wider than the terminal, and none can steer it, whatever the names are', () => {
  fc.assert(
    fc.property(
      anyRecord(1),
      fc.constantFrom(20, 40, 80, 160),
      fc.boolean(),
      fc.boolean(),
      (it, width, colour, verbose) => {
        const lines = renderRun(it, { ...plain, width, colour, verbose }).split('\n');
        const steering = lines.filter((line) =>
          /[\p{Cc}\p{Cf}\p{Cs}]/u.test(line.replaceAll('\u001B', '␛').replaceAll(/␛\[\d+m/g, '')),
        );
        expect(steering).toEqual([]);
        expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
}, 300_000);
