import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFreeList } from '../../src/engine/free-list.js';
import { createQuiet } from '../../src/engine/quiet.js';

/** Work that ends when it is told to, and a list of what has begun and ended. */
function workshop() {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    events,
    work: (name: string) => async (): Promise<string> => {
      events.push(`${name} begins`);
      await new Promise<void>((resolve) => {
        ends.set(name, resolve);
      });
      events.push(`${name} ends`);
      return name;
    },
    end: async (name: string): Promise<void> => {
      // Everybody who can begin has begun, and whoever waits for this end gets the turn.
      await nextTurn();
      ends.get(name)?.();
      await nextTurn();
    },
  };
}

describe('steps of several slots', () => {
  it('run beside each other, and one that is to be alone waits for them', async () => {
    const { events, work, end } = workshop();
    const quiet = createQuiet();
    const all = [
      quiet.beside(work('a')),
      quiet.beside(work('b')),
      quiet.alone(work('sole')),
      // What comes after it does not overtake it, or it would wait for ever.
      quiet.beside(work('c')),
      quiet.beside(work('d')),
    ];
    await end('a');
    expect(events).toEqual(['a begins', 'b begins', 'a ends']);
    await end('b');
    expect(events.slice(3)).toEqual(['b ends', 'sole begins']);
    await end('sole');
    expect(events.slice(5)).toEqual(['sole ends', 'c begins', 'd begins']);
    await end('c');
    await end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'sole', 'c', 'd']);
  });

  it('go on after one that failed', async () => {
    const quiet = createQuiet();
    await expect(quiet.alone(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    await expect(quiet.beside(() => Promise.reject(new Error('y')))).rejects.toThrow('y');
    expect(await quiet.alone(() => Promise.resolve('done'))).toBe('done');
  });
});

describe('a free list', () => {
  it('gives each thing to one at a time, in the order of asking', async () => {
    const { events, work, end } = workshop();
    const free = createFreeList(['x', 'y']);
    const users = ['1', '2', '3', '4'].map((user) =>
      free.use((thing) => work(`${user} on ${thing}`)()),
    );
    await end('');
    expect(events).toEqual(['1 on x begins', '2 on y begins']);
    await end('2 on y');
    await end('3 on y');
    await end('1 on x');
    await end('4 on y');
    expect(events.filter((event) => event.endsWith('begins'))).toEqual([
      '1 on x begins',
      '2 on y begins',
      '3 on y begins',
      '4 on y begins',
    ]);
    await Promise.all(users);
  });
});
