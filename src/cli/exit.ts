/** Exit codes that a command gives before, or without, a record. */
export const EXIT = {
  fine: 0,
  /** Usage or spec error: nothing was run. */
  usage: 2,
  /** A file of the user's is not what it was, or somebody's work was kept aside. */
  notRestored: 4,
  /** Nothing to prove. */
  nothing: 5,
  internal: 70,
} as const;

/** Ends a command with a message for people; caught in `main`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
