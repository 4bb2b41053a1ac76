import type { SgNode } from '@ast-grep/napi';
import { dottedName, isDefinition } from './python-scope.js';
import { parsePython } from './python-tree.js';
import { kindIs } from './source-tree.js';

/**
 * Dotted names of the functions and classes that a Python file defines: `TestA.test_b`. A
 * class with base classes is there a second time, with `(` at its end: it may have more
 * methods than its text shows.
 */
export function namesInPython(bytes: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  const tree = parsePython(bytes);
  if (tree === null) return names;
  const visit = (node: SgNode, path: readonly SgNode[]): void => {
    const here = isDefinition(node) ? [...path, node] : path;
    if (here !== path) {
      const name = dottedName(tree, bytes, here) ?? '';
      names.add(name);
      if (node.children().some((child) => kindIs(child, 'argument_list'))) names.add(`${name}(`);
    }
    for (const child of node.children()) visit(child, here);
  };
  visit(tree.root, []);
  return names;
}
