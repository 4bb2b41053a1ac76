/** Why a test failed or was ignored, from what libtest wrote down and what the test printed. */
import type { LogVerdict } from './logfile.js';
import { panicOf, type Panic } from './panic.js';

/** @param section What the test printed; empty: nothing, or it is not known. */
export function explain(name: string, verdict: LogVerdict, section: string): Panic {
  const { outcome, reason } = verdict;
  if (outcome !== 'failed') return { message: reason, at: null };
  const panic = panicOf(section, name);
  // Where a `should_panic` was not met, libtest says so through a channel that no test prints to.
  const place = / at (?<file>\S.*):(?<line>\d+):\d+$/.exec(reason ?? '');
  const at = place?.groups && {
    file: place.groups['file'] ?? '',
    line: Number(place.groups['line']),
  };
  return {
    message: reason === null ? panic.message : reason.slice(0, place?.index ?? reason.length),
    at: at ?? panic.at,
  };
}
