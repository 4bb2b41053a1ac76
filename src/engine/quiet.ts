/** Lets steps run beside each other, or one alone: while it runs, the other slots hold still. */

export interface Quiet {
  readonly beside: <T>(work: () => Promise<T>) => Promise<T>;
  /** Waits for what runs to end; what is to begin meanwhile waits for this. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createQuiet(): Quiet {
  let running = 0;
  let isAlone = false;
  /** In the order in which they came, so that nobody waits for ever. */
  const queue: { readonly alone: boolean; readonly go: () => void }[] = [];

  const admit = (): void => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (isAlone || (next.alone && running > 0)) return;
      queue.shift();
      running += 1;
      isAlone = next.alone;
      next.go();
    }
  };

  const inTurn = async <T>(alone: boolean, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      queue.push({ alone, go: resolve });
      admit();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      if (alone) isAlone = false;
      admit();
    }
  };

  return {
    beside: (work) => inTurn(false, work),
    alone: (work) => inTurn(true, work),
  };
}
