/** How tests get to what nothing holds, in words that every report shares. */
import type { ProofRecord } from '../record/schema.js';
import { unreachable } from '../result.js';
import type { ProveView } from './prove-wording.js';
import { plural } from './text.js';

/** Tests that get to what nothing holds; only those that pass with it could have noticed. */
export function reachedBy(
  { record }: ProveView,
  { reach, lane }: ProofRecord,
): { readonly quiet: readonly string[]; readonly red: readonly string[] } {
  const before = record.lanes.find(({ name }) => name === lane)?.preExisting ?? [];
  const reds = new Set(before.map(({ test }) => test));
  const by = reach?.by ?? [];
  return {
    quiet: by.filter((test) => !reds.has(test)),
    red: by.filter((test) => reds.has(test)),
  };
}

function gettingThere({ quiet, red }: ReturnType<typeof reachedBy>): string {
  const reds = `${red.length === 1 ? 'is' : 'are'} red before`;
  if (quiet.length === 0)
    return `${plural(red.length, 'test gets', 'tests get')} there, and ${reds}`;
  const notice = quiet.length === 1 ? 'does not notice' : 'none of them notices';
  const also = red.length === 0 ? '' : `; ${red.length} more ${reds}`;
  return `${plural(quiet.length, 'test gets', 'tests get')} there, and ${notice}${also}`;
}

/** @param place what no test gets to */
export function reachText(view: ProveView, proof: ProofRecord, place: string): string | null {
  const { reach, loaded } = proof;
  const ran = loaded.proof === 'none' ? '' : 'it was run, but ';
  if (reach === null) return null;
  switch (reach.state) {
    case 'reached':
      return gettingThere(reachedBy(view, proof));
    case 'unreached':
      return `${ran}no test gets to ${place}`;
    case 'unknown':
      return `which tests get there is not known${reach.why === null ? '' : `: ${reach.why}`}`;
    default:
      return unreachable(reach.state);
  }
}
