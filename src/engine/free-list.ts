/** Things of which each serves one user at a time; who finds none free waits for the next. */
export interface FreeList<T> {
  /** Gives the one that has been free for longest, and takes it back when the work is over. */
  readonly use: <R>(work: (one: T) => Promise<R>) => Promise<R>;
}

export function createFreeList<T>(all: readonly T[]): FreeList<T> {
  const free = [...all];
  const waiting: ((one: T) => void)[] = [];
  const take = (): Promise<T> => {
    const one = free.shift();
    return one === undefined
      ? new Promise((resolve) => {
          waiting.push(resolve);
        })
      : Promise.resolve(one);
  };
  return {
    async use(work) {
      const one = await take();
      try {
        return await work(one);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free.push(one);
        else next(one);
      }
    },
  };
}
