/** The id of a test case: a pure function of what its own element and those around it say. */
import path from 'node:path';
import type { JunitCase } from './report.js';

/** Absolute paths that a report may give for the same folder: as named, and as resolved. */
export type Roots = readonly string[];

/**
 * `GROUP::NAME`, and for files with classes in them `FILE::CLASS::NAME`:
 *
 * - the file that the case, or the nearest suite around it, names; absolute paths below the root
 *   become relative to it;
 * - the `classname`, without what the file says already: pytest's `tests.test_a.TestX` in
 *   `tests/test_a.py` is `tests/test_a.py::TestX`;
 * - where the class name says nothing (it is absent, the test's own name, or Node's constant
 *   `test`), the names of the suites around the case;
 * - the name, as it is.
 *
 * Never by what other cases there are, or by what is on disk: a mutant must not rename tests.
 */
export function testId(found: JunitCase, roots: Roots): string {
  const name = plain(found.name);
  const file = fileOf(found, roots);
  const classname = plain(found.classname);
  const saysNothing = classname === '' || classname === name || classname === 'test';
  const middle = saysNothing
    ? suitesOf(found, file, roots)
    : file === null
      ? [pathText(classname, roots)]
      : beyondFile(classname, file, roots);
  const parts = [...(file === null ? [] : [file]), ...middle, pathText(name, roots)];
  return parts.filter((part) => part !== '').join('::') || '(no name)';
}

/** The file that holds the case, as ids name it; null: the report does not say. */
export function fileOf({ file, suites }: JunitCase, roots: Roots): string | null {
  const named = [file, ...suites.map((suite) => suite.file).toReversed()].map(plain);
  const found = named.find((each) => each !== '');
  return found === undefined ? null : pathText(found, roots);
}

function suitesOf({ suites }: JunitCase, file: string | null, roots: Roots): readonly string[] {
  return suites
    .map(({ name }) => pathText(plain(name), roots))
    .filter((name) => name !== '' && name !== file);
}

/** What a class name adds to the file: its dotted form may begin with the file's. */
function beyondFile(classname: string, file: string, roots: Roots): readonly string[] {
  if (pathText(classname, roots) === file) return [];
  const dotted = file.replace(/\.[^./]+$/, '').replaceAll('/', '.');
  if (classname === dotted) return [];
  if (classname.startsWith(`${dotted}.`)) return classname.slice(dotted.length + 1).split('.');
  return [classname];
}

/** A path as a URL writes it, back as it is; text that is none stays. */
export function fromUrl(written: string): string {
  try {
    return decodeURI(written);
  } catch {
    return written;
  }
}

/** Paths are written with slashes, and relative to the root where they lie in it. */
export function pathText(text: string, roots: Roots): string {
  const plainPath = text.startsWith('file://') ? fromUrl(text.slice('file://'.length)) : text;
  for (const root of roots) {
    const prefix = root.endsWith(path.sep) ? root : root + path.sep;
    if (plainPath.startsWith(prefix)) return plainPath.slice(prefix.length);
  }
  return plainPath.startsWith('./') ? plainPath.slice(2) : plainPath;
}

/** Names go into lines of reports: one line each, without control characters. */
const plain = (text: string | null): string => (text ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
