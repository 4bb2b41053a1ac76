/** The mark by which everything that a run started is found again, wherever it hid. */
import { createHash, randomBytes } from 'node:crypto';

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

/** True for the run itself and for runs started within it, however deep it was itself started. */
export const belongsToRun = (value: string, nonce: string): boolean =>
  `/${value}/`.includes(`/${nonce}/`);

const TREE_DIGITS = 8;

/**
 * Tells a tree from others. What a run starts and makes outside of its tree is named after the
 * tree too, so that the next run finds it when the run's own files are gone (`git clean -xfd`).
 *
 * @param tree absolute, symlinks resolved
 */
export const treeMark = (tree: string): string =>
  createHash('sha256').update(tree).digest('hex').slice(0, TREE_DIGITS);

/** The nonce of a whole run, which those of its lanes continue. */
export const runMark = (tree: string, runId: string): string => `${treeMark(tree)}-${runId}`;

/** True for every run that works on this tree, and for runs started within it. */
export const belongsToTree = (value: string, tree: string): boolean =>
  `/${value}`.includes(`/${treeMark(tree)}-`);
