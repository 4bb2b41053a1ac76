import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMounter } from '../../src/workspace/overlay/mounter.js';

function pipes(): string {
  const layers = mkdtempSync(join(tmpdir(), 'cp-mounter-'));
  onTestFinished(() => rmSync(layers, { recursive: true }));
  execFileSync('mkfifo', [join(layers, 'requests'), join(layers, 'answers')]);
  return layers;
}

/** What this process holds open in a folder. */
const openIn = (folder: string): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

it('a mounter whose other side is not there says so, and holds nothing open', async () => {
  const layers = pipes();

  expect(await openMounter(layers, 1)).toEqual({ ok: false, error: 'it did not answer' });

  expect(openIn(layers)).toEqual([]);
});

it('one whose other side opened and answers nothing gives no layer', async () => {
  const layers = pipes();
  const theirs = ['requests', 'answers'].map((name) => openSync(join(layers, name), 'r+'));
  onTestFinished(() => {
    for (const each of theirs) closeSync(each);
  });
  const mounter = await openMounter(layers, 50);
  if (!mounter.ok) throw new Error(mounter.error);
  onTestFinished(() => mounter.value.close());

  const mounted = await mounter.value.show(['lower']);

  expect(mounted).toEqual({ ok: false, error: 'it did not answer' });
});
