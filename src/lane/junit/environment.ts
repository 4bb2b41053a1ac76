/** The environment of a step: the user's own, the lane's over it, and ours over both. */
import { hashSeed } from '../hash-seed.js';
import { temporaryVariables } from '../temporary-folder.js';

export interface StepPlaces {
  readonly scratch: string;
  readonly nonce: string;
}

/**
 * What differs from step to step by itself would read as a move. Python's settings are here
 * because a command of any kind may run some.
 */
export function stepEnvironment(
  inherited: Readonly<Record<string, string>>,
  lane: Readonly<Record<string, string>>,
  { scratch, nonce }: StepPlaces,
): Record<string, string> {
  const env: Record<string, string> = { ...inherited, ...lane };
  // Below a test of Node's own runner, that runner would speak to its parent, in another format.
  if (lane['NODE_TEST_CONTEXT'] === undefined) delete env['NODE_TEST_CONTEXT'];
  // Where this program is itself run by a recorded test, its lanes are sessions of their own.
  delete env['COUNTERPROOF_SESSION'];
  delete env['COUNTERPROOF_TEST'];
  return {
    ...env,
    COUNTERPROOF_RUN: nonce,
    PYTHONHASHSEED: hashSeed(env['PYTHONHASHSEED']),
    PYTHONDONTWRITEBYTECODE: '1',
    ...temporaryVariables(scratch),
  };
}
