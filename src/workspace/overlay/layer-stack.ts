/** The layers that lie over the tree: one on top that takes all writes, and those that are kept below it. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../../result.js';
import { removeFolder } from '../remove-folder.js';
import { LAYER_NAMES } from './layers.js';
import { openMounter } from './mounter.js';
import { isAsMarked, makeUpper, markOf, type LayerMark, type UpperNames } from './upper.js';

/** What a layer below the upper one goes with. */
export type Until = 'restore' | 'unplace' | 'end';

export interface LayerStack {
  /** The upper layer; absolute. */
  readonly upper: () => string;
  /** Where the tree is seen as it lies below the upper layer, until the stack is another; absolute. */
  readonly below: () => Promise<string>;
  /** What the upper layer holds now is what a run finds. */
  readonly mark: () => Promise<void>;
  /** Something may run from now on. */
  readonly use: () => void;
  /** An empty upper layer, unless nothing ran or what ran left it as it was marked; gives whether. */
  readonly freshen: () => Promise<boolean>;
  /** The upper layer as it is becomes the topmost of those below the next one. */
  readonly keepUpper: (until: Until) => Promise<void>;
  /** Takes away the upper layer, and those below it that go with this. */
  readonly drop: (what: 'restore' | 'unplace' | 'upper alone') => Promise<void>;
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

/** @returns the error where nothing can be mounted in the slot: one sentence */
export async function openLayerStack({
  tree,
  layers,
  real,
}: StackPlace): Promise<Result<LayerStack, string>> {
  const opened = await openMounter(layers);
  if (!opened.ok) return err(`layers cannot be mounted: ${opened.error}`);
  const mounter = opened.value;
  let stack: readonly { readonly name: string; readonly until: Until }[] = [];
  let number = 0;
  /** Something may have run since the upper layer was made. */
  let used = false;
  /** Of the upper layer when nothing had run on it yet. */
  let mark: LayerMark | null = null;
  /** The layers that are mounted to be looked at alone. */
  let shown = '';

  const names = (): UpperNames => ({ upper: `u${number}`, work: `w${number}` });
  const upper = (): string => join(layers, names().upper);
  const lowers = (): readonly string[] => [...stack.map(({ name }) => name), LAYER_NAMES.lower];

  /** @param present what becomes of the upper layer that is in use */
  const remount = async (present: 'drop' | 'keep'): Promise<void> => {
    const old = names();
    number += 1;
    await makeUpper(layers, names(), real);
    const mounted = await mounter.mount({ lowers: lowers(), ...names() });
    if (!mounted.ok) throw new OverlayFailed(`a fresh layer cannot be mounted: ${mounted.error}`);
    if (!(await isOverlay(tree))) throw new OverlayFailed('no overlay lies over the tree any more');
    used = false;
    mark = null;
    // In nobody's way: the next step does not wait for it, and the next start removes what stays.
    void removeFolder(join(layers, old.work));
    if (present === 'drop') void removeFolder(join(layers, old.upper));
  };

  return ok({
    upper,
    async below() {
      if (stack.length === 0) return real;
      const wanted = lowers();
      if (wanted.join(':') !== shown) {
        const mounted = await mounter.show(wanted);
        if (!mounted.ok)
          throw new OverlayFailed(`the layers below cannot be mounted: ${mounted.error}`);
        shown = wanted.join(':');
      }
      return join(layers, LAYER_NAMES.below);
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
      stack = [{ name: names().upper, until }, ...stack];
      await remount('keep');
    },
    async drop(what) {
      const gone = stack.filter(({ until }) => until === what);
      stack = stack.filter(({ until }) => until !== what);
      await remount('drop');
      for (const { name } of gone) void removeFolder(join(layers, name));
    },
    close: () => mounter.close(),
  });
}
