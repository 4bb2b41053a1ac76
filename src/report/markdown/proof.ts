/** One proof as reviewers paste it: steps with their sums, the tests that moved, controls, the patch. */
import type { LaneRecord, MoveRecord, ProofRecord, StepRecord } from '../../record/schema.js';
import { type Alike, namesIn } from '../alike.js';
import { faceOf, glyphOf, wordOf } from '../face.js';
import { glyphs } from '../look.js';
import { keepStart, page, plural } from '../text.js';
import {
  countsText,
  landedText,
  moveText,
  ownFacts,
  movesOf,
  stillText,
  sumText,
} from '../wording.js';
import { code, details, fence, htmlCode, prose, tableHead, tableRow } from './escape.js';

const GLYPHS = glyphs({ unicode: true });
/** Rows of a list of tests in one folded block; the record has them all. */
const LISTED = 30;
/** Characters of a patch that are shown: a revert may be thousands of lines. */
const PATCH_LIMIT = 6000;
/** Characters of a reason in the table of verdicts, whose rows must all fit. */
const REASON_LIMIT = 500;

function verdictText(proof: ProofRecord): string {
  return `${glyphOf(faceOf(proof), GLYPHS)} ${wordOf(proof)}`;
}

/** `1 flipped: tests/…::test_pause`, or what the proof says of itself where nothing did. */
export function resultText(proof: ProofRecord): string {
  const verdict = `**${verdictText(proof)}**`;
  if (proof.accepted !== null) {
    const because = keepStart(proof.accepted.because, REASON_LIMIT, GLYPHS.ellipsis);
    return `${verdict} (${proof.verdict}): ${prose(because)}`;
  }
  const moves = proof.flips.declared === 0 ? movesOf(proof) : proof.flips.expected;
  if (proof.group !== 'proven' || moves.length === 0) {
    return `${verdict}: ${prose(keepStart(proof.reason, REASON_LIMIT, GLYPHS.ellipsis))}`;
  }
  const { shown, more } = page(moves, 2);
  const named = shown.map((move) => {
    const how = moveText(move, GLYPHS.arrow);
    return how === 'failed' ? code(move.test) : `${code(move.test)} ${how}`;
  });
  return `${verdict}: ${moves.length} flipped: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function stepCell(
  step: StepRecord | undefined,
  lane: LaneRecord | undefined,
  name: string,
): string {
  if (step === undefined) {
    return name === 'baseline' && lane?.baseline != null
      ? prose(countsText(lane.baseline.counts))
      : 'not run';
  }
  const counts = countsText(step.counts);
  const scope = step.scope === 'lane' ? '' : ` (${plural(step.scope, 'test')} run)`;
  if (step.scope === 0) return 'no test had moved';
  return step.complete ? counts + scope : `${prose(step.ending)}; ${counts}${scope}`;
}

/** Step, SHA-256, result: the table that proves that the edit landed and went away again. */
function stepTable(proof: ProofRecord, lane: LaneRecord | undefined): string {
  const names = ['baseline', 'mutated', 'restored'] as const;
  const rows = names.map((name) => {
    const sums = proof.files.map((file) => code(sumText(proof, file, name))).join('<br>');
    const step = proof.steps.find((each) => each.step === name);
    return tableRow([name, sums === '' ? '-' : sums, stepCell(step, lane, name)]);
  });
  return [tableHead(['step', 'SHA-256', 'result']), ...rows].join('\n');
}

function moveList(moves: readonly MoveRecord[]): string {
  const { shown, more } = page(moves, LISTED);
  const lines = shown.map((move) => {
    const at = move.at === null ? '' : ` at ${code(move.at)}`;
    const message = move.message === null ? '' : `: ${code(move.message)}`;
    return `- ${code(move.test)} ${moveText(move, GLYPHS.arrow)}${at}${message}`;
  });
  return [...lines, ...(more > 0 ? [`- and ${more} more in the record`] : [])].join('\n');
}

function idList(ids: readonly string[]): string {
  const { shown, more } = page(ids, LISTED);
  const lines = shown.map((id) => `- ${code(id)}`);
  return [...lines, ...(more > 0 ? [`- and ${more} more in the record`] : [])].join('\n');
}

function reachText(proof: ProofRecord): string | null {
  if (proof.reach === null) return null;
  if (proof.reach.state === 'unreached') return 'No test of the lane reaches the edit.';
  if (proof.reach.state === 'unknown') {
    return `Which tests reach the edit is not known${proof.reach.why === null ? '.' : `: ${prose(proof.reach.why)}`}`;
  }
  return `${plural(proof.reach.by.length, 'test reaches', 'tests reach')} the edit:\n\n${idList(proof.reach.by)}`;
}

function patchBlock(proof: ProofRecord): string | null {
  if (proof.patch === null) return null;
  const lines = proof.patch.split('\n');
  let size = 0;
  const kept = lines.filter((line) => (size += line.length + 1) <= PATCH_LIMIT);
  const rest = lines.length - kept.length;
  const more = rest > 0 ? `\n\n${plural(rest, 'more line')} of the patch in the record.` : '';
  return fence(kept.join('\n'), 'diff') + more;
}

function aroundLines(proof: ProofRecord): string | null {
  if (proof.around.length === 0) return null;
  const { shown, more } = page(proof.around, LISTED);
  const lines = shown.map(
    ({ group, held, moved }) => `- ${held} of ${held + moved} in ${code(group)} did not move`,
  );
  const rest = more > 0 ? [`- and ${more} more in the record`] : [];
  // Without a line of text before it, this list would go on from the one above.
  return `Around the flips:\n\n${[...lines, ...rest].join('\n')}`;
}

function listOf(title: string, body: string, items: readonly unknown[]): string | null {
  return items.length === 0 ? null : `${title}\n\n${body}`;
}

/** A part of what is folded, and what to call it where there is no room for it. */
type Part = readonly [text: string | null, name?: string];

/**
 * One proof, folded: all of it, or where that is longer than `room` as much as fits. What a
 * reader can do best without goes first.
 */
export function proofDetails(
  proof: ProofRecord,
  lane: LaneRecord | undefined,
  room: number,
): string {
  const parts = partsOf(proof, lane).filter(([text]) => text !== null);
  const lost: string[] = [];
  for (;;) {
    const left =
      lost.length === 0 ? [] : [`Left out, all of it in the record: ${lost.join(', ')}.`];
    const text = details(
      `${htmlCode(proof.id)}: ${verdictText(proof)}`,
      [...parts.map(([part]) => part), ...left].join('\n\n'),
    );
    if (text.length <= room) return text;
    const last = parts.findLastIndex(([, name]) => name !== undefined);
    const name = parts[last]?.[1];
    if (name === undefined) return text;
    parts.splice(last, 1);
    lost.unshift(name);
  }
}

/** Proofs without evidence for one cause, folded: the cause, and the names of all. */
export function groupDetails(group: Alike): string {
  const [first] = group;
  const { reason, next } = first;
  const facts = ownFacts(first).map((fact) => `- ${prose(fact)}`);
  const parts = [
    prose(reason),
    facts.join('\n'),
    `The same holds for each of:\n\n${idList(group.map(({ id }) => id))}`,
    listOf('Next:', fence(next.join('\n'), 'text'), next) ?? '',
  ];
  return details(
    `${htmlCode(namesIn(group))}: ${verdictText(first)}`,
    parts.filter((part) => part !== '').join('\n\n'),
  );
}

function partsOf(proof: ProofRecord, lane: LaneRecord | undefined): Part[] {
  const { expected, missing, also } = proof.flips;
  const facts = ownFacts(proof);
  const places = proof.edits.map(
    ({ path, line, scope }) =>
      `${code(line > 0 ? `${path}:${line}` : path)}${scope === null ? '' : ` in ${code(scope)}`}`,
  );
  const kept = proof.kept.map(
    ({ path, keptAs }) =>
      `- a test or somebody wrote into ${code(path)}: those bytes are in ${code(keptAs)}`,
  );
  const values = proof.values.filter((value) => !value.same);
  return [
    [prose(proof.reason)],
    [proof.why === null ? null : `Why it matters: ${prose(proof.why)}`, 'why it matters'],
    [facts.length === 0 ? null : facts.map((fact) => `- ${prose(fact)}`).join('\n'), 'the facts'],
    [places.length === 0 ? null : `Edit of ${places.join(', ')}, as applied:`],
    [patchBlock(proof), 'the patch'],
    [
      proof.files.length > 1
        ? `Sums in the order of these files: ${proof.files.map(({ path }) => code(path)).join(', ')}`
        : null,
    ],
    [proof.files.length === 0 ? null : stepTable(proof, lane)],
    [proof.files.length === 0 ? null : `Load: ${prose(landedText(proof.loaded))}.`],
    [listOf('Kept aside:', kept.join('\n'), kept)],
    [listOf('Flipped:', moveList(expected), expected), 'the tests that flipped'],
    [
      listOf('Expected to flip, and did not:', idList(missing), missing),
      'the tests that did not flip',
    ],
    [listOf('Also moved:', moveList(also), also), 'the tests that also moved'],
    [aroundLines(proof), 'what is around the flips'],
    [
      proof.still === null
        ? null
        : `${stillText(proof)} tests that nobody expected to move did not.`,
    ],
    [
      listOf(
        'Values that changed:',
        values
          .slice(0, LISTED)
          .map(
            ({ test, key, values: { baseline, mutated } }) =>
              `- ${code(test)} ${code(key)}: ${code(JSON.stringify(baseline) ?? 'none')} ${GLYPHS.arrow} ${code(JSON.stringify(mutated) ?? 'none')}`,
          )
          .join('\n'),
        values,
      ),
      'the values that changed',
    ],
    [reachText(proof), 'the tests that reach the edit'],
    [listOf('Next:', fence(proof.next.join('\n'), 'text'), proof.next), 'what to do next'],
  ];
}
