/** What a project's settings say of where pytest looks for tests, and what it calls them. */
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';

/** A setting that is a list of words. */
export type ListSetting =
  'python_files' | 'python_functions' | 'python_classes' | 'testpaths' | 'norecursedirs';

/** @returns the words that the file sets; null: none. */
export function listSettingIn(configFile: string, name: ListSetting): readonly string[] | null {
  let text: string;
  try {
    text = readFileSync(configFile, 'utf8');
  } catch {
    return null;
  }
  const value = configFile.endsWith('.toml') ? fromToml(text, name) : fromIni(text, name);
  const words = typeof value === 'string' ? value.split(/[\s,]+/) : (value ?? []);
  const patterns = words.filter((word) => word !== '');
  return patterns.length === 0 ? null : patterns;
}

function fromToml(text: string, name: ListSetting): string | readonly string[] | null {
  try {
    const whole = parse(text);
    const table = at(at(whole, 'tool'), 'pytest') ?? at(whole, 'pytest');
    const value = at(at(table, 'ini_options'), name) ?? at(table, name);
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

function fromIni(text: string, name: ListSetting): string | null {
  const section = /^\[(?:tool:)?pytest\][^\n]*\n(?<body>(?:(?!\[)[^\n]*(?:\n|$))*)/m.exec(text);
  const setting = new RegExp(`^${name}[ \\t]*[=:](?<value>[^\\n]*(?:\\n[ \\t]+[^\\n]*)*)`, 'm');
  const found = setting.exec(section?.groups?.['body'] ?? '');
  return found?.groups?.['value'] ?? null;
}
