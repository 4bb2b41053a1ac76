type Work = () => Promise<unknown>;

/** One after another, each whatever became of those before it. Throws at the end what went wrong. */
export async function allOf<T extends readonly Work[]>(
  work: readonly [...T],
): Promise<{ readonly [I in keyof T]: Awaited<ReturnType<T[I]>> }> {
  const done: unknown[] = [];
  const failures: unknown[] = [];
  for (const each of work) {
    try {
      done.push(await each());
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw asOneError(failures);
  return done as { readonly [I in keyof T]: Awaited<ReturnType<T[I]>> };
}

/** Waits for all of them, whatever becomes of the others. Throws at the end what went wrong. */
export async function allSettled<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(work);
  const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length > 0) throw asOneError(failures);
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** One alone is itself; the stacks of several stand in the message, since no other part is sent on. */
export function asOneError(failures: readonly unknown[]): Error {
  const errors = failures.map((each) => (each instanceof Error ? each : new Error(String(each))));
  const [first, ...others] = errors;
  if (first !== undefined && others.length === 0) return first;
  return new AggregateError(
    errors,
    errors.map(({ stack, message }) => stack ?? message).join('\n'),
  );
}
