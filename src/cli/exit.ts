export { EXIT } from '../proof/exit-code.js';
import { EXIT } from '../proof/exit-code.js';

/** Ends a command with a message for people; caught in `main`. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number;

  /** @param exitCode by default that of a usage error: nothing was run */
  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
