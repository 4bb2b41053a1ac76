import { expect, onTestFinished, test } from 'vitest';
import { firstExample } from '../../src/adhoc/first-example.js';
import { createRepository } from '../git/repository.js';

const TESTS = 'from app import add\n\n\ndef test_add():\n    assert add(1) == 2\n';

async function exampleIn(
  files: Readonly<Record<string, string>>,
  root = '.',
): Promise<string | null> {
  const repository = await createRepository();
  onTestFinished(() => repository.remove());
  for (const [path, text] of Object.entries(files)) await repository.put(path, text);
  const folder = root === '.' ? repository.dir : `${repository.dir}/${root}`;
  const found = await firstExample(repository.dir, folder);
  if (found === null) return null;
  const { file, function: head, find, with: fresh, test: id } = found;
  return `${file} ${head} ${find} => ${fresh} ${id}`;
}

const app = (body: string, name = 'add'): string => `def ${name}(a):\n${body}`;
const FOUND = 'app.py def add( return a + 1 => return None test_app.py::test_add';

test('a function with a return of its own, and a test that names it', async () => {
  expect(await exampleIn({ 'app.py': app('    return a + 1\n'), 'test_app.py': TESTS })).toBe(
    FOUND,
  );
});

test('in a project below the top, by its own names', async () => {
  const files = { 'sub/app.py': app('    return a + 1\n'), 'sub/test_app.py': TESTS };
  expect(await exampleIn({ ...files, 'app.py': app('    return 0 + 1\n') }, 'sub')).toBe(FOUND);
});

test('the function nearest above, past what lies deeper', async () => {
  const body = '    def other():\n        pass\n    if a:\n        return a + 1\n';
  expect(await exampleIn({ 'app.py': app(body), 'test_app.py': TESTS })).toBe(FOUND);
});

test.each([
  ['what the mutant would give', '    return None\n'],
  ['a line that stands twice', '    if a:\n        return a + 1\n    return a + 1\n'],
  ['a line that goes on below', '    return (a +\n        1)\n'],
  ['a string', '    return "a"\n'],
  ['a comment behind it', '    return a + 1  # more\n'],
  ['a return of a function within it', '    def f():\n        return a + 1\n    f()\n'],
])('none for %s', async (_, body) => {
  expect(await exampleIn({ 'app.py': app(body), 'test_app.py': TESTS })).toBeNull();
});

test.each([
  ['where no test names the function', { 'test_app.py': TESTS.replaceAll('add', 'mul') }],
  ['where the import alone names it', { 'test_app.py': TESTS.replace('add(1)', '2') }],
  [
    'where its test file does not import the module',
    { 'test_app.py': TESTS.replace('from app', 'from lib') },
  ],
  [
    'where a function of that name stands twice',
    { 'app.py': app('    return a + 1\n') + app('    pass\n') },
  ],
])('none %s', async (_, files) => {
  const all = { 'app.py': app('    return a + 1\n'), 'test_app.py': TESTS };
  expect(await exampleIn({ ...all, ...files })).toBeNull();
});
