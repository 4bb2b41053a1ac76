/** Remembers how cargo starts what was built, and when it has to be asked again. */
import type { Ending } from '../../proof/evidence.js';
import { err, ok, type Result } from '../../result.js';
import { broken, configure } from './build.js';
import type { Artifact } from './messages.js';
import type { Launch } from './model.js';

export interface Launches {
  /** By absolute path of the executable, in the order in which cargo starts them. */
  readonly launches: ReadonlyMap<string, Launch>;
  readonly notes: readonly string[];
}

export interface LaunchQuestion {
  readonly executables: readonly string[];
  readonly artifacts: readonly Artifact[];
  /** What build scripts told cargo. */
  readonly scripts: string;
  /** A manifest or a configuration of cargo's was written. */
  readonly reconfigured: boolean;
}

/**
 * Environment, folder and libraries of a test executable come from manifests, configuration and
 * build scripts. While none of these says anything new, what was captured once stays true.
 */
export function createLaunchKeeper(
  capture: () => Promise<Result<Launches, Ending>>,
): (question: LaunchQuestion) => Promise<Result<Launches, Ending>> {
  let known: { readonly found: Launches; readonly scripts: string } | null = null;
  return async ({ executables, artifacts, scripts, reconfigured }) => {
    const stands =
      known !== null &&
      !reconfigured &&
      known.scripts === scripts &&
      !artifacts.some(({ target, fresh }) => !fresh && target.kind.includes('custom-build')) &&
      executables.every((file) => known?.found.launches.has(file));
    if (stands && known !== null) return ok(known.found);
    known = null;
    const found = await capture();
    if (!found.ok) return found;
    const silent = executables.find((file) => !found.value.launches.has(file));
    if (silent !== undefined)
      return err(broken(configure(`cargo does not show how it would start ${silent}`)));
    known = { found: found.value, scripts };
    return found;
  };
}
