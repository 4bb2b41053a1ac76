/** How a proof shows itself: one of five faces, its word, and what every verdict means. */
import type { VerdictCode } from '../proof/verdict.js';
import type { ProofRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import type { Glyphs, Palette } from './look.js';

export type Face = 'pinned' | 'accepted' | 'refuted' | 'no-evidence' | 'critical';

/** The order in which proofs matter to a reader: what is worst comes first. */
export const FACES: readonly Face[] = ['critical', 'refuted', 'no-evidence', 'accepted', 'pinned'];

type Judged = Pick<ProofRecord, 'group' | 'accepted' | 'verdict'>;

/** The record's own group and acceptance, nothing derived anew. */
export function faceOf(proof: Judged): Face {
  switch (proof.group) {
    case 'critical':
      return 'critical';
    case 'no-evidence':
      return 'no-evidence';
    case 'refuted':
      return proof.accepted === null ? 'refuted' : 'accepted';
    case 'proven':
      return 'pinned';
    default:
      return unreachable(proof.group);
  }
}

/** `pinned`, `survived`, …; an accepted one says so, its verdict stands beside it. */
export function wordOf(proof: Judged): string {
  return faceOf(proof) === 'accepted' ? 'accepted' : proof.verdict;
}

export function glyphOf(face: Face, glyphs: Glyphs): string {
  switch (face) {
    case 'pinned':
      return glyphs.pinned;
    case 'accepted':
      return glyphs.accepted;
    case 'refuted':
      return glyphs.refuted;
    case 'no-evidence':
      return glyphs.noEvidence;
    case 'critical':
      return glyphs.critical;
    default:
      return unreachable(face);
  }
}

export function paintOf(face: Face, palette: Palette): (text: string) => string {
  switch (face) {
    case 'pinned':
      return palette.good;
    case 'accepted':
      return palette.known;
    case 'refuted':
      return palette.bad;
    case 'no-evidence':
      return palette.doubt;
    case 'critical':
      return palette.alarm;
    default:
      return unreachable(face);
  }
}

/** What each verdict means, for a reader who meets the word for the first time. */
export const MEANING: { readonly [V in VerdictCode]: string } = {
  'not-restored': 'a file is not what it was before the run',
  'not-applied': 'the edit did not land, so nothing was measured',
  'not-selected': 'an expected test is not in the lane, so nothing was measured',
  'baseline-red': 'an expected test or a control was not green before the edit',
  broken: 'the edited tree does not compile, import or collect',
  timeout: 'a time limit ended the tests',
  'out-of-memory': 'a memory limit ended the tests',
  'tree-touched': 'something else changed the tree while it was measured',
  incomplete: 'not every test has an outcome',
  'not-loaded': 'nothing shows that the edited bytes were run',
  flaky: 'a test disagrees with itself between equal runs',
  unsettled: 'the bytes are back, but the tests are not what they were',
  'dead-lane': 'a mutation that must fail something failed nothing',
  survived: 'the edit ran and no test moved',
  partial: 'some of the expected tests flipped, some did not',
  'moved-otherwise': 'an expected test moved, but not as declared',
  'caught-elsewhere': 'no expected test moved, others did',
  'control-moved': 'a test that must not move did',
  'stale-acceptance': 'a known gap is accepted, but the verdict is another one now',
  pinned: 'every expected test flipped, every control held, the tree is back',
};
