/** Why the system refused what was asked of it (a full disk, say), in its own words; null: it did not. */
export function systemError(error: unknown): string | null {
  return error instanceof Error && 'code' in error && 'syscall' in error ? error.message : null;
}
