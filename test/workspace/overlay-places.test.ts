import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  layerFolderProblem,
  layerFolders,
  removeLayersOf,
} from '../../src/workspace/overlay/layers.js';
import { overlayObstacle } from '../../src/workspace/overlay/obstacles.js';
import { makeBench } from './helpers.js';

const me = { platform: 'linux', uid: process.getuid?.(), gid: process.getgid?.() } as const;

describe('what speaks against an overlay', () => {
  it('is another system', async () => {
    const { tree } = makeBench();
    expect(await overlayObstacle(tree, { ...me, platform: 'darwin' })).toContain('darwin');
  });

  it.runIf(process.platform === 'linux')('is no tree of one’s own', async () => {
    const { tree } = makeBench();
    expect(await overlayObstacle('/', me)).toContain('whole file system');
    expect(await overlayObstacle(tree, me)).toBeNull();
  });

  it.runIf(process.platform === 'linux')('is a file that the user has to share', async () => {
    const { tree } = makeBench();
    const { uid, gid } = lstatSync(join(tree, 'a.py'));
    expect(await overlayObstacle(tree, { ...me, uid: uid + 1, gid })).toContain('another owner');
    // To root no file is foreign, so a user it has to be.
    const user = uid === 0 ? { uid: 12_345, gid } : { uid, gid: gid + 1 };
    expect(await overlayObstacle(tree, { ...me, ...user })).toContain('the tree has another owner');
  });

  it.runIf(process.platform === 'linux')('is a mount below the tree, wherever', async () => {
    expect(await overlayObstacle('/sys', { ...me, uid: 0 })).toMatch(/ in the tree is a mount/);
  });
});

describe('the folder for layers', () => {
  it('is that of caches, or that of temporary files', async () => {
    const { tree, home } = makeBench();
    const [first, second] = layerFolders(tree, { HOME: home });
    expect(first).toMatch(new RegExp(`^${home}/\\.cache/counterproof/[0-9a-f]{16}/layers$`));
    expect(second).toMatch(/counterproof-cache-\d+\/[0-9a-f]{16}\/layers$/);
    expect(layerFolders(tree, { HOME: home, XDG_CACHE_HOME: '/c' })[0]).toMatch(
      /^\/c\/counterproof/,
    );
    expect(layerFolders(tree, { HOME: home, XDG_CACHE_HOME: 'c' })[0]).toBe(first);
    expect(await layerFolderProblem(first ?? '', tree)).toBeNull();
  });

  it('is never in the tree, nor somebody else’s', async () => {
    const { tree } = makeBench();
    const inside = layerFolders(tree, { XDG_CACHE_HOME: join(tree, '.cache') })[0] ?? '';
    expect(await layerFolderProblem(inside, tree)).toContain('inside the tree');
    const [linked = ''] = layerFolders(tree, { HOME: join(tree, '..') });
    mkdirSync(join(linked, '..'), { recursive: true });
    symlinkSync('/', linked);
    expect(await layerFolderProblem(linked, tree)).toContain('somebody else');
  });

  it('is emptied of what killed runs left, whatever was done to its modes', async () => {
    const { tree, home } = makeBench();
    const [folder = ''] = layerFolders(tree, { HOME: home });
    const work = join(folder, 'run', '0-0', 'w1', 'work');
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, 'x'), '');
    chmodSync(work, 0o000);
    await removeLayersOf(tree, { HOME: home });
    expect(readdirSync(folder)).toEqual([]);
  });
});
