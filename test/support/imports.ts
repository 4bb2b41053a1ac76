/** Who imports whom in `src/`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lang, parse, type SgNode } from '@ast-grep/napi';

export interface Import {
  /** File under `src/`, with slashes. */
  readonly from: string;
  /** File under `src/` that is there, or a package's name as written. */
  readonly to: string;
  /** Nothing of it is left in the built program. */
  readonly typeOnly: boolean;
}

export const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

export const sourceFiles = (): readonly string[] =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(path.sep).join('/'));

/** Static imports, re-exports, and `import()` of a literal. */
export function importsOf(file: string, text = readFileSync(path.join(SOURCES, file), 'utf8')) {
  const root = parse(Lang.TypeScript, text).root();
  const found: Import[] = [];
  for (const statement of [...all(root, 'import_statement'), ...all(root, 'export_statement')]) {
    const source = statement.field('source');
    if (source !== null) found.push(entry(file, source, isTypeOnly(statement)));
  }
  for (const call of root.findAll('import($SOURCE)')) {
    const source = call.getMatch('SOURCE');
    if (source?.kind() === 'string') found.push(entry(file, source, false));
  }
  return found;
}

const all = (root: SgNode, kind: string): SgNode[] => root.findAll({ rule: { kind } });

function entry(from: string, source: SgNode, typeOnly: boolean): Import {
  const written = source.text().slice(1, -1);
  const to = written.startsWith('.')
    ? path.posix.join(path.posix.dirname(from), written).replace(/\.js$/, '.ts')
    : written;
  return { from, to, typeOnly };
}

/** `import type …`, or every name in the braces marked `type` and nothing beside them. */
function isTypeOnly(statement: SgNode): boolean {
  if (/^(import|export)\s+type\b/.test(statement.text())) return true;
  const names = [...all(statement, 'import_specifier'), ...all(statement, 'export_specifier')];
  const clause = all(statement, 'import_clause')[0];
  const beside = clause?.children().some((child) => child.kind() !== 'named_imports') ?? false;
  return names.length > 0 && !beside && names.every((name) => name.text().startsWith('type '));
}
