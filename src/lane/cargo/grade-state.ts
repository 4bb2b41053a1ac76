/** What is known of one test executable while its tests are graded. */
import type { ProcessEnd } from '../process.js';
import type { Processes } from './attempt.js';
import type { Graded, GradedTest, GradeRequest } from './graded.js';

export interface State {
  readonly request: GradeRequest;
  readonly processes: Processes;
  readonly results: Map<string, GradedTest>;
  readonly culprits: Set<string>;
  readonly reached: Set<string>;
  readonly notes: Set<string>;
  end: ProcessEnd | null;
  /** The reach mutation panicked where no test's own output shows it. */
  markerOutside: boolean;
}

/** Whether every wanted test has its outcome, and why not. */
export type GradeEnd = Pick<Graded, 'ending' | 'over'>;

export const DONE: GradeEnd = { ending: null, over: false };

/** As ids are written. */
export const idOf = ({ request }: State, name: string): string => `${request.binary} ${name}`;
