import { expect, test } from 'vitest';
import { allOf, allSettled } from '../../src/slot/all-of.js';

const fails = (why: string) => () => Promise.reject(new Error(why));

test('one failure is thrown as it is, once the others are done', async () => {
  const done: string[] = [];
  const late = () => Promise.resolve(done.push('late'));
  await expect(allOf([fails('first'), late])).rejects.toThrow(/^first$/);
  await expect(allSettled([fails('one')(), late()])).rejects.toThrow(/^one$/);
  expect(done).toEqual(['late', 'late']);
});

test('of several failures all are told, also where only the message is sent on', async () => {
  const all = [fails('first'), fails('second')] as const;
  for (const failing of [allOf(all), allSettled(all.map((each) => each()))]) {
    const error = await failing.catch((each: unknown) => each);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(({ message }: Error) => message)).toEqual([
      'first',
      'second',
    ]);
    expect((error as Error).stack).toMatch(/Error: first[^]*Error: second/);
  }
});
