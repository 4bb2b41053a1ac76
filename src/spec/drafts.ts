/** Specs that lie under a name that is none: what `init` writes to be completed. */
import { findFiles } from './find-files.js';

/** @returns absolute paths, in their order */
export const draftsUnder = async (root: string): Promise<readonly string[]> =>
  (await findFiles('mutations/**/*.{yaml,yml}.txt', root)).toSorted();
