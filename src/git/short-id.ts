import { execaSync } from 'execa';
import { gitEnvironment } from './run.js';

/**
 * The id of the commit that a revision names, cut to 12 digits or as many as it takes; null: it
 * names none, or git cannot be asked. At once, because it is needed only where a message is made.
 */
export function shortId(dir: string, rev: string): string | null {
  const found = execaSync(
    'git',
    ['rev-parse', '--short=12', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`],
    { cwd: dir, env: gitEnvironment(), extendEnv: false, stdin: 'ignore', reject: false },
  );
  return found.failed ? null : found.stdout.trim();
}
