import { expect, test } from 'vitest';
import { binaryId, kindOf, packageName } from '../../../src/lane/cargo/ids.js';

test.each([
  ['lib', 'jail', 'jail'],
  ['lib', 'renamed', 'jail'],
  ['proc-macro', 'jail', 'jail'],
  ['test', 'stop_behavior', 'jail::stop_behavior'],
  ['bin', 'tool', 'jail::bin/tool'],
  ['bin', 'jail', 'jail::bin/jail'],
  ['example', 'x', 'jail::example/x'],
  ['bench', 'b', 'jail::bench/b'],
] as const)('a %s called %s is %s', (kind, target, expected) => {
  expect(binaryId('jail', kind, target)).toBe(expected);
});

test.each([
  [['lib'], 'lib'],
  [['cdylib', 'rlib'], 'lib'],
  [['staticlib'], 'lib'],
  [['dylib'], 'lib'],
  [['proc-macro'], 'proc-macro'],
  [['bin'], 'bin'],
  [['test'], 'test'],
  [['example'], 'example'],
  [['bench'], 'bench'],
  [['custom-build'], null],
  [[], null],
])('%j is of the kind %s', (kinds, expected) => {
  expect(kindOf(kinds)).toBe(expected);
});

test.each([
  ['path+file:///w/jail#0.1.0', 'jail'],
  ['path+file:///w/folder#jail@0.1.0', 'jail'],
  ['path+file:///w/ein%20Projekt#0.1.0', 'ein Projekt'],
  ['registry+https://example.org/index#serde@1.0.2', 'serde'],
  ['git+https://example.org/x/jail?rev=abc#0.1.0', 'jail'],
  ['git+https://example.org/x/y?branch=main#jail@0.1.0', 'jail'],
  ['path+file:///w/jail#jail', 'jail'],
  ['jail 0.1.0 (path+file:///w/folder)', 'jail'],
])('%s is the package %s', (id, expected) => {
  expect(packageName(id)).toBe(expected);
});
