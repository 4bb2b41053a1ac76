/**
 * The only module that spawns what a person's project brings: lanes, builds, interpreters.
 * Signature first; the body is being written.
 */

export interface SpawnRequest {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Given on standard input, which is then closed; null: standard input is closed at once. */
  readonly stdin: Buffer | null;
  readonly limits: {
    readonly timeMs: number;
    /** Over the process and everything that carries the nonce; null: not watched. */
    readonly memoryBytes: number | null;
    /** Kept of stdout and stderr each: half as head, half as tail. The rest is counted. */
    readonly outputBytes: number;
  };
  /**
   * Value of COUNTERPROOF_RUN in `env`, unique to this spawn: whatever carries it in its
   * environment after the process ended is a leftover, and is killed.
   */
  readonly nonce: string;
  readonly signal: AbortSignal;
  /** Called once with a function that ends the process group early, as `stopped`. */
  readonly onStart?: (control: {
    readonly pid: number;
    readonly stop: (why: string) => void;
  }) => void;
}

/** Head and tail of a stream; `dropped` bytes between them were counted and thrown away. */
export interface BoundedOutput {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly dropped: number;
}

export interface LeftoverProcess {
  readonly pid: number;
  readonly command: string;
}

interface Ended {
  readonly durationMs: number;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
  /** Processes that outlived the command and were killed. */
  readonly leftovers: readonly LeftoverProcess[];
}

export type ProcessEnd =
  | (Ended & { readonly kind: 'exited'; readonly code: number })
  /** Ended by a signal that was not ours. */
  | (Ended & { readonly kind: 'signalled'; readonly signal: NodeJS.Signals })
  | (Ended & { readonly kind: 'timeout'; readonly limitMs: number })
  | (Ended & {
      readonly kind: 'out-of-memory';
      readonly limitBytes: number;
      readonly peakBytes: number;
    })
  /** Ended by `stop(why)`. */
  | (Ended & { readonly kind: 'stopped'; readonly why: string })
  | (Ended & { readonly kind: 'cancelled' })
  | { readonly kind: 'not-started'; readonly code: string; readonly message: string };
