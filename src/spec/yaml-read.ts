/** YAML as data: every scalar is text, unless the schema of its place asks for something else. */
import { isMap, isScalar, isSeq, type ParsedNode, Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { z } from 'zod';
import { err, ok, type Result } from '../result.js';
import { nearest } from './distance.js';
import type { Diagnostic } from './model.js';
import { type Shape, shapeOf } from './shape.js';
import { diagnose, type Source } from './source.js';
import { isExtensionKey, type Path, pathKey, type Written } from './written.js';
import { spanOf, spanOfNode } from './yaml-place.js';
import { duplicateKey, emptyText, notText, refusedSyntax } from './yaml-refusals.js';
import { parseYaml } from './yaml-syntax.js';
import { textFault } from './yaml-text.js';

interface Reader {
  readonly source: Source;
  readonly faults: Diagnostic[];
  readonly faulty: Set<string>;
}

interface Place {
  readonly path: Path;
  readonly shape: Shape;
  readonly inFlowList: boolean;
}

/**
 * Reads a YAML file as a schema expects it. Syntax errors are the error; what YAML would cut or
 * misread is in `faults`, so that everything else in the file is still checked.
 */
export function readYaml(
  source: Source,
  schema: z.core.$ZodType,
): Result<Written, readonly Diagnostic[]> {
  const parsed = parseYaml(source);
  if (!parsed.ok) return err(parsed.error);
  const root = parsed.value;
  const reader: Reader = { source, faults: [], faulty: new Set() };
  const value =
    root === null
      ? null
      : read(reader, root, { path: [], shape: shapeOf([schema]), inFlowList: false });
  return ok({
    source,
    value,
    spanOf: (path, part = 'value') => spanOf(root, path, part),
    faults: reader.faults,
    isFaulty: (path) =>
      reader.faulty.has('') ||
      path.some((_, index) => reader.faulty.has(pathKey(path.slice(0, index + 1)))),
  });
}

function read(reader: Reader, node: ParsedNode, place: Place): unknown {
  const refused = refusedSyntax(reader.source, node);
  if (refused !== null) return fault(reader, place.path, refused);
  if (isMap(node)) return readMap(reader, node, place);
  if (isSeq(node)) return readList(reader, node, place);
  return isScalar(node) ? readScalar(reader, node, place) : null;
}

function readScalar(reader: Reader, node: Scalar.Parsed, place: Place): unknown {
  const { shape } = place;
  const value = String(node.value);
  const isPlain = node.type === Scalar.PLAIN;
  const isEmpty = isPlain && node.range[0] === node.range[1];
  if (isEmpty && shape.text !== null && !shape.nothing)
    return fault(reader, place.path, emptyText(reader.source, node, shape));
  if (isEmpty) return null;
  if (isPlain) {
    const typed = typedValue(value, shape);
    if (typed !== undefined) return typed;
  }
  const found =
    shape.text === null
      ? null
      : textFault(node, { source: reader.source, shape, inFlowList: place.inFlowList });
  return found === null ? value : fault(reader, place.path, found);
}

/** A number, a boolean or null, only where the schema admits one; undefined: it is text. */
function typedValue(text: string, shape: Shape): number | boolean | null | undefined {
  if (shape.words.has(text)) return undefined;
  if (shape.number !== null && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (shape.boolean && (text === 'true' || text === 'false')) return text === 'true';
  return shape.nothing && (text === 'null' || text === '~') ? null : undefined;
}

function readList(reader: Reader, node: YAMLSeq.Parsed, place: Place): unknown {
  const { shape, path } = place;
  if (!shape.list && shape.text !== null)
    return fault(reader, path, notText(reader.source, node, 'list'));
  const elements = shapeOf(shape.elements);
  return node.items.map((item, index) =>
    read(reader, item, {
      path: [...path, index],
      shape: elements,
      inFlowList: node.flow === true,
    }),
  );
}

function readMap(reader: Reader, node: YAMLMap.Parsed, place: Place): unknown {
  const { shape, path } = place;
  const keys = node.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : null));
  if (shape.text !== null && !isMeant(reader.source, node, keys, shape))
    return fault(reader, path, notText(reader.source, node, 'mapping'));

  const entries = new Map<string, unknown>();
  const firstPlaces = new Map<string, ParsedNode>();
  for (const pair of node.items) {
    const keyNode = pair.key;
    const refused = refusedSyntax(reader.source, keyNode);
    if (refused !== null || !isScalar(keyNode)) {
      fault(
        reader,
        [...path, '?'],
        refused ?? diagnose(reader.source, spanOfNode(keyNode), 'a key must be a text'),
      );
      continue;
    }
    const key = String(keyNode.value);
    const first = firstPlaces.get(key);
    if (first !== undefined) {
      fault(reader, [...path, '?'], duplicateKey(reader.source, key, keyNode, first));
      continue;
    }
    firstPlaces.set(key, keyNode);
    if (shape.values === null && isExtensionKey(key)) continue;
    const schemas = shape.keys?.get(key) ?? shape.values;
    if (schemas === null || schemas === undefined) entries.set(key, null);
    else if (pair.value === null) entries.set(key, null);
    else
      entries.set(
        key,
        read(reader, pair.value, {
          path: [...path, key],
          shape: shapeOf(schemas),
          inFlowList: false,
        }),
      );
  }
  // `fromEntries` defines properties, so that a key such as __proto__ stays an ordinary one.
  return Object.fromEntries(entries);
}

/** Whether a mapping was written on purpose, where a text may stand too. */
function isMeant(
  source: Source,
  node: YAMLMap.Parsed,
  keys: readonly (string | null)[],
  shape: Shape,
): boolean {
  if (shape.keys === null) return false;
  const hasBraces = source.text[node.range[0]] === '{';
  const hasValue = node.items.some((pair) => pair.value !== null);
  if (hasBraces && (hasValue || keys.length === 0)) return true;
  const known = shape.keys;
  return keys.some(
    (key) => key !== null && /^\w+$/.test(key) && nearest(key, known.keys()).length > 0,
  );
}

function fault(reader: Reader, path: Path, diagnostic: Diagnostic): null {
  reader.faults.push(diagnostic);
  reader.faulty.add(pathKey(path));
  return null;
}
