/** Whether a Rust file that is named like tests is compiled for tests alone. */
import { posix } from 'node:path';
import { latin1Of, splitLines } from '../mutation/lines.js';
import type { ReadSource } from './rust-places.js';
import { rustTestsIn } from './rust-tests.js';

const ROOTS = ['lib.rs', 'main.rs'];

/**
 * Looks the file's module up where it is declared, and the modules above it.
 *
 * @returns null: no declaration was found, as where `#[path]` or a macro makes it
 */
export function isDeclaredForTests(path: string, read: ReadSource): boolean | null {
  const isFolder = posix.basename(path) === 'mod.rs';
  const own = isFolder ? posix.dirname(path) : path;
  const [folder, name] = [posix.dirname(own), posix.basename(own, '.rs')];
  const above = [...['mod.rs', ...ROOTS].map((each) => posix.join(folder, each)), `${folder}.rs`];
  for (const parent of above) {
    const bytes = parent === path ? null : read(parent);
    const module = bytes === null ? undefined : rustTestsIn(bytes).modules.find(isNamed(name));
    if (module === undefined) continue;
    return module.isTest || (!ROOTS.includes(posix.basename(parent)) && isBelowTests(parent, read));
  }
  return null;
}

const isBelowTests = (path: string, read: ReadSource): boolean =>
  isDeclaredForTests(path, read) === true;

const isNamed =
  (name: string) =>
  (module: {
    readonly name: string;
    readonly inside: readonly unknown[];
    readonly path: unknown;
  }) =>
    module.name.replace(/^r#/, '') === name && module.inside.length === 0 && module.path === null;

/** Whether all but imports and comments in it is compiled for tests alone, and there is any. */
export function holdsOnlyTests(bytes: Buffer): boolean {
  const { regions } = rustTestsIn(bytes);
  const lines = splitLines(bytes);
  return (
    regions.length > 0 &&
    Array.from({ length: lines.count }, (_, line) => line).every(
      (line) =>
        /^\s*($|\/\/|use .*;$)/.test(latin1Of(lines, line)) ||
        regions.some(({ from, to }) => line >= from && line < to),
    )
  );
}
