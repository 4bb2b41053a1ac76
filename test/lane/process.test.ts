import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { RUN_VARIABLE, runProcess } from '../../src/lane/process.js';
import {
  as,
  isAlive,
  namedPipe,
  request,
  shell,
  stopper,
  temporaryFolder,
  text,
} from './process/support.js';

/** For a machine that is shared with many others. */
vi.setConfig({ testTimeout: 300_000 });

describe('what a command leaves', () => {
  test('exit code and both streams are kept apart', async () => {
    const end = as(await runProcess(request(shell('echo out; echo err >&2; exit 3'))), 'exited');
    expect(end.code).toBe(3);
    expect(text(end)).toBe('out\n');
    expect(end.stderr.head.toString()).toBe('err\n');
    expect(end.leftovers).toEqual([]);
  });

  test('bytes that are no UTF-8 arrive unchanged', async () => {
    const end = as(
      await runProcess(request(shell(String.raw`printf '\377\000\r\n\303'`))),
      'exited',
    );
    expect(end.stdout.head).toEqual(Buffer.from([0xff, 0, 0x0d, 0x0a, 0xc3]));
  });

  test('nothing is inherited beside the environment that was given', async () => {
    process.env['COUNTERPROOF_TEST_LEAK'] = 'leaked';
    try {
      const asked = request(['/usr/bin/env'], { env: { GIVEN: 'wäre' } });
      const lines = text(as(await runProcess(asked), 'exited'))
        .trim()
        .split('\n');
      const names = lines.map((line) => line.split('=')[0]);
      expect(new Set(names)).toEqual(new Set([RUN_VARIABLE, 'GIVEN', 'PATH']));
      expect(lines).toContain('GIVEN=wäre');
      expect(lines).toContain(`${RUN_VARIABLE}=${asked.nonce}`);
    } finally {
      delete process.env['COUNTERPROOF_TEST_LEAK'];
    }
  });

  test('standard input is given whole and then closed', async () => {
    const stdin = Buffer.alloc(300_000, 'x');
    const end = as(await runProcess(request(['wc', '-c'], { stdin })), 'exited');
    expect(text(end).trim()).toBe('300000');
  });

  test('without standard input a reader sees its end at once', async () => {
    const end = as(await runProcess(request(['cat'])), 'exited');
    expect(end.code).toBe(0);
  });

  test('a command that does not read its input is no failure of ours', async () => {
    const end = await runProcess(request(['true'], { stdin: Buffer.alloc(4_000_000) }));
    expect(as(end, 'exited').code).toBe(0);
  });

  test('a signal that was not ours is named', async () => {
    expect(as(await runProcess(request(shell('kill -SEGV $$'))), 'signalled').signal).toBe(
      'SIGSEGV',
    );
    expect(as(await runProcess(request(shell('kill -KILL $$'))), 'signalled').signal).toBe(
      'SIGKILL',
    );
  });

  test('the working folder may hold spaces and non-ASCII letters', async () => {
    const cwd = temporaryFolder();
    expect(text(as(await runProcess(request(['pwd', '-P'], { cwd })), 'exited')).trim()).toContain(
      path.basename(cwd),
    );
  });
});

const failure = async (
  command: Parameters<typeof request>[0],
  overrides: Parameters<typeof request>[1] = {},
) => as(await runProcess(request(command, overrides)), 'not-started');

describe('a command that does not start', () => {
  test('a name that is not in PATH', async () => {
    expect(await failure(['no-such-command-here'])).toEqual({
      kind: 'not-started',
      code: 'ENOENT',
      message: '`no-such-command-here` was not found in PATH.',
    });
  });

  test('a path that does not exist', async () => {
    const { code, message } = await failure(['./missing']);
    expect([code, message]).toEqual(['ENOENT', '`./missing` does not exist.']);
  });

  test('a file that may not be executed', async () => {
    const file = path.join(temporaryFolder(), 'script');
    writeFileSync(file, '#!/bin/sh\n');
    expect(await failure([file])).toEqual({
      kind: 'not-started',
      code: 'EACCES',
      message: `\`${file}\` may not be executed.`,
    });
  });

  test('a folder in the place of a command', async () => {
    const folder = path.join(temporaryFolder(), 'tool');
    mkdirSync(folder);
    expect((await failure([folder])).code).toBe('EACCES');
  });

  test('a script whose interpreter is missing', async () => {
    const file = path.join(temporaryFolder(), 'script');
    writeFileSync(file, '#!/no/such/python\n');
    chmodSync(file, 0o755);
    const { code, message } = await failure([file]);
    expect(code).toBe('ENOENT');
    expect(message).toBe(`\`${file}\` names an interpreter that does not exist.`);
  });

  test('a working folder that does not exist, or is a file', async () => {
    const folder = temporaryFolder();
    const missing = path.join(folder, 'gone');
    expect(await failure(['true'], { cwd: missing })).toEqual({
      kind: 'not-started',
      code: 'BAD_CWD',
      message: `The working folder \`${missing}\` does not exist.`,
    });
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect((await failure(['true'], { cwd: file })).message).toBe(
      `The working folder \`${file}\` is not a folder.`,
    );
  });

  test('more arguments than the system takes', async () => {
    expect((await failure(['true', 'x'.repeat(3_000_000)])).code).toBe('E2BIG');
  });
});

describe('ending a command early', () => {
  test('aborted before the start, nothing is started', async () => {
    const folder = temporaryFolder();
    const end = await runProcess(
      request(['touch', path.join(folder, 'ran')], { signal: AbortSignal.abort() }),
    );
    expect(as(end, 'cancelled').durationMs).toBe(0);
    const ls = as(await runProcess(request(['ls', folder])), 'exited');
    expect(text(ls)).toBe('');
  });

  test('aborted while starting, it is gone', async () => {
    const controller = new AbortController();
    let pid = 0;
    const end = await runProcess(
      request(['sleep', '600'], {
        signal: controller.signal,
        onStart: (control) => {
          pid = control.pid;
          controller.abort();
        },
      }),
    );
    as(end, 'cancelled');
    expect(isAlive(pid)).toBe(false);
  });

  test('aborted while running, it is told by SIGTERM first and may tidy up', async () => {
    const controller = new AbortController();
    const pipe = namedPipe();
    const running = runProcess(
      request(
        shell(
          `trap 'echo tidied; exit 0' TERM; echo ready > '${pipe.file}'; while :; do sleep 600 & wait; done`,
        ),
        { signal: controller.signal },
      ),
    );
    expect(await pipe.line()).toBe('ready');
    controller.abort();
    expect(text(as(await running, 'cancelled'))).toBe('tidied\n');
  });

  test('stopped, with the reason that was given first', async () => {
    const pipe = namedPipe();
    const { onStart, stop } = stopper();
    const running = runProcess(
      request(shell(`echo ready > '${pipe.file}'; exec sleep 600`), {
        onStart,
      }),
    );
    await pipe.line();
    stop('a test took too long');
    stop('again');
    expect(as(await running, 'stopped').why).toBe('a test took too long');
  });

  test('stopping after the end changes nothing', async () => {
    const { onStart, stop } = stopper();
    const end = await runProcess(
      request(['true'], {
        onStart,
      }),
    );
    stop('too late');
    expect(as(end, 'exited').code).toBe(0);
  });

  test('the time limit ends it and is named', async () => {
    const end = as(
      await runProcess(request(['sleep', '600'], { limits: { timeMs: 50 } })),
      'timeout',
    );
    expect(end.limitMs).toBe(50);
    expect(end.durationMs).toBeGreaterThanOrEqual(45);
  });

  test('a limit beyond what a timer can hold is none', async () => {
    const end = await runProcess(request(['true'], { limits: { timeMs: Infinity } }));
    expect(as(end, 'exited').code).toBe(0);
  });

  test('one that ignores SIGTERM is killed after two seconds, with its children', async () => {
    const pipe = namedPipe();
    const controller = new AbortController();
    const running = runProcess(
      request(shell(`trap '' TERM; sleep 600 & echo $! > '${pipe.file}'; while :; do wait; done`), {
        signal: controller.signal,
      }),
    );
    const child = Number(await pipe.line());
    const asked = performance.now();
    controller.abort();
    as(await running, 'cancelled');
    expect(performance.now() - asked).toBeGreaterThanOrEqual(1_950);
    expect(isAlive(child)).toBe(false);
  });

  test('a stopped one goes on to take its SIGTERM, and its stopped child dies too', async () => {
    const pipe = namedPipe();
    const controller = new AbortController();
    const running = runProcess(
      request(
        shell(
          `trap 'echo tidied; exit 0' TERM; sleep 600 & kill -STOP $!; echo $! > '${pipe.file}'; kill -STOP $$; wait`,
        ),
        { signal: controller.signal },
      ),
    );
    const child = Number(await pipe.line());
    controller.abort();
    expect(text(as(await running, 'cancelled'))).toBe('tidied\n');
    expect(isAlive(child)).toBe(false);
  });
});
