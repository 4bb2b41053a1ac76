import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { outputBytes, runProcess } from '../../src/lane/process.js';
import { collectOutput } from '../../src/lane/process/bounded-output.js';
import type { MemorySample } from '../../src/lane/process/memory-watch.js';
import { residentBytes } from '../../src/lane/process/proc.js';
import { as, isAlive, namedPipe, onLinux, python, request, shell } from './process/support.js';

/** For a machine that is shared with many others. */
vi.setConfig({ testTimeout: 300_000 });

const MiB = 1024 * 1024;

const collected = (limit: number, chunks: readonly string[]) => {
  const collector = collectOutput(limit);
  for (const chunk of chunks) collector.push(Buffer.from(chunk));
  const { head, tail, dropped } = collector.take();
  return [head.toString(), tail.toString(), dropped];
};

/** What the watch saw, to be waited for. */
function samples() {
  const waiting = new Map<(sample: MemorySample) => boolean, () => void>();
  return {
    onSample: (sample: MemorySample): void => {
      for (const [isIt, resolve] of waiting) if (isIt(sample)) resolve();
    },
    seen: (isIt: (sample: MemorySample) => boolean): Promise<void> =>
      new Promise((resolve) => {
        waiting.set(isIt, resolve);
      }),
  };
}

describe('bounded output', () => {
  test.each<[string, number, string[], [string, string, number]]>([
    ['nothing', 10, [], ['', '', 0]],
    ['less than the head', 10, ['abc'], ['abc', '', 0]],
    ['exactly the limit', 10, ['abcdefghij'], ['abcde', 'fghij', 0]],
    ['one byte too many', 10, ['abcdefghijk'], ['abcde', 'ghijk', 1]],
    ['byte by byte', 4, 'abcdefghij'.split(''), ['ab', 'ij', 6]],
    ['a chunk across the end of the ring', 8, ['abcd', 'efg', 'hijk', 'l'], ['abcd', 'ijkl', 4]],
    ['a chunk longer than all', 4, ['ab', 'cdefghijklmnop'], ['ab', 'op', 12]],
    ['an odd limit', 3, ['abcdef'], ['ab', 'f', 3]],
    ['no room at all', 0, ['abc', 'd'], ['', '', 4]],
  ])('%s', (_name, limit, chunks, expected) => {
    expect(collected(limit, chunks)).toEqual(expected);
  });

  test('a larger ring keeps what was in the smaller one', () => {
    const all = Array.from({ length: 30_000 }, (_, i) => `${i},`);
    const whole = all.join('');
    const [head, tail, dropped] = collected(100_000, all);
    expect(head).toBe(whole.slice(0, 50_000));
    expect(tail).toBe(whole.slice(-50_000));
    expect(dropped).toBe(whole.length - 100_000);
  });

  test('a log says how much it leaves out', () => {
    const output = { head: Buffer.from('a'), tail: Buffer.from('b'), dropped: 7 };
    expect(outputBytes(output).toString()).toBe('a\n[… 7 bytes of output are left out here …]\nb');
    expect(outputBytes({ ...output, dropped: 0 }).toString()).toBe('ab');
  });

  test('a flood of 1 GB is counted, costs no memory and ends no one', async () => {
    const before = process.memoryUsage().rss;
    const end = as(
      await runProcess(
        request(shell('head -c 1073741824 /dev/zero; printf end'), {
          limits: { outputBytes: MiB },
        }),
      ),
      'exited',
    );
    expect(end.code).toBe(0);
    const { head, tail, dropped } = end.stdout;
    expect(head.length + tail.length).toBe(MiB);
    expect(head.length + tail.length + dropped).toBe(1024 * MiB + 3);
    expect(tail.subarray(-3).toString()).toBe('end');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MiB);
  });
});

describe.runIf(onLinux)('the memory limit', () => {
  test('a hog is killed, and its peak is told', async () => {
    const hog = `x = []
while True: x.append(bytearray(8 << 20))`;
    const end = as(
      await runProcess(request(python(hog), { limits: { memoryBytes: 150 * MiB } })),
      'out-of-memory',
    );
    expect(end.limitBytes).toBe(150 * MiB);
    expect(end.peakBytes).toBeGreaterThan(150 * MiB);
  });

  test('it counts a child in a session of its own', async () => {
    const hog = `import os, time
if os.fork() == 0:
    os.setsid()
    x = b'x' * (200 << 20)
    time.sleep(600)
os.wait()`;
    as(
      await runProcess(request(python(hog), { limits: { memoryBytes: 150 * MiB } })),
      'out-of-memory',
    );
  });

  test('pages that forks share are counted once', async () => {
    const { onSample, seen } = samples();
    // Four processes hold the same 60 MB: 240 MB as residents, 60 MB in truth.
    const script = `import os, signal, time
signal.signal(signal.SIGUSR1, lambda *_: os._exit(0))
x = b'x' * (60 << 20)
for _ in range(3):
    if os.fork() == 0:
        time.sleep(600)
while True: signal.pause()`;
    let pid = 0;
    const running = runProcess(
      request(python(script), {
        limits: { memoryBytes: 150 * MiB },
        onSample,
        onStart: (control) => {
          pid = control.pid;
        },
      }),
    );
    await Promise.race([seen(({ resident }) => resident > 150 * MiB), running]);
    process.kill(pid, 'SIGUSR1');
    expect(as(await running, 'exited').code).toBe(0);
  });

  test("a kill that is not ours while much was held is the kernel's", async () => {
    const pipe = namedPipe();
    const script = `import os, signal, time
x = b'x' * (120 << 20)
open(${JSON.stringify(pipe.file)}, 'w').write(str(os.getpid()))
time.sleep(600)`;
    let pid = 0;
    const { onSample, seen } = samples();
    const running = runProcess(
      request(python(script), {
        limits: { memoryBytes: 200 * MiB },
        onSample,
        onStart: (control) => {
          pid = control.pid;
        },
      }),
    );
    expect(Number(await pipe.line())).toBe(pid);
    expect(residentBytes(pid)).toBeGreaterThan(100 * MiB);
    await seen(({ counted }) => counted > 100 * MiB);
    process.kill(pid, 'SIGKILL');
    expect(as(await running, 'out-of-memory').peakBytes).toBeGreaterThan(100 * MiB);
    expect(isAlive(pid)).toBe(false);
  });

  test('a kill that is not ours while little was held is a signal', async () => {
    const end = await runProcess(
      request(shell('kill -KILL $$'), { limits: { memoryBytes: 200 * MiB } }),
    );
    expect(as(end, 'signalled').signal).toBe('SIGKILL');
  });

  test('the run is the first that the kernel would take', async () => {
    let score = '';
    const end = await runProcess(
      request(['sleep', '600'], {
        onStart: ({ pid, stop }) => {
          score = readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1').trim();
          stop('seen');
        },
      }),
    );
    as(end, 'stopped');
    expect(score).toBe('900');
  });
});
