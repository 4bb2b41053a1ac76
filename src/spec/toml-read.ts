/** `[tool.counterproof]` of a TOML file as data. */
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { err, ok, type Result } from '../result.js';
import type { Diagnostic } from './model.js';
import { type Shape, shapeOf } from './shape.js';
import { diagnose, fileDiagnostic, type Source } from './source.js';
import { tomlPlaces } from './toml-place.js';
import { isExtensionKey, valueAt, type Written } from './written.js';

const TABLE = ['tool', 'counterproof'] as const;

export function readToml(
  source: Source,
  schema: z.core.$ZodType,
): Result<Written, readonly Diagnostic[]> {
  let whole: unknown;
  try {
    whole = parse(source.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return err([syntaxError(source, error)]);
  }
  const table = valueAt(whole, TABLE);
  if (table === undefined)
    return err([
      fileDiagnostic(
        source.file,
        'the file has no table [tool.counterproof]',
        'Add it, or name another configuration.',
      ),
    ]);
  const spanOf = tomlPlaces(source);
  return ok({
    source,
    value: plain(table, shapeOf([schema])),
    spanOf: (path, part = 'value') => spanOf([...TABLE, ...path], part),
    faults: [],
    isFaulty: () => false,
  });
}

/** Without the keys that are the user's own. */
function plain(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) {
    const elements = shapeOf(shape.elements);
    return value.map((item) => plain(item, elements));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value)
    .filter(([key]) => shape.values !== null || !isExtensionKey(key))
    .map(([key, item]) => {
      const schemas = shape.keys?.get(key) ?? shape.values ?? [];
      return [key, plain(item, shapeOf(schemas))] as const;
    });
  return Object.fromEntries(entries);
}

function syntaxError(source: Source, error: TomlError): Diagnostic {
  const start = (source.lines.lineStarts[error.line - 1] ?? 0) + Math.max(0, error.column - 1);
  const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
  return diagnose(source, { start, end: start + 1 }, `TOML: ${message}`);
}
