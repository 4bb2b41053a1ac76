import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openChannel, openDoor } from '../../../src/lane/pytest/warm/channel.js';

it('an interpreter that is gone with an order unread is gone, and no error', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cp-'));
  const door = await openDoor(folder, 'control', 1);
  const theirs = connect(path.join(folder, 'control'));
  onTestFinished(() => {
    theirs.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  const [ours] = await door.opened;
  if (ours === undefined) throw new Error('nobody came in');
  const channel = openChannel(ours);
  const answer = channel.next();
  ours.destroy(new Error('read ECONNRESET'));
  expect(await answer).toBeNull();
});
