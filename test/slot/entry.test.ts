/** The worker process as it ends, driven by its own protocol. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { build } from '../workspace/helpers.js';

test('a worker whose channel is gone before it has closed ends without a complaint', async () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof entry ')));
  onTestFinished(() => {
    rmSync(top, { recursive: true, force: true });
  });
  // The channel goes as soon as the worker has answered.
  const first = join(top, 'first.mjs');
  writeFileSync(
    first,
    'const send = process.send;\nprocess.send = (...all) => {\n  send.apply(process, all);\n  process.disconnect();\n};\n',
  );
  const entry = join(build(top), 'slot/entry.js');
  const child = spawn(process.execPath, ['--import', pathToFileURL(first).href, entry], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  child.send({ kind: 'call', id: 1, call: 'close', params: null });
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
});
