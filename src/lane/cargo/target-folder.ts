/** Where a lane's builds lie: outside the tree, for this tree, lane and slot alone, and kept. */
import { constants } from 'node:fs';
import { access, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheHome, makeFolders } from '../../home-folder.js';
import { err, ok, type Result } from '../../result.js';
import type { LaneProblem } from '../lane.js';
import { treeMark } from '../process.js';

export interface BuildOwner {
  /** Absolute, symlinks resolved. */
  readonly tree: string;
  /** The lane's name. */
  readonly lane: string;
  /** From 0. */
  readonly slot: number;
}

/**
 * `$XDG_CACHE_HOME/counterproof/<mark of the tree>/cargo/<lane>`, by default under `~/.cache`;
 * where that cannot be written, the same under the folder for temporary files. Slots after the
 * first add their number.
 *
 * Two lanes do not share one: binaries that tests start stand there under their plain name,
 * whatever features they were built with.
 */
export async function targetFolder(
  owner: BuildOwner,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<string, LaneProblem>> {
  const reasons: string[] = [];
  for (const candidate of candidates(owner, env)) {
    const why = await unusable(candidate, owner.tree);
    if (why === null) return ok(candidate);
    reasons.push(`${candidate}: ${why}`);
  }
  return err({
    message: `there is no folder to build in: ${reasons.join('; ')}`,
    hint: 'Name one with XDG_CACHE_HOME.',
  });
}

function candidates(
  { tree, lane, slot }: BuildOwner,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const name = fileName(lane) + (slot === 0 ? '' : `.${slot}`);
  const place = join(treeMark(tree), 'cargo', name);
  const user = process.getuid?.() ?? 'user';
  return [
    join(cacheHome(env), 'counterproof', place),
    // Anybody can write there, so the name holds the user and the owner is looked at.
    join(tmpdir(), `counterproof-cache-${user}`, place),
  ];
}

/** A lane's name may hold anything; different names stay different. */
const fileName = (lane: string): string =>
  lane.replaceAll(/[^A-Za-z0-9-]/g, (letter) => `_${letter.codePointAt(0)?.toString(16) ?? ''}_`);

async function unusable(folder: string, tree: string): Promise<string | null> {
  if (`${folder}/`.startsWith(`${tree}/`)) return 'it lies inside the tree';
  try {
    await makeFolders(folder, 0o700);
    const { uid } = await stat(folder);
    if (process.getuid !== undefined && uid !== process.getuid())
      return 'it belongs to somebody else';
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Empties what integration tests know as `CARGO_TARGET_TMPDIR`. Cargo never does: what a test
 * keeps there it would find again under the mutant, and pass on what the baseline had computed.
 *
 * @param target absolute target folder, which need not exist
 */
export async function emptyTemporary(target: string): Promise<void> {
  // A build with `--target` has one of its own, beside its profiles.
  const triples = (await namesIn(target)).map((name) => join(name, 'tmp'));
  for (const folder of ['tmp', ...triples].map((name) => join(target, name)))
    for (const name of await namesIn(folder))
      await rm(join(folder, name), { recursive: true, force: true });
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
