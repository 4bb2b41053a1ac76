/** Lists as long as a user's project makes them: as arguments of a call, 125,000 overflow the stack. */

/** Adds to the end of `list`, as `push(...more)` does. */
export function append<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item);
}

/** The largest of them, as `Math.max(0, ...numbers)` does: 0 where there is none above it. */
export function largest(numbers: Iterable<number>): number {
  let most = 0;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}
