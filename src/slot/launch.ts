/** Starts the process of a slot: plainly, or in namespaces of its own with an overlay over the tree. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { OVERLAY_SCRIPT } from '../workspace/overlay/script.js';

/** How much of a slot is its own. */
export type Launch =
  | { readonly kind: 'in-place' }
  | {
      readonly kind: 'overlay';
      /**
       * `own`: a pid namespace, so that all that a slot started dies with it. `shared`: without
       * one, where a container's masked /proc does not allow it.
       */
      readonly pids: 'own' | 'shared';
      /** Absolute, symlinks resolved. */
      readonly tree: string;
      /** Absolute, prepared by `prepareSlotLayers`. */
      readonly layers: string;
    };

/**
 * The process leads a group of its own, so that a Ctrl-C at the terminal reaches the
 * coordinator alone, which then ends it in good order.
 */
export function launchSlot(launch: Launch, env: NodeJS.ProcessEnv): ChildProcess {
  // The built one, also where this module runs from source, as in Vitest: Node 20 loads no TypeScript.
  const worker = [process.execPath, join(PACKAGE_FOLDER, 'dist/slot/entry.js')];
  const [file = process.execPath, ...args] =
    launch.kind === 'in-place' ? worker : overlayCommand(launch, worker);
  return spawn(file, args, {
    env,
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Root of a container that is an ordinary user outside may mount, but not write trusted attributes. */
function isRealRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    return /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'));
  } catch {
    return true;
  }
}

/**
 * Three nets, each for what the others miss: the parent-death signal ends `unshare` with the
 * coordinator, `--kill-child` ends process 1 with `unshare`, and with process 1 the kernel ends
 * all of its namespace, daemons included.
 */
function overlayCommand(
  { pids, tree, layers }: Extract<Launch, { kind: 'overlay' }>,
  worker: readonly string[],
): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const isRoot = uid === 0;
  const namespaces = [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    '--mount',
    ...(pids === 'own' ? ['--pid', '--fork', '--kill-child', '--mount-proc'] : []),
  ];
  // Whoever mounts has to be root in the namespace; the tests are to run as the caller.
  const asCaller = isRoot ? [] : ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`];
  const options = isRealRoot() ? 'redirect_dir=on,index=off,metacopy=off,' : 'userxattr,';
  const script = ['sh', '-c', OVERLAY_SCRIPT, 'counterproof-slot'];
  const places = [tree, layers, options];
  const dieWithParent = ['setpriv', '--pdeathsig', 'KILL', '--'];
  return [...dieWithParent, ...namespaces, '--', ...script, ...places, ...asCaller, ...worker];
}
