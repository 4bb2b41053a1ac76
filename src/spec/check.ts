/** What the checks of one file share: where they are, and where they put what they find. */
import type { Config, Diagnostic, Where } from './model.js';
import type { PathBounds } from './paths.js';
import { diagnose, whereOf } from './source.js';
import type { Path, Written } from './written.js';

/** What surrounds the specs of a project. */
export interface SpecContext {
  readonly bounds: PathBounds;
  readonly config: Config;
  /** The short id of the commit that a revision names now; null: it names none. Only for hints. */
  readonly idOf?: (rev: string) => string | null;
}

export interface Check extends SpecContext {
  readonly written: Written;
  readonly faults: Diagnostic[];
}

export const whereIs = (check: Check, path: Path, part: 'key' | 'value' = 'value'): Where =>
  whereOf(check.written.source, check.written.spanOf(path, part).start);

/** Notes a fault at the value of a path. */
export function faultAt(
  check: Check,
  path: Path,
  message: string,
  hint: string | null = null,
): void {
  check.faults.push(diagnose(check.written.source, check.written.spanOf(path), message, hint));
}

/** Notes a fault at the key of a path. */
export function faultAtKey(
  check: Check,
  path: Path,
  message: string,
  hint: string | null = null,
): void {
  check.faults.push(
    diagnose(check.written.source, check.written.spanOf(path, 'key'), message, hint),
  );
}
