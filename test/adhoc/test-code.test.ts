import { expect, test } from 'vitest';
import { testCodeNote } from '../../src/adhoc/test-code.js';
import { PYTHON_FILES } from '../../src/prove/classify.js';

const rules = { testPaths: ['checks'], sourcePaths: ['tests/tools'], pythonFiles: PYTHON_FILES };
const RUST = Buffer.from('fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n');

test.each([
  ['tests/test_a.py', 3, true],
  ['tests/test_a.py', null, true],
  ['tests/conftest.py', 3, true],
  ['checks/a.py', 3, true],
  ['src/a.py', 3, false],
  ['tests/tools/a.py', 3, false],
  ['tests/helper.py', 3, false],
  ['src/lib.rs', 0, false],
  ['src/lib.rs', 4, true],
  ['src/lib.rs', null, false],
] as const)('%s, line %s: %s', (path, line, isTest) => {
  const note = testCodeNote(path, RUST, line, rules);
  if (isTest) expect(note).toMatch(/^this is test code: .*; name a line of the source/);
  else expect(note).toBeNull();
});
