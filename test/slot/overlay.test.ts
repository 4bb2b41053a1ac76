/**
 * A slot in an overlay, driven by its own protocol: what is written lands beside the tree, and
 * goes. Where the kernel refuses overlays, the same start must say so and leave nothing behind.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { layerFolders } from '../../src/workspace/overlay/layers.js';
import { removeFolder } from '../../src/workspace/remove-folder.js';
import { edit, editsOf, must, mustFail, stateOf } from '../workspace/helpers.js';
import { childrenOf, overlaySlots } from './overlay-slots.js';

const slots = overlaySlots();
const { inOverlay } = slots;

/** The shell that is `sh` for the slot. */
function withShell(shell: string): NodeJS.ProcessEnv {
  const folder = join(slots.top(), `as-${shell}`);
  mkdirSync(folder, { recursive: true });
  const path = execFileSync('which', [shell], { encoding: 'utf8' }).trim();
  symlinkSync(path, join(folder, 'sh'));
  return { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

const wordsOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');

/** Mount points below a folder, as this process sees them. */
function mountsIn(folder: string): readonly string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const points = lines.map((line) =>
    (line.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 8)),
    ),
  );
  return points.filter((point) => point.startsWith(folder));
}

describe('a slot in an overlay', () => {
  inOverlay('shows edits to what runs in it, and to nobody else', async (slot) => {
    const { client, tree, before } = slot;

    const applied = must(await client.call('apply', { label: 'm', edits: editsOf(tree) }));

    expect(applied.map(({ path }) => path)).toEqual(editsOf(tree).map(({ path }) => path));
    const sums = await client.call('sums', { paths: applied.map(({ path }) => path) });
    for (const { path, mutated } of applied) expect(sums.get(path)).toBe(mutated);
    expect(stateOf(tree)).toEqual(before);
    const again = await client.call('apply', { label: 'n', edits: [edit(tree, 'other.txt', 'x')] });
    expect(mustFail(again)).toMatchObject({ why: expect.stringContaining('still in place') });

    const restored = await client.call('restore', null);

    expect(restored).toMatchObject({ kind: 'restored' });
    const back = await client.call('sums', { paths: applied.map(({ path }) => path) });
    for (const { path, baseline } of applied) expect(back.get(path)).toBe(baseline);
    expect(stateOf(tree)).toEqual(before);
  });

  inOverlay(
    'refuses an edit that was made for other bytes, and takes its set back',
    async ({ client, tree }) => {
      const late = { ...edit(tree, 'other.txt', 'x'), before: Buffer.from('not this') };
      const edits = [edit(tree, 'a.py', 'changed\n'), late];

      const problem = mustFail(await client.call('apply', { label: 'm', edits }));

      expect(problem).toMatchObject({ path: 'other.txt', why: expect.stringContaining('bytes') });
      const sums = await client.call('sums', { paths: ['a.py'] });
      expect(
        must(await client.call('apply', { label: 'm', edits: edits.slice(0, 1) })),
      ).toMatchObject([{ path: 'a.py', baseline: sums.get('a.py') }]);
    },
  );

  inOverlay(
    'keeps probe files beside edits, until they are taken away',
    async ({ client, tree }) => {
      const files = [{ path: 'deep/er/test_probe.py', content: Buffer.from('probe\n') }];
      const edits = [edit(tree, 'a.py', 'changed\n')];
      must(await client.call('place', { files }));
      must(await client.call('apply', { label: 'm', edits }));
      expect(mustFail(await client.call('place', { files }))).toMatchObject({
        why: expect.any(String),
      });

      await client.call('restore', null);

      const paths = ['deep/er/test_probe.py', 'a.py'];
      const standing = await client.call('sums', { paths });
      expect(standing.get('deep/er/test_probe.py')).not.toBeNull();
      expect(await client.call('unplace', null)).toMatchObject({ kind: 'restored' });
      expect((await client.call('sums', { paths })).get('deep/er/test_probe.py')).toBeNull();
      expect(existsSync(join(tree, 'deep'))).toBe(false);
    },
  );

  inOverlay(
    'says so when the file under an edit is changed meanwhile',
    async ({ client, tree }) => {
      must(await client.call('apply', { label: 'm', edits: [edit(tree, 'a.py', 'mutant\n')] }));
      writeFileSync(join(tree, 'a.py'), 'the user saved\n');

      const outcome = await client.call('restore', null);

      expect(outcome).toMatchObject({ kind: 'changed', changed: ['a.py'] });
      expect(readFileSync(join(tree, 'a.py'), 'utf8')).toBe('the user saved\n');
    },
  );

  inOverlay(
    'leaves read-only files and folders as they are',
    async ({ client, tree, before }) => {
      must(
        await client.call('apply', { label: 'm', edits: [edit(tree, 'pkg/b ü.py', 'B = 2\n')] }),
      );
      expect(await client.call('restore', null)).toMatchObject({ kind: 'restored' });
      expect(stateOf(tree)).toEqual(before);
      expect((lstatSync(join(tree, 'pkg/b ü.py')).mode & 0o777).toString(8)).toBe('440');
    },
    (tree) => {
      execFileSync('chmod', ['440', join(tree, 'pkg/b ü.py')]);
    },
  );

  inOverlay('leaves nothing but layers behind when it is killed', async (slot) => {
    const { client, tree, before, environment } = slot;
    must(await client.call('apply', { label: 'm', edits: editsOf(tree) }));

    client.kill();
    await client.gone;

    expect(stateOf(tree)).toEqual(before);
    expect(mountsIn(slots.top())).toEqual([]);
    const [folder = ''] = layerFolders(tree, environment);
    expect(readdirSync(join(folder, 'run'))).toEqual(['0-0']);
    await removeFolder(join(folder, 'run'));
    expect(readdirSync(folder)).toEqual([]);
  });

  // Whoever is process 1 has to reap what tests orphan, and a worker does not.
  for (const shell of ['dash', 'bash'])
    inOverlay(
      `keeps the shell as its first process where \`sh\` is ${shell}`,
      async ({ client }) => {
        expect(wordsOf(slots.firstProcess(client))[0]).toBe('sh');
        expect(await client.call('restore', null)).toMatchObject({ kind: 'restored' });
      },
      undefined,
      () => withShell(shell),
    );

  inOverlay('ends where the shell that mounts for it is dead', async ({ client, tree }) => {
    must(await client.call('apply', { label: 'm', edits: [edit(tree, 'a.py', 'mutant\n')] }));
    const serving = childrenOf(slots.firstProcess(client)).find((pid) => wordsOf(pid)[0] === 'sh');
    process.kill(serving ?? 0, 'SIGKILL');

    await expect(client.call('restore', null)).rejects.toMatchObject({
      name: 'SlotDied',
      message: expect.stringContaining('a fresh layer cannot be mounted') as string,
    });
    await client.gone;
  });

  // Killing a slot's first process leaves those below it alive for a moment, with its channel.
  it('owes no answer once its process is dead, though something holds its channel', async () => {
    const holder = join(slots.top(), 'holder.cjs');
    const noted = join(slots.top(), 'holder.pid');
    writeFileSync(
      holder,
      `const { spawn } = require('node:child_process');
      const { pid } = spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 3] });
      require('node:fs').writeFileSync(process.env.NOTED, String(pid));`,
    );
    const env = {
      ...process.env,
      NODE_OPTIONS: `--require ${JSON.stringify(holder)}`,
      NOTED: noted,
    };
    const client = slots.startSlot({ kind: 'in-place' }, env);
    await client.call('notes', null).catch(() => undefined);
    onTestFinished(() => {
      process.kill(Number(readFileSync(noted, 'utf8')), 'SIGKILL');
    });

    client.kill();
    await client.gone;

    await expect(client.call('restore', null)).rejects.toMatchObject({ name: 'SlotDied' });
  });

  inOverlay(
    'gives every file that it writes a time after all before it',
    async ({ client, tree, layers }) => {
      const times = [lstatSync(join(tree, 'a.py'), { bigint: true }).mtimeNs];
      for (const content of ['one\n', 'two\n', 'three\n']) {
        must(await client.call('apply', { label: 'm', edits: [edit(tree, 'a.py', content)] }));
        // The layer before may still be on its way out.
        const upper = readdirSync(layers)
          .filter((name) => name.startsWith('u') && existsSync(join(layers, name, 'a.py')))
          .toSorted((x, y) => Number(x.slice(1)) - Number(y.slice(1)))
          .at(-1);
        times.push(lstatSync(join(layers, upper ?? '', 'a.py'), { bigint: true }).mtimeNs);
        expect(await client.call('restore', null)).toMatchObject({ kind: 'restored' });
      }
      expect(times).toEqual([...new Set(times)].toSorted((x, y) => (x < y ? -1 : 1)));
      expect(times).toHaveLength(4);
    },
  );
});
