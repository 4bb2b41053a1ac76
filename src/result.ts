/**
 * An expected failure is a value; an exception is a bug of ours. Functions whose
 * failure the user can cause return a `Result`, so that no caller can forget it.
 */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({
  ok: false,
  error,
});

/** Closes a `switch` over a union: adding a member does not compile until every switch knows it. */
export function unreachable(value: never): never {
  throw new Error(`Internal error: unexpected ${JSON.stringify(value)}`);
}
