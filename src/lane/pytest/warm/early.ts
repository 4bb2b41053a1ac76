/** A warm interpreter that starts beside the cold baseline, of what an earlier run has taught. */
import { isDeepStrictEqual } from 'node:util';
import type { Result } from '../../../result.js';
import type { Learned } from './learned.js';
import type { Recalled } from './recall.js';
import type { Blocked, WarmServer } from './server.js';

export interface Early {
  /** Null: this run teaches something else, or it could not be started; then nothing is left of it. */
  readonly take: (learned: Learned) => Promise<WarmServer | null>;
  /** When this returns, nothing of it is left. */
  readonly drop: () => Promise<void>;
}

/** @param start begins at once; the signal ends it */
export function startEarly(
  recalled: Recalled,
  start: (recalled: Recalled, signal: AbortSignal) => Promise<Result<WarmServer, Blocked>>,
): Early {
  const unwanted = new AbortController();
  const started = start(recalled, unwanted.signal);
  const drop = async (): Promise<void> => {
    unwanted.abort();
    const server = await started;
    if (server.ok) await server.value.close();
  };
  return {
    drop,
    async take(learned) {
      const server = isDeepStrictEqual(recalled.learned, learned) ? await started : null;
      if (server?.ok === true) return server.value;
      await drop();
      return null;
    },
  };
}
