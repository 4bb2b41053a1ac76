/** The format of a spec file, `mutations/*.yaml`: validation, input types and JSON Schema in one. */
import { z } from 'zod';
import { OUTCOMES } from '../proof/outcome.js';
import { code, flag, many, name, plain, text, version, WORD_CHARACTERS } from './fields.js';

/** What can be done to a file; each edit has exactly one of these. */
export const EDIT_KINDS = [
  'patch',
  'replace',
  'raise',
  'create',
  'delete',
  'from',
  'revert',
  'apply',
] as const;

export type EditKind = (typeof EDIT_KINDS)[number];

/** Refuted verdicts that can be a known gap. A stale acceptance is itself about an acceptance. */
export const ACCEPTABLE = [
  'survived',
  'partial',
  'moved-otherwise',
  'caught-elsewhere',
  'control-moved',
] as const;

const ONLY_TRUE = 'expected `true`\nWrite `true`, or leave the line out.';

const lane = plain('Name of the lane in counterproof.yaml.');

const editFields = {
  file: plain('The file to edit, relative to the root, with forward slashes.').optional(),
  within: many(code('A line that the file holds, such as `def pause`.'))
    .describe(
      'Narrows the search to the block under this line: up to the next line of equal or smaller indentation. A list goes from the outermost line inwards.',
    )
    .optional(),
  patch: code(
    'Unified diff. Hunk headers may be bare `@@`; the position is found by content alone, and must be the only one that fits.',
  ).optional(),
  replace: z
    .strictObject({
      find: code('Text to look for, exactly.'),
      with: text('What takes its place; may be empty.'),
      count: z
        .int()
        .min(1)
        .describe('How often `find` must occur; every one is replaced.')
        .optional(),
    })
    .describe('Replaces a text that occurs exactly `count` times (once, if not given).')
    .optional(),
  raise: z
    .literal(true, { error: ONLY_TRUE })
    .describe('Raises at the head of the function that `within` names.')
    .optional(),
  create: text(
    'Content of a new file. Refuses to overwrite a file that is already there.',
  ).optional(),
  delete: z.literal(true, { error: ONLY_TRUE }).describe('Deletes the file.').optional(),
  from: name(
    "Takes this revision's version of the file: a commit id of 7 to 64 hexadecimal digits, or refs/tags/NAME.",
  ).optional(),
  revert: name(
    'Takes a commit back, or a range A..B of them: every line that it changed, found by content. Ids or tags, as in `from`.',
  ).optional(),
  apply: name(
    'Makes the change of a commit, or of a range A..B, once more. Ids or tags, as in `from`.',
  ).optional(),
  paths: many(
    plain('A file, folder or pattern, relative to the root; with `!` before it, left out.'),
  )
    .describe('Which files of `revert` or `apply`; all, if not given.')
    .optional(),
  hunks: many(
    z.union([
      z.int().min(1).describe('Counted from 1 in its file, which must be the only one.'),
      name('FILE:LINE, a line of the hunk in the file as the commit left it.'),
    ]),
  )
    .describe('Which runs of changed lines of `revert` or `apply`; all, if not given.')
    .optional(),
};

const oneEdit = (...more: readonly string[]): { readonly oneOf: { required: string[] }[] } => ({
  oneOf: [...EDIT_KINDS, ...more].map((kind) => ({ required: [kind] })),
});

export const editSchema = z
  .strictObject(editFields)
  .meta({ description: 'One edit of one file.', ...oneEdit() });

const test = name(
  'Id of a test, as the runner writes it. An id that exists is exact; otherwise it stands for all that continue it after `/`, `::` or `[`, and `*` is a wildcard.',
);

const outcome = z.enum(OUTCOMES);

export const expectationSchema = z
  .strictObject({
    test,
    count: z.int().min(1).describe('Exactly so many tests of the group flip.').optional(),
    min: z.int().min(1).describe('At least so many tests of the group flip.').optional(),
    from: outcome.describe('Outcome in the baseline; passed, if not given.').optional(),
    to: many(outcome)
      .describe('Outcomes that count as the expected flip; failed, if not given.')
      .optional(),
    message: code(
      "Regular expression, which may stand between slashes, that the first line of the failure's message must match.",
    ).optional(),
  })
  .describe('A test, or a group of tests, with how it is expected to move.');

const control = z.union([
  name('Id of a test, or of a group of tests, in the lane of the mutation.'),
  z
    .strictObject({
      lane: lane.optional(),
      tests: many(name('Id of a test or of a group.')).describe('The tests that must not move.'),
    })
    .describe('Controls in another lane.'),
]);

export const controlsSchema = many(control).describe('Tests that must not move.');

export const probeSchema = z
  .strictObject({
    path: plain('Where the file stands during every step, relative to the root.'),
    source: plain('File to copy, relative to the root.').optional(),
    content: text('The content itself.').optional(),
  })
  .meta({
    description: 'A test file that stands in the tree only while the lane runs.',
    oneOf: [{ required: ['source'] }, { required: ['content'] }],
  });

const acceptSchema = z
  .strictObject({
    verdict: z.enum(ACCEPTABLE).describe('The verdict that is a known gap.'),
    because: plain('Why the gap is accepted.'),
    until: z.iso
      .date({ error: 'not a date\nWrite it as YYYY-MM-DD, for example 2027-01-31.' })
      .describe('Day after which the acceptance no longer holds, YYYY-MM-DD.')
      .optional(),
  })
  .describe('A known gap: listed with its reason, and not counted against the exit code.');

/** What the expression of --tag can name. */
const TAG = new RegExp(`^(?!([aA][nN][dD]|[oO][rR]|[nN][oO][tT])$)([^${WORD_CHARACTERS}]|/)+$`);

const tags = many(
  plain('Letters, digits and `_ . / -`.', TAG, {
    error: 'a tag has letters, digits, and `_`, `.`, `/` or `-` in it, and is none of and, or, not',
  }),
).describe('For selection with --tag.');

const probes = z.array(probeSchema).describe('Test files that stand in the tree in every step.');
const exact = flag('Any move of a test that nobody named refutes the mutation.');

export const mutationSchema = z
  .strictObject({
    id: name('Names the mutation, uniquely among all specs.'),
    why: plain('What the mutation shows.').optional(),
    role: z
      .enum(['mutation', 'liveness'])
      .describe('liveness: proves that the lane can fail at all. Needs no `flips`.')
      .optional(),
    lane: lane.optional(),
    ...editFields,
    edits: z.array(editSchema).describe('Several edits, over one or more files.').optional(),
    flips: z
      .union([
        z.enum(['any', 'none']),
        test,
        expectationSchema,
        z.array(z.union([test, expectationSchema])),
      ])
      .describe(
        'Tests expected to flip from passed to failed; `any`: at least one test moves; `none`: no test of the lane may move.',
      )
      .optional(),
    controls: controlsSchema.optional(),
    exact: exact.optional(),
    probes: probes.optional(),
    accept: acceptSchema.optional(),
    tags: tags.optional(),
    refs: many(plain('A link or number.')).describe('Where it comes from.').optional(),
    owner: plain('Who looks after it.').optional(),
  })
  .meta({
    description: 'A named edit of one or more files, with the tests expected to flip.',
    ...oneEdit('edits'),
  });

/** Everything in a spec file but its mutations. */
export const headerSchema = z.strictObject({
  version: version.optional(),
  about: plain('What the mutations of this file are about.').optional(),
  lane: lane.describe('Lane of every mutation here that names none.').optional(),
  controls: controlsSchema
    .describe('Controls of every mutation here, liveness excepted.')
    .optional(),
  probes: probes.optional(),
  exact: exact.optional(),
  tags: tags.optional(),
});

export const specSchema = headerSchema
  .extend({ mutations: z.array(mutationSchema).min(1).describe('The mutations.') })
  .meta({ title: 'Counterproof spec', description: 'Declared mutations of one or more files.' });

export type SpecHeaderInput = z.input<typeof headerSchema>;
export type MutationInput = z.input<typeof mutationSchema>;
export type EditInput = z.input<typeof editSchema>;
export type ExpectationInput = z.input<typeof expectationSchema>;
export type ControlsInput = z.input<typeof controlsSchema>;
export type ProbeInput = z.input<typeof probeSchema>;
