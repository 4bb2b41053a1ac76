import { join } from 'node:path';
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inlineEdits, type InlinedSpec } from '../../src/engine/inline.js';
import { parseConfig } from '../../src/spec/config.js';
import { makeSource } from '../../src/spec/source.js';
import { readSpecFile } from '../../src/spec/spec-file.js';
import { createRepository, type Repository } from '../git/repository.js';

let repository: Repository;
let fix: string;

const OLD = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join('');
const NEW = OLD.replace('\n3\n', '\nthree\n').replace('\n15\n', '\n15\nx\ny\n');
const BIG = Buffer.from([0, 1, 2]);

beforeEach(async () => {
  repository = await createRepository();
  repository.git('config', 'core.autocrlf', 'false');
  await repository.put('part/a.py', OLD);
  await repository.put('part/p.bin', BIG);
  await repository.put('part/gone.py', 'gone\n');
  repository.commit();
  await repository.put('part/a.py', NEW);
  await repository.put('part/p.bin', Buffer.from([0, 3]));
  await repository.put('part/made.py', 'made\n');
  await rm(join(repository.dir, 'part/gone.py'));
  fix = repository.commit();
});
afterEach(() => repository.remove());

const lane = parseConfig(makeSource('counterproof.yaml', ''), { root: '/project', file: null });
if (!lane.ok) throw new Error('the configuration has faults');
const config = lane.value;

/** Inlines what a spec says of these mutations, or of all. */
async function inline(text: string, ids?: readonly string[]): Promise<InlinedSpec | undefined> {
  const { dir: tree } = repository;
  const root = join(tree, 'part');
  await repository.put('part/mutations/a.yaml', text);
  const context = { bounds: { root, tree }, config };
  const { mutations, faults } = readSpecFile(
    makeSource('mutations/a.yaml', text.replace(/^\ufeff/, '')),
    context,
  );
  expect(faults).toEqual([]);
  const chosen = mutations.filter(({ id }) => ids?.includes(id) ?? true);
  const [only] = await inlineEdits({ ...context, tree, root, mutations: chosen });
  expect(await readFile(join(root, 'mutations/a.yaml'), 'utf8')).toBe(text);
  return only;
}

const told = (spec: InlinedSpec | undefined) =>
  spec?.edits.map(({ id, kind, files, stays }) => [id, kind, stays ?? files.join(' ')]);

const spec = (...mutations: readonly string[]): string =>
  `mutations:\n${mutations.map((one) => `- ${one.trim().replaceAll('\n', '\n  ')}\n  flips: any\n`).join('')}`;

describe('what rests on a commit', () => {
  test('becomes a patch, a hunk for each', async () => {
    const inlined = await inline(spec(`id: x\nrevert: "${fix}"\npaths: a.py`));
    expect(inlined?.after.toString()).toBe(`mutations:
- id: x
  file: "a.py"
  # was: revert: "${fix}", paths: "a.py"
  patch: |
    @@
     1
     2
    -three
    +3
     4
     5
     6
    @@
     13
     14
     15
    -x
    -y
     16
     17
     18
  flips: any
`);
    expect(told(inlined)).toEqual([['x', 'revert', 'a.py']]);
    // Nothing rests on a commit any more.
    expect(await inline(inlined?.after.toString() ?? '')).toBeUndefined();
  });

  test('becomes one edit for each file, made and deleted ones too', async () => {
    const inlined = await inline(spec(`id: x\nrevert: ${fix}\npaths: ["*.py"]`));
    expect(told(inlined)).toEqual([['x', 'revert', 'a.py gone.py made.py']]);
    expect(inlined?.after.toString()).toContain(
      '    - file: "gone.py"\n      create: |\n        gone\n',
    );
    expect(inlined?.after.toString()).toContain('    - file: "made.py"\n      delete: true\n');
  });

  test('in a list is written where it stands, on what the edits before it left', async () => {
    const first = 'file: a.py\n  replace: { find: "1\\n2\\n", with: "one\\n2\\n" }';
    const inlined = await inline(
      spec(`id: x\nedits:\n- ${first}\n- revert: ${fix}\n  hunks: ["a.py:3"]`),
    );
    expect(inlined?.after.toString()).toBe(
      `mutations:\n- id: x\n  edits:\n  - ${first.replace('\n', '\n  ')}\n  - file: "a.py"\n    # was: revert: "${fix}", hunks: ["a.py:3"]\n    patch: |\n      @@\n       one\n       2\n      -three\n      +3\n       4\n       5\n       6\n  flips: any\n`,
    );
  });

  test('in a list of one', async () => {
    const inlined = await inline(spec(`id: x\nedits:\n- revert: ${fix}\n  paths: made.py`));
    expect(inlined?.after.toString()).toContain('  edits:\n  - file: "made.py"\n');
  });

  test("is a revision's version of a file, too", async () => {
    const inlined = await inline(spec(`id: x\nfile: a.py\nfrom: ${fix}`));
    expect(told(inlined)).toEqual([
      ['x', 'from', expect.stringMatching(/^it does not apply: .*the same in/)],
    ]);
    await repository.put('part/a.py', NEW.replace('\n8\n', '\neight\n'));
    expect(told(await inline(spec(`id: x\nfile: a.py\nfrom: ${fix}`)))).toEqual([
      ['x', 'from', 'a.py'],
    ]);
  });

  test('is written for the mutations that are wanted alone', async () => {
    const text = spec(`id: x\nrevert: ${fix}\npaths: a.py`, `id: y\nrevert: ${fix}\npaths: a.py`);
    const inlined = await inline(text, ['y']);
    expect(told(inlined)).toEqual([['y', 'revert', 'a.py']]);
    expect(inlined?.after.toString().startsWith(text.slice(0, text.indexOf('- id: y')))).toBe(true);
  });

  test('leaves a byte order mark', async () => {
    const inlined = await inline(`\ufeff${spec(`id: x\nrevert: ${fix}\npaths: made.py`)}`);
    expect(inlined?.after.toString().startsWith('\ufeffmutations:')).toBe(true);
  });
});

describe('what stays', () => {
  test('says why, and the others are written', async () => {
    const inlined = await inline(
      spec(
        `id: binary\nrevert: ${fix}`,
        `id: rotten\napply: ${fix}\npaths: a.py`,
        `id: good\nrevert: ${fix}\npaths: made.py`,
      ) + `- { id: braces, revert: ${fix}, paths: made.py, flips: any }\n`,
    );
    expect(told(inlined)).toEqual([
      ['binary', 'revert', 'p.bin is binary, and a spec holds text'],
      ['rotten', 'apply', expect.stringMatching(/^it does not apply: the hunk of /)],
      ['good', 'revert', 'made.py'],
      ['braces', 'revert', expect.stringMatching(/^it stands in braces/)],
    ]);
    const text = inlined?.after.toString();
    expect(text).toContain(`- id: binary\n  revert: ${fix}\n`);
    expect(text).toContain('- id: good\n  file: "made.py"\n');
  });

  test('leaves the file as it is', async () => {
    const inlined = await inline(spec(`id: binary\nrevert: ${fix}\npaths: p.bin`));
    expect(inlined?.after).toBe(inlined?.before);
  });
});
