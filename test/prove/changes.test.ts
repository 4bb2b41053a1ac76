import { symlink, chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changesOf } from '../../src/prove/changes.js';
import { type ClassifyRules, PYTHON_FILES } from '../../src/prove/classify.js';
import { lineOf, otherPlacesOf, pathOf, sizeOf, type Change } from '../../src/prove/fix.js';
import { placeSpans } from '../../src/mutation/place.js';
import { readFix } from '../../src/prove/read-fix.js';
import { resolveRange } from '../../src/prove/range.js';
import { takeBack } from '../../src/prove/take.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
beforeEach(async () => {
  repository = await createRepository();
});
afterEach(() => repository.remove());

const rules = { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES };

async function changes(
  range: string | null,
  more: Partial<ClassifyRules> = {},
): Promise<readonly Change[]> {
  const found = await resolveRange(repository.dir, range);
  if (!found.ok) throw new Error(found.error.message);
  const fix = await readFix(repository.dir, found.value);
  if (!fix.ok) throw new Error(JSON.stringify(fix.error));
  return changesOf(fix.value.files, { ...rules, ...more });
}

/** `1 src/a.py:4 +1 -1 f source`, a line for each. */
const told = (all: readonly Change[]): readonly string[] =>
  all.map((change) => {
    const { added, removed } = sizeOf(change);
    const line = lineOf(change);
    const place = `${pathOf(change)}${line === null ? '' : `:${line}`}`;
    const more = change.parts.length > 1 ? ` (${change.parts.length})` : '';
    const why = change.class === 'other' ? ` ${change.why}` : '';
    const scope = change.scope === null ? '' : ` ${change.scope}`;
    const obstacle = change.obstacle === null ? '' : ` !${change.obstacle}`;
    return `${change.id} ${place} +${added} -${removed}${more}${scope} ${change.class}${why}${obstacle}`;
  });

const CODE = `import os


class Engine:
    def start(self):
        self.count = 0
        self.log("start")
        return self

    def stop(self):
        """Stops."""
        self.count += 1
        self.log("stop")
        return self.count
`;

describe('a file is split into', () => {
  test('its runs of changed lines, each with its function', async () => {
    await repository.put('src/e.py', CODE);
    repository.commit();
    const fresh = CODE.replace('self.count = 0', 'self.count = 1\n        self.x = 2')
      .replace('        self.log("stop")\n', '')
      .replace('import os\n', 'import os\nimport sys\n');
    await repository.put('src/e.py', fresh);
    repository.commit();
    expect(told(await changes('HEAD'))).toEqual([
      '1 src/e.py:2 +1 -0 source',
      '2 src/e.py:7 +2 -1 Engine.start source',
      '3 src/e.py:15 +0 -1 Engine.stop source',
    ]);
  });

  test('code, comments and tests; other files are one change each', async () => {
    await repository.put('src/e.py', CODE);
    await repository.put(
      'tests/test_e.py',
      'def test_a():\n    pass\n\n\ndef test_b():\n    pass\n',
    );
    await repository.put('tests/lib.py', 'X = 1\n');
    await repository.put('docs/a.md', 'a\n');
    repository.commit();
    await repository.put(
      'src/e.py',
      CODE.replace('"""Stops."""', '"""Stops it."""').replace('+= 1', '+= 2'),
    );
    await repository.put(
      'tests/test_e.py',
      'def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 2\n',
    );
    await repository.put('tests/lib.py', 'X = 2\n');
    await repository.put('docs/a.md', 'b\n');
    await repository.put('src/new.py', 'Y = 1\n');
    await repository.put('src/gen.py', '# @generated\nY = 1\n');
    await repository.put('src/vendored.py', 'Y = 1\n');
    await repository.put('.gitattributes', 'src/vendored.py linguist-generated\n');
    expect(told(await changes(null))).toEqual(
      [
        'o1 .gitattributes +1 -0 other settings of tools',
        'o2 docs/a.md:1 +1 -1 other documentation in docs/',
        'o3 src/gen.py +2 -0 other generated, says its head',
        'o4 src/vendored.py +1 -0 other generated, says .gitattributes',
        '1 src/e.py:11 +2 -2 Engine.stop source',
        '2 src/new.py +1 -0 source',
        's1 tests/lib.py:1 +1 -1 support',
        't1 tests/test_e.py:2 +2 -2 (2) test_a test',
      ].toSorted(byNumberOfFile),
    );
  });

  test('comments alone are no code', async () => {
    await repository.put('src/e.py', CODE);
    repository.commit();
    await repository.put(
      'src/e.py',
      CODE.replace('"""Stops."""', '"""Stops it."""').replace(
        'import os\n',
        'import os  # for names\n',
      ),
    );
    expect(told(await changes(null))).toEqual([
      'o1 src/e.py:1 +1 -1 other comments and blank lines alone',
      'o2 src/e.py:11 +1 -1 Engine.stop other comments and blank lines alone',
    ]);
  });

  test.each([
    [false, 'doctest, which the lane does not run'],
    [true, 'doctest'],
  ])('a doctest is no comment alone, where the lane runs it: %s', async (runsDoctests, why) => {
    const documented = (text: string, line: string): string =>
      `/// ${text}\n///\n/// \`\`\`\n/// assert!(a::f());\n${line}/// \`\`\`\npub fn f() -> bool {\n    true\n}\n`;
    await repository.put('src/lib.rs', documented('Does.', ''));
    repository.commit();
    await repository.put('src/lib.rs', documented('Does it.', '/// assert!(!a::g());\n'));
    expect(told(await changes(null, { runsDoctests }))).toEqual([
      'o1 src/lib.rs:1 +1 -1 f other comments and blank lines alone',
      `o2 src/lib.rs:5 +1 -0 f other ${why}`,
    ]);
  });

  test('blank lines are content in a string, and in what is no code', async () => {
    await repository.put('src/e.py', 'T = """a\nb"""\n\n\ndef f():\n    pass\n');
    await repository.put('src/mail.tmpl', 'a\nb\n');
    repository.commit();
    await repository.put('src/e.py', 'T = """a\n\nb"""\n\n\n\ndef f():\n    pass\n');
    await repository.put('src/mail.tmpl', 'a\n\nb\n');
    expect(told(await changes(null))).toEqual([
      '1 src/e.py:2 +1 -0 source',
      'o1 src/e.py:6 +1 -0 other comments and blank lines alone',
      '2 src/mail.tmpl:2 +1 -0 source',
    ]);
  });

  test('lines that moved are one change, also into another file', async () => {
    const block = '        """Stops."""\n        self.count += 1\n        self.log("stop")\n';
    const [stop, rest] = [block.replaceAll('        ', ''), CODE.replace(block, '')];
    await repository.put('src/e.py', CODE);
    await repository.put('src/f.py', 'A = 1\n');
    repository.commit();
    await repository.put('src/e.py', rest.replace('        self.count = 0\n', `$&${block}`));
    expect(told(await changes(null))).toEqual(['1 src/e.py:7 +3 -3 (2) Engine.start source']);
    await repository.put('src/e.py', rest);
    await repository.put('src/f.py', `A = 1\n${stop}`);
    const [moved] = await changes(null);
    const all = moved === undefined ? [] : [moved];
    expect(told(all)).toEqual(['1 src/e.py:11 +3 -3 (2) Engine.stop source']);
    expect(all.map(otherPlacesOf)).toEqual([['src/f.py:2']]);
    expect(takeBack(all).map(({ after }) => after?.toString())).toEqual([CODE, 'A = 1\n']);
  });

  test('what cannot be split: renames, binaries, modes, links, deleted and empty files', async () => {
    await repository.put('src/old.py', CODE);
    await repository.put('src/gone.py', 'X = 1\n');
    await repository.put('src/data.bin', Buffer.from([0, 1]));
    await repository.put('src/mode.py', 'X = 1\n');
    await symlink('mode.py', join(repository.dir, 'src/link.py'));
    repository.commit();
    repository.git('mv', 'src/old.py', 'src/fresh.py');
    await repository.put('src/fresh.py', CODE.replace('+= 1', '+= 2'));
    await rm(join(repository.dir, 'src/gone.py'));
    await repository.put('src/data.bin', Buffer.from([0, 2]));
    await chmod(join(repository.dir, 'src/mode.py'), 0o755);
    await rm(join(repository.dir, 'src/link.py'));
    await symlink('fresh.py', join(repository.dir, 'src/link.py'));
    await repository.put('src/__init__.py', '');
    repository.commit();
    const all = await changes('HEAD');
    expect(told(all)).toEqual([
      'o1 src/__init__.py +0 -0 other an empty file',
      '1 src/data.bin +0 -0 source',
      '2 src/fresh.py +0 -0 source',
      '3 src/fresh.py:12 +1 -1 Engine.stop source',
      '4 src/gone.py +0 -1 source',
      'o2 src/link.py +0 -0 other symbolic link',
      'o3 src/mode.py +0 -0 other its mode alone',
    ]);
    const named = (ids: readonly string[]): readonly Change[] =>
      all.filter(({ id }) => ids.includes(id));
    expect(
      takeBack(named(['2'])).map(({ path, after }) => [path, after?.toString() ?? null]),
    ).toEqual([
      ['src/fresh.py', null],
      ['src/old.py', CODE.replace('+= 1', '+= 2')],
    ]);
    expect(
      takeBack(named(['2', '3'])).map(({ path, after }) => [path, after?.toString() ?? null]),
    ).toEqual([
      ['src/fresh.py', null],
      ['src/old.py', CODE],
    ]);
    expect(takeBack(named(['1', '4'])).map(({ path, after }) => [path, after])).toEqual([
      ['src/data.bin', Buffer.from([0, 1])],
      ['src/gone.py', Buffer.from('X = 1\n')],
    ]);
  });
});

/** Ids are given in the order of the paths. */
const byNumberOfFile = (a: string, b: string): number => {
  const path = (line: string): string => line.split(' ')[1] ?? '';
  return path(a) < path(b) ? -1 : 1;
};

describe('a range that does not end here', () => {
  test('is found by its content in the tree as it lies, or says what is in the way', async () => {
    await repository.put('src/e.py', CODE);
    repository.commit();
    const fixed = CODE.replace('+= 1', '+= 2').replace('self.count = 0', 'self.count = 7');
    await repository.put('src/e.py', fixed);
    repository.commit();
    await repository.put('src/e.py', `# top\n${fixed.replace('self.count = 7', 'self.count = 8')}`);
    const [first, second] = await changes('HEAD');
    expect(told([first, second].filter((each) => each !== undefined))).toEqual([
      '1 src/e.py:6 +1 -1 Engine.start source !its lines no longer stand in src/e.py as the range left them',
      '2 src/e.py:13 +1 -1 Engine.stop source',
    ]);
    expect(takeBack(second === undefined ? [] : [second])).toEqual([
      {
        path: 'src/e.py',
        before:
          repository === null
            ? null
            : Buffer.from(`# top\n${fixed.replace('self.count = 7', 'self.count = 8')}`),
        after: Buffer.from(`# top\n${CODE.replace('self.count = 0', 'self.count = 8')}`),
      },
    ]);
  });

  test('stands in one place only, or in none', () => {
    const at = (after: string, now: string, from: number, to: number): unknown =>
      placeSpans(Buffer.from(after), Buffer.from(now), [{ from, to }])[0];
    const block = 'a\nb\nX\nc\nd\n';
    expect(at(block, `1\n2\n${block}`, 2, 3)).toEqual({ from: 4, to: 5 });
    expect(at(block, `${block}${block}`, 2, 3)).toBeNull();
    expect(at(`p\n${block}`, `p\n${block}q\n${block}`, 3, 4)).toEqual({ from: 3, to: 4 });
    expect(at(block, 'a\nb\nY\nc\nd\n', 2, 3)).toBeNull();
    expect(at(block, 'a\nB\nb\nX\nc\nd\n', 2, 3)).toEqual({ from: 3, to: 4 });
    expect(at(block, 'b\nX\nc\n', 2, 3)).toEqual({ from: 1, to: 2 });
    expect(at(block, 'B\nX\nC\n', 2, 3)).toBeNull();
    // Only taken away, so that nothing but context tells where.
    expect(at(block, `0\n${block}`, 2, 2)).toEqual({ from: 3, to: 3 });
  });
});

test('a version number is one, unless an option names its file as source', async () => {
  await repository.put('src/app.py', '__version__ = "1.2"\n');
  repository.commit();
  await repository.put('src/app.py', '__version__ = "1.3"\n');
  repository.commit();
  expect((await changes('HEAD')).map(({ why }) => why)).toEqual(['version number']);
  const named = await changes('HEAD', { sourcePaths: ['src'] });
  expect(named.map(({ why }) => why)).toEqual(['--source-path src']);
});

test('all changes of any two texts, taken back together, give the first one, byte for byte', async () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '\ufeffx\n');
  const text = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.constantFrom('', 'end'))
    .map(([lines, end]) => lines.join('') + end);
  repository.git('config', 'core.autocrlf', 'false');
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      fc.pre(before !== after);
      await repository.put('src/e.txt', before);
      repository.commit();
      await repository.put('src/e.txt', after);
      const all = (await changes(null)).map((change) => ({ ...change, class: 'source' as const }));
      expect(takeBack(all)).toEqual([
        { path: 'src/e.txt', before: Buffer.from(after), after: Buffer.from(before) },
      ]);
    }),
    { numRuns: 25 },
  );
});
