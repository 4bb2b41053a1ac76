/** The verdicts, in the order in which they are derived: the first whose condition holds stands. */
export const VERDICTS = [
  'not-restored',
  'not-applied',
  'not-selected',
  'baseline-red',
  'broken',
  'timeout',
  'out-of-memory',
  'tree-touched',
  'incomplete',
  'not-loaded',
  'flaky',
  'unsettled',
  'dead-lane',
  'survived',
  'partial',
  'moved-otherwise',
  'caught-elsewhere',
  'control-moved',
  'stale-acceptance',
  'pinned',
] as const;

export type VerdictCode = (typeof VERDICTS)[number];

export type VerdictGroup = 'critical' | 'no-evidence' | 'refuted' | 'proven';

/** The group decides the exit code; see `cli/exit-code.ts`. */
export const GROUP_OF: { readonly [V in VerdictCode]: VerdictGroup } = {
  'not-restored': 'critical',
  'not-applied': 'no-evidence',
  'not-selected': 'no-evidence',
  'baseline-red': 'no-evidence',
  broken: 'no-evidence',
  timeout: 'no-evidence',
  'out-of-memory': 'no-evidence',
  'tree-touched': 'no-evidence',
  incomplete: 'no-evidence',
  'not-loaded': 'no-evidence',
  flaky: 'no-evidence',
  unsettled: 'no-evidence',
  'dead-lane': 'no-evidence',
  survived: 'refuted',
  partial: 'refuted',
  'moved-otherwise': 'refuted',
  'caught-elsewhere': 'refuted',
  'control-moved': 'refuted',
  'stale-acceptance': 'refuted',
  pinned: 'proven',
};
