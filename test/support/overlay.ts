/** Whether overlays work here, found out by the system's own tools and none of ours. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type OverlaySupport =
  | { readonly kind: 'works'; readonly pids: 'own' | 'shared' }
  /** In the words of the tool that refused. */
  | { readonly kind: 'refused'; readonly why: string };

const MOUNT = `cd "$1" && mount -t overlay overlay -o "\${2}lowerdir=l,upperdir=u,workdir=w" l`;

/** @param as the id of another user and group to ask for, which only root may take on */
export function probeOverlay(as?: number): OverlaySupport {
  if (process.platform !== 'linux') return { kind: 'refused', why: process.platform };
  const isRoot = (as ?? process.getuid?.()) === 0;
  const through =
    as === undefined ? [] : ['setpriv', `--reuid=${as}`, `--regid=${as}`, '--clear-groups'];
  const user = isRoot ? [] : ['--user', '--map-root-user'];
  const pids = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  let why = '';
  for (const level of ['own', 'shared'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'cp-overlay-'));
    try {
      for (const name of ['l', 'u', 'w']) mkdirSync(join(folder, name));
      if (as !== undefined)
        for (const name of ['.', 'l', 'u', 'w']) chownSync(join(folder, name), as, as);
      const args = [...user, '--mount', ...(level === 'own' ? pids : [])];
      const script = ['sh', '-ec', MOUNT, 'sh', folder, isRoot ? '' : 'userxattr,'];
      execFileSync('env', [...through, 'unshare', ...args, ...script], { stdio: 'pipe' });
      return { kind: 'works', pids: level };
    } catch (error) {
      why ||= error instanceof Error ? error.message : String(error);
    } finally {
      execFileSync('chmod', ['-R', 'u+rwX', folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { kind: 'refused', why };
}
