import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { parseDocuments } from '../../src/spec/yaml-documents.js';
import { cutList } from '../../src/spec/yaml-pieces.js';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

/** Everything of a node that is read anywhere. */
function plain(node: ParsedNode | null): unknown {
  if (node === null) return null;
  const { range } = node;
  if (isScalar(node)) return { range, type: node.type, value: node.value, tag: node.tag };
  if (isSeq(node)) return { range, flow: node.flow, items: node.items.map(plain) };
  if (isMap(node))
    return {
      range,
      flow: node.flow,
      items: node.items.map(({ key, value }) => [plain(key), plain(value)]),
    };
  return { range, source: node.source };
}

const trees = (text: string, size?: number): unknown =>
  parseDocuments(text, size).map(({ contents, errors }) => ({
    contents: plain(contents),
    errors: errors.map(({ code, pos }) => ({ code, pos })),
  }));

const SPEC = `# A spec.
version: 1
about: |
  mutations:
  - no item
mutations: # all
  # the first
  - id: a
    why: "quoted

      on two lines"
    patch: |+
      @@
      -  - id: x
      +# no comment

  -
    id: b
    flips: [one,
      "two"]

# at the margin
  - { id: c, why: 'it''s' }
  - id: d
    why: plain
      and more
    edits:
    - file: a
    - file: b
x-notes: none
`;

describe('a text that is parsed in pieces', () => {
  test.each(
    fastGlob.sync('{mutations,examples,test/fixtures}/**/*.{yaml,yml}', {
      cwd: TOP,
      ignore: ['**/node_modules/**'],
    }),
  )('has the tree of the whole one: %s', (name) => {
    const text = readFileSync(new URL(name, `file://${TOP}/`), 'utf8');
    expect(trees(text, 1)).toEqual(trees(text, Infinity));
  });

  test.each([
    ['comments, blank lines and texts of every style', SPEC, 4],
    ['with carriage returns', SPEC.replaceAll('\n', '\r\n'), 4],
    ['items at the margin', 'mutations:\n- id: a\n- id: b\nversion: 1\n', 2],
    ['no line break at the end', 'mutations:\n  - id: a\n  - id: b', 2],
    ['something after the end of the document', 'mutations:\n  - a\n  - b\n...\n', 2],
    ['a key that stands twice', 'mutations:\n  - a\n  - b\nversion: 1\nversion: 1\n', 2],
    ['anchors and aliases', 'mutations:\n  - &a id: a\n  - why: *a\n', 2],
  ])('has the tree of the whole one: %s', (_, text, pieces) => {
    expect(cutList(text, 1)).toHaveLength(pieces);
    expect(trees(text, 1)).toEqual(trees(text, Infinity));
  });

  test.each([
    ['a quoted text that looks like an item', 'mutations:\n  - why: "a\n  - id: b"\n  - id: c\n'],
    ['a list in brackets', 'mutations:\n  - [a,\n  - b]\n  - c\n'],
    ['a syntax error', 'mutations:\n  - id: a\n  - id: "b\n  - id: c\n'],
    ['items at two indentations', 'mutations:\n    - id: a\n  - id: b\n    - id: c\n'],
    ['two lists', 'mutations:\n  - a\n  - b\nmutations:\n  - c\n'],
    ['a second document', 'mutations:\n  - a\n  - b\n---\nmutations: []\n'],
    ['a line separator, which ends no line', 'mutations:\n  - why: a\u2028  - id: b\n  - c\n'],
    ['a block text at the margin', '--- |\nmutations:\n  - a\n  - b\n'],
    ['a directive', '%TAG ! tag:example.org,2000:\n---\nmutations:\n  - !a b\n  - !a c\n'],
    ['an anchor before the list', 'mutations:\n  &a\n  - id: a\n  - id: b\n'],
    ['no item', 'mutations:\nversion: 1\n'],
    ['nothing after the key', 'mutations:'],
    ['an empty text', ''],
  ])('is told by the whole where a cut could be wrong: %s', (_, text) => {
    expect(trees(text, 1)).toEqual(trees(text, Infinity));
  });
});
