/** What is known of a slot's process that ends at once. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSlot } from '../../src/slot/client.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterproof slot '));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Starts a slot in an overlay, by a `setpriv` of our own. */
function startBy(script: string) {
  writeFileSync(join(folder, 'setpriv'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'setpriv'), 0o755);
  const launch = { kind: 'overlay', pids: 'own', tree: folder, layers: folder } as const;
  return startSlot(launch, { PATH: `${folder}:${process.env['PATH'] ?? ''}` });
}

/** Blocks this process until the other has ended, so that all it left is found at once. */
function waitForEnd(pid = -1): void {
  const state = (): string => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .charAt(0);
    } catch {
      return 'Z';
    }
  };
  while (state() !== 'Z');
}

const opening = {
  tree: '',
  root: '',
  runId: '',
  logs: '',
  slot: 0,
  generation: 0,
  place: { kind: 'in-place' },
  stale: [],
} as const;

/**
 * Ends are looked for whenever a process has ended, and all ends are found then: also that of one
 * whose last words are not read yet. So the slot ends here after this process was told what there
 * is to read, and before it is told that another process has ended.
 */
it.runIf(process.platform === 'linux')(
  'a complaint is told, however soon the end follows',
  async () => {
    const go = join(folder, 'go');
    const slot = startBy(
      `while [ ! -e "${go}" ]; do :; done; echo "unshare: not permitted" >&2; exit 1`,
    );
    const opened = slot.call('open', opening);
    const other = spawn('echo', ['said'], { stdio: ['ignore', 'pipe', 'ignore'] });
    other.stdout.once('data', () => {
      writeFileSync(go, '');
      waitForEnd(slot.pid);
    });
    waitForEnd(other.pid);

    await expect(opened).rejects.toThrow(
      "the slot's process ended with exit code 1: unshare: not permitted",
    );
  },
);
