/** The mark by which everything that a run started is found again, wherever it hid. */
import { randomBytes } from 'node:crypto';

/** Environment variable that every process of a run inherits. */
export const RUN_VARIABLE = 'COUNTERPROOF_RUN';

/**
 * A fresh nonce. Where this process was itself started under one, the new one continues it
 * (`outer/inner`), so that whoever ends the outer run finds what the inner one started too.
 */
export function createNonce(outer: string | undefined = process.env[RUN_VARIABLE]): string {
  const own = randomBytes(9).toString('base64url');
  return outer === undefined || outer === '' ? own : `${outer}/${own}`;
}

/** True for the run itself and for runs started within it. */
export const belongsToRun = (value: string, nonce: string): boolean =>
  value === nonce || value.startsWith(`${nonce}/`);
