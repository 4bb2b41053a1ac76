import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lockTree, type LockOptions } from '../../src/workspace/lock.js';
import { build, fixture, makeBench, must, mustFail } from './helpers.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let top = '';
let built = '';
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'counterproof prüfung ')));
  built = build(top);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const optionsFor = (tree: string): LockOptions => ({
  tree,
  command: ['counterproof', 'run', 'x'],
  onCompromised: () => undefined,
});

interface Rival {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly said: string;
}

async function rival(tree: string): Promise<Rival> {
  const child = spawn(process.execPath, [fixture('lock.mjs'), built, tree], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = await once(createInterface(child.stdout), 'line');
  return { child, said: String(said) };
}

async function end({ child }: Rival, signal: NodeJS.Signals | null = null): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (signal === null) child.stdin.end();
  else child.kill(signal);
  await exited;
}

describe('a locked tree', () => {
  test('names its holder to the next run', async () => {
    const { tree } = makeBench();
    const lock = must(await lockTree(optionsFor(tree)));
    const other = await rival(tree);
    expect(other.said).toContain(
      `held: another run works on this tree: counterproof run x (pid ${process.pid}, since `,
    );
    await end(other);
    await lock.release();
    const next = await rival(tree);
    expect(next.said).toBe('locked');
    await end(next);
  });

  test('is refused to the same process as well', async () => {
    const { tree } = makeBench();
    const lock = must(await lockTree(optionsFor(tree)));
    const problem = mustFail(await lockTree(optionsFor(tree)));
    expect(problem).toMatchObject({ kind: 'held', heldBy: { process: { pid: process.pid } } });
    await lock.release();
    await lock.release();
    await must(await lockTree(optionsFor(tree))).release();
  });

  test('is free again when its holder exits, without having released it', async () => {
    const { tree } = makeBench();
    await end(await rival(tree));
    expect(existsSync(join(tree, '.counterproof/run.lock'))).toBe(false);
  });

  test('is free at once when its holder was killed', async () => {
    const { tree } = makeBench();
    await end(await rival(tree), 'SIGKILL');
    expect(existsSync(join(tree, '.counterproof/run.lock'))).toBe(true);
    const began = Date.now();
    await must(await lockTree(optionsFor(tree))).release();
    expect(Date.now() - began).toBeLessThan(30_000);
  });

  test('is free where the number of the holder is by now that of another process', async () => {
    const { tree } = makeBench();
    await end(await rival(tree), 'SIGKILL');
    const file = join(tree, '.counterproof/holder.json');
    const holder = JSON.parse(readFileSync(file, 'utf8'));
    holder.process.pid = process.pid;
    writeFileSync(file, JSON.stringify(holder));
    await must(await lockTree(optionsFor(tree))).release();
  });

  test('stays held while its holder is on a machine that cannot be asked', async () => {
    const { tree } = makeBench();
    await end(await rival(tree), 'SIGKILL');
    const file = join(tree, '.counterproof/holder.json');
    const holder = JSON.parse(readFileSync(file, 'utf8'));
    holder.process.host = 'elsewhere';
    writeFileSync(file, JSON.stringify(holder));
    const problem = mustFail(await lockTree(optionsFor(tree)));
    expect(problem.message).toContain('on elsewhere');
  });
});

test('of several runs that race for a dead lock exactly one gets it', async () => {
  const { tree } = makeBench();
  for (let round = 0; round < 3; round++) {
    await end(await rival(tree), 'SIGKILL');
    const rivals = await Promise.all([1, 2, 3, 4].map(() => rival(tree)));
    expect(rivals.filter((it) => it.said === 'locked')).toHaveLength(1);
    const winner = rivals.find((it) => it.said === 'locked');
    for (const it of rivals) {
      if (it !== winner) {
        expect(it.said).toContain(`pid ${winner?.child.pid}`);
        await end(it);
      }
    }
    if (winner !== undefined) await end(winner, 'SIGKILL');
  }
});

test('a lock that is taken away is taken again', async () => {
  const { tree } = makeBench();
  const lock = must(await lockTree(optionsFor(tree)));
  rmSync(join(tree, '.counterproof'), { recursive: true });
  await vi.waitFor(() => expect(existsSync(join(tree, '.counterproof/run.lock'))).toBe(true), {
    timeout: 60_000,
  });
  expect((await rival(tree)).said).toContain(`pid ${process.pid}`);
  await lock.release();
  expect(existsSync(join(tree, '.counterproof/run.lock'))).toBe(false);
});

test('a lock that another run has by now is reported, with the other run', async () => {
  const { tree } = makeBench();
  const lost = new Promise<string>((resolve) => {
    void lockTree({ ...optionsFor(tree), onCompromised: resolve });
  });
  await vi.waitFor(() => expect(existsSync(join(tree, '.counterproof/run.lock'))).toBe(true));
  rmSync(join(tree, '.counterproof'), { recursive: true });
  const other = await rival(tree);
  expect(other.said).toBe('locked');
  expect(await lost).toMatch(`pid ${other.child.pid}`);
  await end(other, 'SIGKILL');
});

test('a tree that cannot be written is no held one', async () => {
  const { tree } = makeBench();
  writeFileSync(join(tree, '.counterproof'), 'a file');
  expect(mustFail(await lockTree(optionsFor(tree))).kind).toBe('unusable');
});
