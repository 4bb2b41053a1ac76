/** Phrases that every report says in the same words. Text out of here is not yet made visible. */
import { type Counts, OUTCOMES } from '../proof/outcome.js';
import type { VerdictCode } from '../proof/verdict.js';
import type { LaneRecord, MoveRecord, ProofRecord, RunRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import { plural, shortSum } from './text.js';

/** `680 passed, 1 failed, 2 skipped`, in the order of the outcomes; `no test` where there is none. */
export function countsText(counts: Counts): string {
  const parts = OUTCOMES.flatMap((outcome) => {
    const n = counts[outcome] ?? 0;
    return n === 0 ? [] : [`${n} ${outcome}`];
  });
  return parts.length === 0 ? 'no test' : parts.join(', ');
}

/** `failed`, or `passed → error in setup` where a move is not the plain flip. */
export function moveText(move: MoveRecord, arrow: string): string {
  if (move.from === 'passed' && move.to === 'failed') return 'failed';
  const phase = move.phase === null || move.phase === 'call' ? '' : ` in ${move.phase}`;
  return `${move.from ?? 'absent'} ${arrow} ${move.to}${phase}`;
}

/** What shows that the edited bytes ran, as the head of the mutated step's counts. */
export function loadedText(loaded: ProofRecord['loaded']): string {
  switch (loaded.proof) {
    case 'compiled':
      return 'edit imported';
    case 'rebuilt':
      return 'edit built in';
    case 'by-effect':
      return 'edit shown by its effect';
    case 'none':
      return 'edit not seen to run';
    default:
      return unreachable(loaded.proof);
  }
}

/** Where the edited bytes were seen to run, as a sentence's end. */
export function landedText({ proof, from }: ProofRecord['loaded']): string {
  const by = from === null ? '' : ` by the ${from}`;
  switch (proof) {
    case 'compiled':
      return `edit imported${by}, same sum as on disk`;
    case 'rebuilt':
      return `edit built into ${from ?? 'what was tested'}`;
    case 'by-effect':
      return `edit shown by its effect${from === null ? '' : ` on ${from}`}`;
    case 'none':
      return 'edit not seen to run';
    default:
      return unreachable(proof);
  }
}

/** Verdicts whose facts are the very moves, reach and liveness that every report shows by themselves. */
const SHOWN_BY_THEMSELVES: ReadonlySet<VerdictCode> = new Set([
  'survived',
  'dead-lane',
  'partial',
  'caught-elsewhere',
  'control-moved',
]);

/** Facts that stand nowhere else in the record; notes, which are whole sentences, always. */
export function ownFacts({ verdict, facts }: ProofRecord): readonly string[] {
  return SHOWN_BY_THEMSELVES.has(verdict)
    ? facts.filter((fact) => /^\p{Lu}.*\.$/su.test(fact))
    : facts;
}

/** A lane's command; the interpreter of a plain `PYTHON -m pytest` stands beside it, in `tool`. */
export function laneCommand({ command, tool }: LaneRecord): string {
  const [first, option, runner, ...rest] = command;
  return option === '-m' && runner === 'pytest' && first === tool
    ? shellText([runner, ...rest])
    : shellText(command);
}

/** Every mutated file has its baseline sum again. Null: for some file that was not measured. */
export function filesBack(proof: ProofRecord): boolean | null {
  if (proof.files.some((file) => file.restored !== null && file.restored !== file.baseline)) {
    return false;
  }
  // A created file that is gone again has null at both ends, and so has one that nobody looked
  // at again: only a restored step tells them apart.
  const looked = proof.steps.some((step) => step.step === 'restored');
  const unknown = proof.files.some(
    (file) =>
      file.restored === null && (file.baseline !== null || (file.mutated !== null && !looked)),
  );
  return unknown ? null : true;
}

/** Moves of the mutated step, expected or not. */
export function movesOf(proof: ProofRecord): readonly MoveRecord[] {
  return [...proof.flips.expected, ...proof.flips.also];
}

/** `1/2`: how many of the declared tests moved; `3` where none was named; `-` without evidence. */
export function flipsText(proof: ProofRecord): string {
  const moved = proof.flips.expected.length;
  if (proof.group === 'no-evidence' && moved === 0) return '-';
  return proof.flips.declared === 0
    ? String(movesOf(proof).length)
    : `${moved}/${proof.flips.declared}`;
}

export function stillText(proof: ProofRecord): string {
  return proof.still === null ? '-' : `${proof.still.held} of ${proof.still.total}`;
}

/** A command as it can be pasted into a POSIX shell. */
export function shellText(command: readonly string[]): string {
  return command
    .map((word) =>
      /^[\w@%+=:,./-](?:[\w@%+=:,./-]|(?<=\w)~)*$/.test(word)
        ? word
        : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ');
}

/** `python 3.12.3, pytest 9.0.3`. */
export function versionsText(versions: Readonly<Record<string, string>>): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

/** `.venv/bin/python 3.12.3, pytest 9.0.3`: a tool that names itself is not named twice. */
export function toolText({ tool, versions }: LaneRecord): string {
  const [first, ...others] = Object.entries(versions);
  if (first === undefined) return tool;
  const [name, version] = first;
  const itself = (tool.split('/').at(-1) ?? '').startsWith(name);
  const rest = others.map(([other, its]) => `, ${other} ${its}`).join('');
  return `${tool} ${itself ? '' : `${name} `}${version}${rest}`;
}

/**
 * The short sum of a file in one state, `absent` where the file does not exist in it, or that
 * this state never was: an edit that does not compile is not written.
 */
export function sumText(
  proof: ProofRecord,
  file: ProofRecord['files'][number],
  state: 'baseline' | 'mutated' | 'restored',
): string {
  const written = proof.steps.some((step) => step.step === 'mutated');
  if (state === 'mutated' && file.mutated === null && !written) return 'not written';
  if (state === 'restored' && file.restored === null && file.baseline !== null)
    return 'not checked';
  return shortSum(file[state]);
}

/** `683 of 763 selected`, or `41 tests` where the lane takes all that there is. */
export function selectedText(lane: LaneRecord): string {
  return lane.selected === lane.collected
    ? plural(lane.selected, 'test')
    : `${lane.selected} of ${lane.collected} selected`;
}

/** Proofs that the totals count: a liveness mutation that a selection pulled in is not one. */
export function countedProofs(record: RunRecord): readonly ProofRecord[] {
  return record.proofs.filter((proof) => !proof.pulledIn);
}

/** Declared ids that have no proof: the run ended before they had their turn. */
export function unprovenIds(record: RunRecord): readonly string[] {
  const proven = new Set(record.proofs.map((proof) => proof.id));
  return record.selection.declared.filter((id) => !proven.has(id));
}

/** `1 of 1 refuted`, or `2 refuted, 1 without evidence, 9 pinned`: what is none is left out. */
export function summaryText(summary: RunRecord['summary']): string {
  const parts = [
    [summary.notRestored, 'not restored'],
    [summary.refuted, 'refuted'],
    [summary.noEvidence, 'without evidence'],
    [summary.accepted, 'accepted'],
    [summary.pinned, 'pinned'],
  ] as const;
  const some = parts.filter(([n]) => n > 0);
  const [first] = some;
  if (first === undefined) return `0 of ${summary.declared} proven`;
  if (some.length === 1) return `${first[0]} of ${summary.declared} ${first[1]}`;
  return some.map(([n, word]) => `${n} ${word}`).join(', ');
}

/** The overall verdict in one sentence, by the record's own totals. */
export function overallText(record: RunRecord): string {
  const { summary } = record;
  const mutations = plural(summary.declared, 'mutation');
  if (summary.notRestored > 0) {
    return `A file is not what it was before the run: ${plural(summary.notRestored, 'mutation')} could not be taken back.`;
  }
  if (!record.complete) {
    const why = record.stopped === null ? '' : ` (${record.stopped})`;
    return `The run ended early${why}: ${summary.graded} of ${mutations} graded.`;
  }
  if (summary.declared === 0) return 'There was nothing to prove.';
  if (summary.refuted > 0) {
    const rest = summary.noEvidence > 0 ? `, and ${summary.noEvidence} could not be measured` : '';
    return summary.declared === 1
      ? 'The tests do not hold this mutation.'
      : `The tests do not hold ${summary.refuted} of ${mutations}${rest}.`;
  }
  if (summary.noEvidence > 0 || summary.graded < summary.declared) {
    const without = Math.max(summary.noEvidence, summary.declared - summary.graded);
    return summary.declared === 1
      ? 'There is no verdict: the mutation could not be measured.'
      : `There is no verdict for ${without} of ${mutations}; ${summary.pinned} pinned, ${summary.accepted} accepted.`;
  }
  if (summary.accepted > 0) {
    return `The tests hold ${summary.pinned} of ${mutations}; ${plural(summary.accepted, 'known gap')} ${summary.accepted === 1 ? 'is' : 'are'} accepted.`;
  }
  return summary.declared === 1
    ? 'The tests hold this mutation.'
    : `The tests hold all ${mutations}.`;
}

/** Said where a record's own list is empty: the section stands always. */
export const NOTHING_SAID_UNVERIFIED =
  'the run noted nothing here; tests outside its lanes were not run';

export function notVerifiedOf(record: RunRecord): readonly string[] {
  return record.notVerified.length === 0 ? [NOTHING_SAID_UNVERIFIED] : record.notVerified;
}
