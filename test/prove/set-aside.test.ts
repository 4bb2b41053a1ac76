import { expect, test } from 'vitest';
import type { Part } from '../../src/mutation/file-change.js';
import { isVersionNumber } from '../../src/prove/set-aside.js';

/** A change of all lines of a file. */
function part(path: string, before: string, after: string): Part {
  const bytes = { before: Buffer.from(`${before}\n`), after: Buffer.from(`${after}\n`) };
  const count = (text: string): number => text.split('\n').length;
  const fresh = { from: 0, to: count(after) };
  return {
    kind: 'lines',
    file: { path, oldPath: path, ...bytes, now: bytes.after },
    old: { from: 0, to: count(before) },
    fresh,
    now: fresh,
  };
}

test.each([
  ['src/a/__init__.py', '__version__ = "1.2.3"', '__version__ = "1.3.0.dev0"'],
  ['src/a/core.py', "__version__ = '1.2'", "__version__ = '1.3'  # next"],
  ['src/a/__init__.py', '__version__: str = "1.2"', '__version__: str = "1.3rc1"'],
  ['src/a/__init__.py', '__version_info__ = (1, 2, 3)', '__version_info__ = (1, 3, 0, "rc")'],
  [
    'src/a/_version.py',
    'version = "1.2"\nversion_info = (1, 2)',
    'version = "1.3"\nversion_info = (1, 3)',
  ],
  ['src/a/__about__.py', 'VERSION = "1.2"', 'VERSION = "1.3"'],
  ['src/a/VERSION', '1.2.3', '1.3.0'],
  ['VERSION', '1', '2'],
  ['version.txt', 'v9', 'v10'],
])('in %s a version number: %j becomes %j', (path, before, after) => {
  expect(isVersionNumber([part(path, before, after)])).toBe(true);
});

test.each([
  ['src/a/http.py', 'version = "1.1"', 'version = "2.0"'],
  ['src/a/http.py', 'VERSION = "1.1"', 'VERSION = "2.0"'],
  ['src/a/_version.py', '    version = "1.1"', '    version = "2.0"'],
  ['src/a/_version.py', 'API_VERSION = "1.1"', 'API_VERSION = "1.2"'],
  ['src/a/__init__.py', '__version__ = "1.2"', '__version__ = read()'],
  ['src/a/__init__.py', '__version__ = "1.2"', '__version__ = "1.3"\nDEBUG = True'],
  ['src/a/__init__.py', '__version__ = "1.2"', '__version__ = "1.3"; DEBUG = True'],
  ['src/a/__init__.py', '__version__ = "1.2"', '__version_info__ = (1, 3)'],
  ['src/a/__init__.py', '__version__ = "unknown"', '__version__ = "1.3"'],
  ['src/a/VERSION', '1.2.3', 'unreleased'],
  ['src/a/VERSION', '1', '2 or so'],
  ['src/a/_version.py', 'version = 1', 'version = 2'],
  ['src/a/limit.txt', '1.2.3', '1.2.4'],
  ['src/a/names.txt', '__version__ = "1.2"', '__version__ = "1.3"'],
])('in %s more than a version number: %j becomes %j', (path, before, after) => {
  expect(isVersionNumber([part(path, before, after)])).toBe(false);
});

test('a whole file is none, and neither are lines in two places', () => {
  const one = part('src/a/VERSION', '1.2', '1.3');
  expect(isVersionNumber([one, one])).toBe(false);
  expect(isVersionNumber([{ kind: 'created', file: one.file, isThere: true }])).toBe(false);
});
