/** The place of a part of a YAML document. */
import { isMap, isScalar, isSeq, type Pair, type ParsedNode } from 'yaml';
import type { Span } from './source.js';
import type { Path } from './written.js';

export const spanOfNode = (node: ParsedNode): Span => {
  const [start, end] = node.range;
  return { start, end: Math.max(end, start + 1) };
};

/** The span of the value at a path, or of its key; of the nearest part above where it leads nowhere. */
export function spanOf(root: ParsedNode | null, path: Path, part: 'key' | 'value'): Span {
  if (root === null) return { start: 0, end: 1 };
  let here: ParsedNode = root;
  let keyNode: ParsedNode | null = null;
  for (const step of path) {
    if (isMap(here)) {
      const pair: Pair<ParsedNode, ParsedNode | null> | undefined = here.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(step),
      );
      if (pair === undefined) return headOf(here, keyNode);
      keyNode = pair.key;
      if (pair.value === null) return spanOfNode(pair.key);
      here = pair.value;
    } else if (isSeq(here)) {
      const item: ParsedNode | undefined = here.items[Number(step)];
      if (item === undefined) return headOf(here, keyNode);
      keyNode = null;
      here = item;
    } else return spanOfNode(here);
  }
  if (part === 'key' && keyNode !== null) return spanOfNode(keyNode);
  return headOf(here, keyNode);
}

/** A scalar whole; of a mapping or list only the beginning, its first key. */
function headOf(node: ParsedNode, keyNode: ParsedNode | null): Span {
  if (isScalar(node))
    return node.range[0] === node.range[1] && keyNode !== null
      ? spanOfNode(keyNode)
      : spanOfNode(node);
  if (isMap(node) && node.flow !== true) {
    const first = node.items[0];
    if (first !== undefined) return spanOfNode(first.key);
  }
  return spanOfNode(node);
}
