/** Tests that stand in a source file: in Rust anywhere, in Python where pytest collects the file. */
import { posix } from 'node:path';
import type { ClassifyRules } from './classify.js';
import { isPython, isRust } from './languages.js';
import { matchesPath } from '../spec/path-pattern.js';
import { pythonTestsIn } from './python-tests.js';
import { rustTestsIn } from './rust-tests.js';

/** Whether a line of a file's content belongs to tests that stand in it. */
export type IsTestLine = (path: string, bytes: Buffer, line: number) => boolean;

export function innerTests({
  pythonFiles,
  pythonNames,
}: Pick<ClassifyRules, 'pythonFiles' | 'pythonNames'>): IsTestLine {
  const regionsOf = (path: string, bytes: Buffer) => {
    if (isRust(path)) return rustTestsIn(bytes).regions;
    const isCollected = pythonFiles.some((glob) => matchesPath(glob, posix.basename(path)));
    return isPython(path) && isCollected ? pythonTestsIn(bytes, pythonNames).regions : [];
  };
  return (path, bytes, line) =>
    regionsOf(path, bytes).some(({ from, to }) => line >= from && line < to);
}
