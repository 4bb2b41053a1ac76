import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refusalOf } from '../../src/workspace/refusal.js';

const refused = (code: string): Error =>
  Object.assign(new Error(`${code}: what the system says, open '/some/where'`), { code });

test.each([
  ['EROFS', /\(EROFS\); the file system of FOLDER is mounted read-only: mount it writable, or /],
  ['EACCES', /\(EACCES\); you may not write in FOLDER: `chmod u\+rwx` it, or work on a copy/],
  ['EPERM', /\(EPERM\); is FOLDER immutable \(`lsattr -d`\), or another user's\?$/],
  ['ENOSPC', /\(ENOSPC\); the file system of FOLDER has no room left/],
  ['EDQUOT', /\(EDQUOT\); your quota on the file system of FOLDER is used up$/],
  ['EIO', /^what the system says \(EIO\)$/],
])('%s names the folder and the way out', (code, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'cp-refused-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  expect(refusalOf(refused(code), folder).replaceAll(folder, 'FOLDER')).toMatch(expected);
});

test('a folder of another user is called that, and one that is not there is not', () => {
  // Everybody but root finds it so.
  const others = process.getuid?.() === 0 ? /you may not write in/ : /belongs to another user/;
  expect(refusalOf(refused('EACCES'), '/')).toMatch(others);
  expect(refusalOf(refused('EACCES'), '/nowhere/at/all')).toMatch(/you may not write in/);
});
