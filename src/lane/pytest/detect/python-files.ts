/** What pytest calls a test file in a project: its setting `python_files`. */
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';

/** @returns the patterns that the file sets; null: none. */
export function pythonFilesIn(configFile: string): readonly string[] | null {
  let text: string;
  try {
    text = readFileSync(configFile, 'utf8');
  } catch {
    return null;
  }
  const value = configFile.endsWith('.toml') ? fromToml(text) : fromIni(text);
  const words = typeof value === 'string' ? value.split(/[\s,]+/) : (value ?? []);
  const patterns = words.filter((word) => word !== '');
  return patterns.length === 0 ? null : patterns;
}

function fromToml(text: string): string | readonly string[] | null {
  try {
    const whole = parse(text);
    const table = at(at(whole, 'tool'), 'pytest') ?? at(whole, 'pytest');
    const value = at(at(table, 'ini_options'), 'python_files') ?? at(table, 'python_files');
    if (typeof value === 'string') return value;
    return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : null;
  } catch {
    return null;
  }
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : null;

function fromIni(text: string): string | null {
  const section = /^\[(?:tool:)?pytest\][^\n]*\n(?<body>(?:(?!\[)[^\n]*(?:\n|$))*)/m.exec(text);
  const found = /^python_files[ \t]*[=:](?<value>[^\n]*(?:\n[ \t]+[^\n]*)*)/m.exec(
    section?.groups?.['body'] ?? '',
  );
  return found?.groups?.['value'] ?? null;
}
