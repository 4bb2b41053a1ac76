import { type Result } from '../result.js';
import type { NotApplied } from './edit.js';
import { refused } from './problem.js';
export function removeFromRust(
  _bytes: Buffer,
  path: string,
  _from: number,
  _to: number,
): Result<Buffer, NotApplied> {
  return refused(path, 'statements of Rust cannot be taken away yet; use --replace and --with');
}
