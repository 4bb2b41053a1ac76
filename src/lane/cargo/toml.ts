/** What is read of manifests and of cargo's configuration. */
import type { TomlTable } from 'smol-toml';

export const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
