/** What detection found out. */
import type { CommandShape } from '../command.js';
import type { Interpreter } from './interpreter.js';

export interface PytestInstallation {
  readonly command: readonly [string, ...string[]];
  readonly shape: CommandShape;
  readonly from: string;
  /** Absolute path of the interpreter, or of the wrapper where none is known. */
  readonly tool: string;
  readonly versions: Readonly<Record<string, string>>;
  /** To be asked for compile checks; null: behind a wrapper that does not tell. */
  readonly interpreter: Interpreter | null;
  /** What activating the environment sets: the tests may call commands that it installs. */
  readonly activation: Readonly<Record<string, string>>;
  /** Absolute path of the file that pytest is configured by; null: none. */
  readonly configFile: string | null;
  /** Candidates that were passed over, with the reason. */
  readonly notes: readonly string[];
}

/** All but what does not depend on the command. */
export type Found = Omit<PytestInstallation, 'configFile'>;
