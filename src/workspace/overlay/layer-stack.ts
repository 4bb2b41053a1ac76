/** The layers that lie over the tree: one on top that takes all writes, and those that are kept below it. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { look } from '../durable.js';
import { removeFolder } from '../remove-folder.js';
import { LAYER_NAMES } from './layers.js';
import { openMounter } from './mounter.js';
import { isAsMarked, makeUpper, markOf, type LayerMark } from './upper.js';

/** What a layer below the upper one goes with. */
export type Until = 'restore' | 'unplace' | 'end';

export interface LayerStack {
  /** The upper layer; absolute. */
  readonly upper: () => string;
  /** The topmost layer below the upper one that has this tree-relative path; the tree where none has. */
  readonly below: (path: string) => Promise<string>;
  /** What the upper layer holds now is what a run finds. */
  readonly mark: () => Promise<void>;
  /** Something may run from now on. */
  readonly use: () => void;
  /** An empty upper layer, unless nothing ran or what ran left it as it was marked; gives whether. */
  readonly freshen: () => Promise<boolean>;
  /** The upper layer as it is becomes the topmost of those below the next one. */
  readonly keepUpper: (until: Until) => Promise<void>;
  /** Takes away the upper layer, and those below it that go with this. */
  readonly drop: (until: 'restore' | 'unplace' | 'nothing below') => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The slot cannot go on: its layers cannot be mounted. The tree is untouched all the same. */
export class OverlayFailed extends Error {
  override readonly name = 'OverlayFailed';
}

/** The kernel's number of overlay file systems. */
const OVERLAY = 0x794c7630;

export async function isOverlay(folder: string): Promise<boolean> {
  return (await statfs(folder)).type === OVERLAY;
}

export interface StackPlace {
  /** Absolute, as the others; the slot's first process has mounted `u0` over it. */
  readonly tree: string;
  /** The slot's own folder. */
  readonly layers: string;
  /** The tree as it lies below all layers. */
  readonly real: string;
}

export async function openLayerStack({ tree, layers, real }: StackPlace): Promise<LayerStack> {
  const mounter = await openMounter(layers);
  let stack: readonly { readonly name: string; readonly until: Until }[] = [];
  let number = 0;
  /** Something may have run since the upper layer was made. */
  let used = false;
  /** Of the upper layer when nothing had run on it yet. */
  let mark: LayerMark | null = null;

  const upperName = (): string => `u${number}`;
  const upper = (): string => join(layers, upperName());
  const lowers = (): readonly string[] => [...stack.map(({ name }) => name), LAYER_NAMES.lower];

  /** @param present what becomes of the upper layer that is in use */
  const remount = async (present: 'drop' | 'keep'): Promise<void> => {
    const old = [`u${number}`, `w${number}`].map((name) => join(layers, name));
    number += 1;
    const names = { upper: `u${number}`, work: `w${number}` };
    await makeUpper(layers, names, real);
    const mounted = await mounter.mount({ lowers: lowers(), ...names });
    if (!mounted.ok) throw new OverlayFailed(`a fresh layer cannot be mounted: ${mounted.error}`);
    if (!(await isOverlay(tree))) throw new OverlayFailed('no overlay lies over the tree any more');
    used = false;
    mark = null;
    // In nobody's way: the next step does not wait for it, and the next start removes what stays.
    void removeFolder(old[1] ?? '');
    if (present === 'drop') void removeFolder(old[0] ?? '');
  };

  return {
    upper,
    async below(path) {
      for (const name of lowers())
        if ((await look(join(layers, name, path))) !== null) return join(layers, name);
      return real;
    },
    async mark() {
      mark = await markOf(upper());
    },
    use() {
      used = true;
    },
    async freshen() {
      if (!used || (await isAsMarked(upper(), mark))) return false;
      await remount('drop');
      return true;
    },
    async keepUpper(until) {
      stack = [{ name: upperName(), until }, ...stack];
      await remount('keep');
    },
    async drop(until) {
      const gone = stack.filter((layer) => layer.until === until);
      stack = stack.filter((layer) => layer.until !== until);
      await remount('drop');
      for (const { name } of gone) void removeFolder(join(layers, name));
    },
    close: () => mounter.close(),
  };
}
