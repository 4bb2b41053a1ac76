/** Taking changes back: the files as they are without them. */
import { takePartsBack, type TakenFile } from '../mutation/take.js';
import type { Change } from './fix.js';

/** The files that differ without these changes, which all can be taken back. In the order of their paths. */
export const takeBack = (changes: readonly Change[]): readonly TakenFile[] =>
  takePartsBack(changes.flatMap(({ parts }) => parts));
