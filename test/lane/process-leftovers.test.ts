import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createNonce, runProcess, RUN_VARIABLE, sweepRun } from '../../src/lane/process.js';
import { until } from '../support/processes.js';
import {
  as,
  isAlive,
  namedPipe,
  onLinux,
  python,
  request,
  shell,
  stopper,
  text,
} from './process/support.js';

/** For a machine that is shared with many others. */
vi.setConfig({ testTimeout: 300_000 });

/** Body of a daemon: says its pid and stays. */
const stay = (pipe: string) =>
  `import os, time; open(${JSON.stringify(pipe)}, 'w').write(str(os.getpid())); time.sleep(600)`;

describe('what outlives a command', () => {
  test('a background child of the same group', async () => {
    const end = as(await runProcess(request(shell('sleep 600 & echo $!'))), 'exited');
    const child = Number(text(end));
    expect(isAlive(child)).toBe(false);
    if (onLinux) expect(end.leftovers).toEqual([{ pid: child, command: 'sleep 600' }]);
  });

  test('a grandchild that holds the pipe and cannot be found does not delay the end', async () => {
    // Forked twice, a session of its own, no environment: nothing ties it to the run any more.
    const script = `import os
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, str(os.getpid()).encode())
        os.execve('/bin/sleep', ['sleep', '600'], {})
    os._exit(0)
os.wait()
print(os.read(r, 20).decode(), flush=True)`;
    const end = as(await runProcess(request(python(script))), 'exited');
    const holder = Number(text(end));
    try {
      expect(isAlive(holder)).toBe(true);
    } finally {
      process.kill(holder, 'SIGKILL');
    }
  });

  test('a helper that ends by itself a moment later is no leftover and is read to its end', async () => {
    const script = `import os, time
r, w = os.pipe()
if os.fork() == 0:
    os.close(w)
    os.read(r, 1)
    time.sleep(0.03)
    print('tidied', flush=True)
    os._exit(0)
print('main', flush=True)
os._exit(0)`;
    const end = as(await runProcess(request(python(script))), 'exited');
    expect(text(end)).toBe('main\ntidied\n');
    expect(end.leftovers).toEqual([]);
  });

  test.runIf(onLinux)('a daemon in a session of its own, when the command is stopped', async () => {
    const pipe = namedPipe();
    const script = `import subprocess, sys, time
subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True)
time.sleep(600)`;
    const { onStart, stop } = stopper();
    const running = runProcess(
      request(['python3', '-c', script, stay(pipe.file)], {
        onStart,
      }),
    );
    const daemon = Number(await pipe.line());
    expect(isAlive(daemon)).toBe(true);
    stop('seen');
    as(await running, 'stopped');
    expect(isAlive(daemon)).toBe(false);
  });

  test.runIf(onLinux)('a daemon that forked twice, after a normal end', async () => {
    const script = `import os, time
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in (0, 1, 2): os.close(fd)
        os.write(w, str(os.getpid()).encode())
        os.close(w)
        time.sleep(600)
    os._exit(0)
os.wait()
print(os.read(r, 20).decode(), flush=True)`;
    const end = as(await runProcess(request(python(script))), 'exited');
    const daemon = Number(text(end));
    expect(daemon).toBeGreaterThan(1);
    expect(isAlive(daemon)).toBe(false);
    expect(end.leftovers.map((leftover) => leftover.pid)).toEqual([daemon]);
    expect(end.leftovers[0]?.command).toMatch(/python3 -c import os, time\uFFFDr, w/);
    expect(end.leftovers[0]?.command.length).toBeLessThanOrEqual(200);
  });

  test.runIf(onLinux)('a child that dropped its environment but not its group', async () => {
    const end = as(await runProcess(request(shell('env -i /bin/sleep 600 & echo $!'))), 'exited');
    expect(isAlive(Number(text(end)))).toBe(false);
    expect(end.leftovers.length).toBe(1);
  });

  test.runIf(onLinux)('a storm of forks, each in a session of its own', async () => {
    const pipe = namedPipe();
    // Eight that fork and exit in turn, gone before a look at all processes gets to them. They
    // give up by themselves: a failed test must not leave a storm behind.
    const script = `import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
deadline = time.monotonic() + 15
def hop():
    while time.monotonic() < deadline:
        time.sleep(0.002)
        if os.fork() != 0: os._exit(0)
        os.setsid()
    os._exit(0)
for _ in range(8):
    if os.fork() == 0: hop()
signal.signal(signal.SIGTERM, signal.SIG_DFL)
open(${JSON.stringify(pipe.file)}, 'w').write('storm')
time.sleep(600)`;
    const { onStart, stop } = stopper();
    const asked = request(python(script), {
      onStart,
    });
    const running = runProcess(asked);
    await pipe.line();
    stop('enough');
    as(await running, 'stopped');
    expect(await sweepRun(asked.nonce)).toEqual([]);
  });

  test.runIf(onLinux)('a process of another run is left alone', async () => {
    const nonce = createNonce(undefined);
    const other = spawn('sleep', ['600'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, [RUN_VARIABLE]: `${nonce}x` },
    });
    try {
      as(await runProcess(request(shell('sleep 600 & true'), { nonce })), 'exited');
      expect(isAlive(other.pid ?? 0)).toBe(true);
    } finally {
      other.kill('SIGKILL');
    }
  });
});

describe('runs within runs', () => {
  test('a nonce made inside a run continues it', () => {
    expect(createNonce('outer')).toMatch(/^outer\/[\w-]{12}$/);
    expect(createNonce('')).toMatch(/^[\w-]{12}$/);
    expect(createNonce(undefined)).not.toBe(createNonce(undefined));
  });

  test.runIf(onLinux)('whoever ends the outer one finds what the inner one started', async () => {
    const outer = createNonce(undefined);
    const inner = createNonce(outer);
    const orphan = spawn('sleep', ['600'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, [RUN_VARIABLE]: inner },
    });
    const gone = new Promise((resolve) => orphan.once('exit', (_code, signal) => resolve(signal)));
    const found = await sweepRun(outer);
    expect(found.map(({ pid }) => pid)).toEqual([orphan.pid]);
    expect(await gone).toBe('SIGKILL');
  });
});

describe('when our own process ends', () => {
  const repository = path.resolve(import.meta.dirname, '../..');
  let built = '';

  beforeAll(() => {
    // Node 20 runs no TypeScript: the real exit of a real process needs the built module.
    built = mkdtempSync(path.join(os.tmpdir(), 'counterproof-built-'));
    symlinkSync(path.join(repository, 'node_modules'), path.join(built, 'node_modules'));
    writeFileSync(path.join(built, 'package.json'), '{"type":"module"}');
    const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
    const project = path.join(repository, 'test/support/tsconfig.modules.json');
    spawnSync(process.execPath, [tsc, '-p', project, '--outDir', path.join(built, 'dist')]);
    copyFileSync(
      path.join(import.meta.dirname, 'process/host.js'),
      path.join(built, 'dist/host.js'),
    );
  }, 300_000);
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  /**
   * What a program of ours wrote, with a run in it that ignores SIGTERM and has a daemon. Waits
   * until nothing of the run is left.
   */
  async function endedBy(way: string): Promise<string> {
    const pipe = namedPipe();
    const host = spawn(process.execPath, [path.join(built, 'dist/host.js'), way, pipe.file], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    host.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise((resolve) => host.once('close', resolve));
    const pids = (await pipe.line()).split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    host.stdin.end('now\n');
    await closed;
    // A process that was killed dies when it is next given the processor.
    await until(() => !pids.some(isAlive));
    return Buffer.concat(chunks).toString();
  }

  test.runIf(onLinux)('by process.exit, nothing outlives it', async () => {
    expect(await endedBy('exit')).toBe('');
  });

  test.runIf(onLinux)('by an exception that nobody caught, nothing outlives it', async () => {
    expect(await endedBy('throw')).toBe('');
  });

  test.runIf(onLinux)('killAllGroups ends every run as cancelled', async () => {
    expect(await endedBy('kill')).toBe('cancelled\n');
  });
});
