/** What is measured, and what is known of a change after it. */
import type { Failure } from './finding.js';

/** One measurement: these changes taken back together. */
export interface Take {
  /** Ids, in the order of the changes. */
  readonly changes: readonly string[];
  /** `near`: the nearest tests; `full`: the whole lane. */
  readonly lane: LaneScope;
  /** Tests that ended an earlier run of the same, by a crash or by hanging. */
  readonly enders: readonly string[];
}

export type LaneScope = 'near' | 'full';

export const takeKey = ({ changes, lane, enders }: Take): string =>
  JSON.stringify([lane, changes, enders]);

/** What is known of one change. */
export type Holding =
  | { readonly kind: 'held'; readonly by: readonly Failure[]; readonly take: Take }
  /** Alone it cannot be taken back, together with others it can, and then tests notice. */
  | {
      readonly kind: 'held-joined';
      readonly with: readonly string[];
      readonly by: readonly Failure[];
      readonly take: Take;
      /** `name`: the code does not run without it. `redundant`: any one of them is enough. */
      readonly why: 'name' | 'redundant';
      readonly names: readonly string[];
    }
  /** Nothing notices that it is gone. */
  | { readonly kind: 'unheld'; readonly take: Take }
  /** It goes only together with others, and nothing notices that. */
  | {
      readonly kind: 'unheld-joined';
      readonly with: readonly string[];
      readonly take: Take;
      readonly names: readonly string[];
    }
  | { readonly kind: 'no-evidence'; readonly take: Take | null; readonly reason: string };
