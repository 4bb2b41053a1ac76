/** Names of test executables, exactly as cargo-nextest writes them. */
import { unreachable } from '../../result.js';
import type { BinaryKind } from './model.js';

/**
 * `jail` for the unit tests of a library, `jail::stop_behavior` for an integration test,
 * `jail::bin/tool`, `jail::example/x` and `jail::bench/x` for the rest.
 */
export function binaryId(owner: string, kind: BinaryKind, target: string): string {
  switch (kind) {
    case 'lib':
    case 'proc-macro':
      return owner;
    case 'test':
      return `${owner}::${target}`;
    case 'bin':
    case 'example':
    case 'bench':
      return `${owner}::${kind}/${target}`;
    default:
      return unreachable(kind);
  }
}

/** What cargo calls a target's kind; null: it is never a test executable. */
export function kindOf(kinds: readonly string[]): BinaryKind | null {
  for (const kind of kinds) {
    switch (kind) {
      case 'bin':
      case 'test':
      case 'example':
      case 'bench':
      case 'proc-macro':
        return kind;
      case 'lib':
      case 'rlib':
      case 'dylib':
      case 'cdylib':
      case 'staticlib':
        return 'lib';
      default:
    }
  }
  return null;
}

/**
 * From a package id, which cargo writes as `path+file:///x/jail#0.1.0`, as
 * `path+file:///x/other#jail@0.1.0`, and before 1.77 as `jail 0.1.0 (path+file:///x/jail)`.
 */
export function packageName(id: string): string {
  const old = /^(?<name>[^ ]+) [^ ]+ \(/.exec(id)?.groups?.['name'];
  if (old !== undefined) return old;
  const [place = '', version = ''] = id.split('#');
  const at = version.lastIndexOf('@');
  if (at > 0) return version.slice(0, at);
  if (version !== '' && !/^\d/.test(version)) return version;
  const folder =
    place
      .replace(/[?].*$/, '')
      .split('/')
      .at(-1) ?? '';
  return decodeURIComponent(folder);
}
