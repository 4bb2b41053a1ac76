import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { drain } from '../../src/lane/process/drain.js';

function collecting(): { stream: PassThrough; push: (chunk: Buffer) => void; read: () => string } {
  const chunks: Buffer[] = [];
  return {
    stream: new PassThrough(),
    push: (chunk) => chunks.push(chunk),
    read: () => Buffer.concat(chunks).toString(),
  };
}

test('what was in the pipe at the end is read before it is closed', async () => {
  const out = collecting();
  const reading = drain([out]);
  out.stream.write('a');
  out.stream.end('b');
  await reading.finish();
  expect(out.read()).toBe('ab');
});

test('a pipe that nobody closes is let go after a short silence', async () => {
  const [open, closed] = [collecting(), collecting()];
  const reading = drain([open, closed]);
  open.stream.write('a');
  closed.stream.end('b');
  const started = performance.now();
  await reading.finish();
  expect([open.read(), closed.read()]).toEqual(['a', 'b']);
  expect(open.stream.destroyed).toBe(true);
  expect(performance.now() - started).toBeLessThan(1_900);
});

test('a pipe into which somebody writes for ever is let go all the same', async () => {
  const out = collecting();
  const reading = drain([out]);
  const writer = setInterval(() => out.stream.write('x'), 20);
  await reading.finish();
  clearInterval(writer);
  expect(out.stream.destroyed).toBe(true);
});

test('a broken pipe is an end', async () => {
  const out = collecting();
  const reading = drain([out]);
  out.stream.destroy(new Error('EIO'));
  await reading.finish();
  expect(out.stream.destroyed).toBe(true);
});
