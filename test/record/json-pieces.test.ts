import { assert, dictionary, jsonValue, nat, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces } from '../../src/record/json-pieces.js';

test('pieces together are what JSON.stringify gives, however small they are', () => {
  assert(
    property(dictionary(string(), jsonValue()), nat(40), (mapping, size) => {
      const text = `${JSON.stringify(mapping, null, 2)}\n`;
      expect([...jsonPieces(mapping, size)].join('')).toBe(text);
    }),
  );
});

test('a field without a value is left out, and a line break in a text stays one', () => {
  const mapping = { first: undefined, list: [['a\nb'], { c: undefined }, null], last: undefined };
  expect([...jsonPieces(mapping)].join('')).toBe(`${JSON.stringify(mapping, null, 2)}\n`);
});

test('a piece ends where it is full', () => {
  expect([...jsonPieces({ version: 1, list: ['a', 'b'] }, 20)]).toEqual([
    '{\n  "version": 1,\n  "list": ',
    '[\n    "a",\n    "b"\n  ]',
    '\n}\n',
  ]);
});
