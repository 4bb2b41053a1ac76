import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPatch } from '../../src/mutation/patch.js';
import { type LocateContext, locateMutation } from '../../src/mutation/locate.js';
import { splitLines } from '../../src/mutation/lines.js';
import { err, ok } from '../../src/result.js';
import type { EditSpec, FileEdit } from '../../src/spec/model.js';

const toBytes = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source) : source;

const ROUTES = `class Engine:
    def pause(self, mode):
        """Pauses."""
        return self.post("/pause", mode)

    def resume(self, mode):
        return self.post("/resume", mode)
`;

let tree: string;

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'counterproof-locate-'));
  await put('routes.py', ROUTES);
  await put('data.json', '{}\n');
});
afterEach(() => rm(tree, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(tree, path)), { recursive: true });
  await writeFile(join(tree, path), content);
}

const WHERE = { file: 'mutations/a.yaml', line: 1, col: 1 };
/** An edit as the loader gives it, with what a test does not care for filled in. */
type Sparse<T> = T extends unknown
  ? Omit<T, 'where' | 'within' | 'file'> & Partial<Pick<FileEdit, 'within' | 'file'>>
  : never;
const edit = (sparse: Sparse<FileEdit>): EditSpec => ({
  file: 'routes.py',
  within: [],
  where: WHERE,
  ...sparse,
});
const replace = (find: string, replacement: string, within: string[] = []) =>
  edit({ kind: 'replace', find, with: replacement, count: 1, within });

async function locate(edits: EditSpec[], revisions: Readonly<Record<string, Buffer>> = {}) {
  const git: LocateContext['git'] = {
    showFile: (rev, path) => {
      const shown = revisions[`${rev}:${path}`];
      return Promise.resolve(
        shown === undefined
          ? err({ kind: 'no-revision', rev, hint: `git fetch origin ${rev}` })
          : ok(shown),
      );
    },
    changes: () => Promise.reject(new Error('no commit is asked for')),
  };
  return locateMutation(edits, { tree, root: tree, git });
}

const problem = async (...args: Parameters<typeof locate>) => {
  const result = await locate(...args);
  return result.ok ? null : result.error;
};
const after = async (...args: Parameters<typeof locate>) => {
  const result = await locate(...args);
  return result.ok
    ? result.value.map((located) => located.after?.toString('latin1') ?? null)
    : result.error;
};

describe('a located edit', () => {
  test('says where it lies, and shows its diff', async () => {
    const result = await locate([replace('/pause', '/stop')]);
    expect(result).toMatchObject({
      value: [{ path: 'routes.py', line: 4, scope: 'Engine.pause', before: Buffer.from(ROUTES) }],
    });
    const [located] = result.ok ? result.value : [];
    expect(located?.patch).toBe(`--- a/routes.py
+++ b/routes.py
@@ -1,7 +1,7 @@
 class Engine:
     def pause(self, mode):
         """Pauses."""
-        return self.post("/pause", mode)
+        return self.post("/stop", mode)
 
     def resume(self, mode):
         return self.post("/resume", mode)
`);
    const again = applyPatch(
      splitLines(Buffer.from(ROUTES)),
      'routes.py',
      located?.patch ?? '',
      null,
    );
    expect(again.ok ? again.value : null).toEqual(located?.after);
  });

  test('writes nothing', async () => {
    await locate([replace('/pause', '/stop')]);
    expect(await readFile(join(tree, 'routes.py'), 'utf8')).toBe(ROUTES);
  });

  test('of a file that is not UTF-8 shows it byte by byte', async () => {
    await put('l.py', Buffer.from('# caf\xe9\na = 1\n', 'latin1'));
    const result = await locate([
      edit({ kind: 'replace', file: 'l.py', find: '1', with: '2', count: 1 }),
    ]);
    expect(result).toMatchObject({
      value: [{ patch: expect.stringContaining(' # café\n-a = 1\n+a = 2\n') }],
    });
    expect(result.ok && result.value[0]?.after?.toString('latin1')).toBe('# caf\xe9\na = 2\n');
  });

  test('of a binary file names it', async () => {
    await put('b.bin', Buffer.from([0, 1, 2]));
    const result = await locate([
      edit({ kind: 'replace', file: 'b.bin', find: '\x01', with: 'x', count: 1 }),
    ]);
    expect(result).toMatchObject({
      value: [{ scope: null, patch: 'Binary files a/b.bin and b/b.bin differ\n' }],
    });
  });
});

const file = (path: string) => edit({ kind: 'create', file: path, content: 'a' });

describe('several edits', () => {
  test('of one file follow each other and become one', async () => {
    const result = await locate([replace('/pause', '/stop'), replace('"/stop", mode', '"/halt"')]);
    expect(result).toMatchObject({ value: [{ path: 'routes.py', line: 4 }] });
    expect(await after([replace('/pause', '/stop'), replace('"/stop", mode', '"/halt"')])).toEqual([
      ROUTES.replace('"/pause", mode', '"/halt"'),
    ]);
  });

  test('each must be unique in what stands then', async () => {
    expect(await problem([replace('/pause', '/resume'), replace('/resume', '/x')])).toMatchObject({
      kind: 'ambiguous',
      lines: [4, 7],
    });
  });

  test('that take each other back change nothing', async () => {
    expect(await problem([replace('/pause', '/x'), replace('/x', '/pause')])).toMatchObject({
      kind: 'no-change',
    });
  });

  test('of several files, in their order', async () => {
    const create = edit({ kind: 'create', file: 'new/a.py', content: 'é\n' });
    const result = await locate([
      create,
      edit({ kind: 'delete', file: 'data.json' }),
      replace('/pause', '/x'),
    ]);
    expect(result).toMatchObject({
      value: [
        {
          path: 'new/a.py',
          before: null,
          after: Buffer.from('é\n'),
          line: 0,
          scope: null,
          patch: expect.stringMatching(/^--- \/dev\/null\n\+\+\+ b\/new\/a\.py\n/),
        },
        {
          path: 'data.json',
          after: null,
          line: 1,
          patch: expect.stringMatching(/^--- a\/data\.json\n\+\+\+ \/dev\/null\n/),
        },
        { path: 'routes.py' },
      ],
    });
  });

  test('through a link and directly are of one file', async () => {
    await symlink('routes.py', join(tree, 'link.py'));
    const linked = edit({
      kind: 'replace',
      file: 'link.py',
      find: '/resume',
      with: '/y',
      count: 1,
    });
    expect(await after([replace('/pause', '/x'), linked])).toEqual([
      ROUTES.replace('/pause', '/x').replace('/resume', '/y'),
    ]);
  });

  test('fail together', async () => {
    expect(await problem([replace('/pause', '/x'), replace('nowhere at all', '/y')])).toMatchObject(
      { kind: 'no-match' },
    );
  });

  test('cannot create a file below another', async () => {
    expect(await problem([file('a'), file('a/b')])).toMatchObject({ kind: 'refused' });
  });
});

describe('create and delete', () => {
  test.each<[string, EditSpec, object]>([
    [
      'create over a file',
      edit({ kind: 'create', content: 'a' }),
      { kind: 'exists', path: 'routes.py' },
    ],
    [
      'create with within',
      edit({ kind: 'create', file: 'n.py', content: 'a', within: ['x'] }),
      { kind: 'refused' },
    ],
    ['delete nothing', edit({ kind: 'delete', file: 'n.py' }), { kind: 'no-file', path: 'n.py' }],
    ['delete with within', edit({ kind: 'delete', within: ['x'] }), { kind: 'refused' }],
    [
      'replace in nothing',
      edit({ kind: 'replace', file: 'n.py', find: 'a', with: 'b', count: 1 }),
      { kind: 'no-file' },
    ],
    [
      'patch nothing',
      edit({ kind: 'patch', file: 'n.py', patch: '@@\n+a\n' }),
      { kind: 'no-file' },
    ],
    [
      'raise in nothing',
      edit({ kind: 'raise', file: 'n.py', within: ['def f'] }),
      { kind: 'no-file' },
    ],
  ])('%s', async (_, spec, expected) => {
    expect(await problem([spec])).toMatchObject(expected);
  });

  test('an empty file can be created', async () => {
    expect(await after([edit({ kind: 'create', file: 'pkg/__init__.py', content: '' })])).toEqual([
      '',
    ]);
  });

  test('a file can be deleted and created anew', async () => {
    expect(
      await after([edit({ kind: 'delete' }), edit({ kind: 'create', content: 'a\n' })]),
    ).toEqual(['a\n']);
  });
});

const PATCH = '@@\n-    a = 1\n+    a = 2\n';
const patchIn = (within: string[]) => edit({ kind: 'patch', file: 't.py', patch: PATCH, within });

describe('within', () => {
  const twice = 'def f():\n    a = 1\n    return a\n\ndef g():\n    a = 1\n    return a\n';
  beforeEach(() => put('t.py', twice));

  test('makes a patch unique that fits twice', async () => {
    expect(await problem([patchIn([])])).toMatchObject({ kind: 'ambiguous', lines: [2, 6] });
    expect(await after([patchIn(['def g'])])).toEqual([
      twice.replace(/a = 1(?!.*a = 1)/s, 'a = 2'),
    ]);
    expect(await problem([patchIn(['def h'])])).toMatchObject({
      kind: 'no-match',
      what: expect.stringContaining('def h'),
    });
  });

  test('holds what a patch changes; its context may stand outside', async () => {
    const patch = '@@\n     return a\n \n def g():\n-    a = 1\n+    a = 2\n';
    const inside = edit({ kind: 'patch', file: 't.py', patch, within: ['def g'] });
    const outside = edit({ kind: 'patch', file: 't.py', patch, within: ['def f'] });
    expect(await after([inside])).toEqual([twice.replace(/a = 1(?!.*a = 1)/s, 'a = 2')]);
    expect(await problem([outside])).toMatchObject({
      kind: 'no-match',
      what: expect.stringContaining('outside `within`'),
    });
  });

  test.each([
    ['above its first line', '@@\n+# x\n def g():\n', 'no-match'],
    ['below its first line', '@@\n def g():\n+    # x\n', 'ok'],
    ['below its last line', '@@\n     return a\n+    # x\n', 'ok'],
    ['in place of its first line', '@@\n+@d\n-def g():\n+def g(b):\n', 'ok'],
  ])('lines added %s', async (_, patch, expected) => {
    const result = await locate([edit({ kind: 'patch', file: 't.py', patch, within: ['def g'] })]);
    expect(result.ok ? 'ok' : result.error.kind).toBe(expected);
  });

  test('makes a text unique that stands twice', async () => {
    const spec = edit({
      kind: 'replace',
      file: 't.py',
      find: '1',
      with: '2',
      count: 1,
      within: ['def f'],
    });
    expect(await after([spec])).toEqual([twice.replace('1', '2')]);
  });

  test('names the function that raises', async () => {
    const spec = edit({ kind: 'raise', within: ['class Engine', 'def pause'] });
    expect(await after([spec])).toEqual([
      ROUTES.replace(
        'Pauses."""\n',
        'Pauses."""\n        raise BaseException("counterproof: raised on purpose")\n',
      ),
    ]);
    expect(await locate([spec])).toMatchObject({ value: [{ line: 4, scope: 'Engine.pause' }] });
  });

  test.each<[string, EditSpec]>([
    ['raise without within', edit({ kind: 'raise' })],
    ['raise in a class', edit({ kind: 'raise', within: ['class Engine'] })],
    ['raise in another language', edit({ kind: 'raise', file: 'data.json', within: ['{}'] })],
  ])('refused: %s', async (_, spec) => {
    expect(await problem([spec])).toMatchObject({ kind: 'refused' });
  });
});

const shown = (text: string | Buffer) => ({ 'v1:routes.py': toBytes(text) });

describe('from a revision', () => {
  const from = (within: string[] = []) => edit({ kind: 'from', rev: 'v1', within });
  const OLD = ROUTES.replace('/pause', '/old_pause').replace('/resume', '/old_resume');

  test('gives its bytes exactly', async () => {
    const bytes = Buffer.from('\xff\r\n\0', 'latin1');
    expect(await after([from()], shown(bytes))).toEqual(['\xff\r\n\0']);
  });

  test('with within takes that range alone', async () => {
    expect(await after([from(['def pause'])], shown(OLD))).toEqual([
      ROUTES.replace('/pause', '/old_pause'),
    ]);
  });

  test('a range that ends the other file without a newline gets one', async () => {
    const other = OLD.replace(/\n {4}def resume[^]*/, '').trimEnd();
    expect(await after([from(['def pause'])], shown(other))).toEqual([
      ROUTES.replace('/pause', '/old_pause'),
    ]);
  });

  test.each<[string, EditSpec, Record<string, Buffer>, object]>([
    [
      'the same bytes',
      from(),
      shown(ROUTES),
      { kind: 'no-change', what: 'the edit', why: 'the file is the same in v1' },
    ],
    [
      'the same range',
      from(['def resume']),
      shown(ROUTES.replace('/pause', '/x')),
      { kind: 'no-change' },
    ],
    [
      'no range there',
      from(['def pause']),
      shown('a\n'),
      { kind: 'no-match', what: '`within` line "def pause" in v1' },
    ],
    [
      'two ranges there',
      from(['def pause']),
      shown(OLD + OLD),
      { kind: 'ambiguous', what: expect.stringContaining('v1') },
    ],
    [
      'no such revision',
      from(),
      {},
      { kind: 'no-revision', rev: 'v1', hint: 'git fetch origin v1' },
    ],
    [
      'a pointer of Git LFS',
      from(),
      shown('version https://git-lfs.github.com/spec/v1\noid sha256:1\n'),
      { kind: 'refused' },
    ],
    [
      'a file that is not there',
      edit({ kind: 'from', file: 'n.py', rev: 'v1' }),
      {},
      { kind: 'no-file' },
    ],
  ])('refused: %s', async (_, spec, revisions, expected) => {
    expect(await problem([spec], revisions)).toMatchObject(expected);
  });
});

describe('bytes that were made in memory', () => {
  const bytes = (was: string | null, becomes: string | null, path = 'data.json'): EditSpec =>
    edit({
      kind: 'bytes',
      file: path,
      before: was === null ? null : Buffer.from(was),
      after: becomes === null ? null : Buffer.from(becomes),
    });

  test('take the place of exactly the file that they were made from', async () => {
    const located = await locate([bytes('{}\n', '[]\n'), bytes(null, 'x\n', 'new/a.py')]);
    expect(located).toMatchObject({
      ok: true,
      value: [
        { path: 'data.json', after: Buffer.from('[]\n') },
        { path: 'new/a.py', before: null, after: Buffer.from('x\n') },
      ],
    });
    expect(await locate([bytes('{}\n', null)])).toMatchObject({
      ok: true,
      value: [{ path: 'data.json', after: null }],
    });
  });

  test('are refused over any other', async () => {
    for (const wrong of [bytes('{ }\n', 'x'), bytes(null, 'x'), bytes('x', 'y', 'gone.json')])
      expect(await locate([wrong])).toMatchObject({
        ok: false,
        error: { kind: 'refused', why: 'is not what it was when the edit was made' },
      });
  });
});
