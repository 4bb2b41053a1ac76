type Work = () => Promise<unknown>;

/** One after another, each whatever became of those before it. Throws the first error at the end. */
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
  if (failures.length > 0) throw failures[0];
  return done as { readonly [I in keyof T]: Awaited<ReturnType<T[I]>> };
}
