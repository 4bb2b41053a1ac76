/** How cargo is asked for the doctests of a package. */
import type { ProcessEnd } from '../process.js';
import type { Processes } from './attempt.js';
import type { ProcessRequest } from './graded.js';
import { testEnvironment } from './test-environment.js';
import type { TestOptions } from './test-options.js';

/** The documentation tests of one package. */
export interface DocTests {
  /** `jail::doc`. */
  readonly id: string;
  /** `cargo test --doc -p jail` with the lane's features and profile; nothing after `--`. */
  readonly command: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** Absolute: what the files in the names of doctests are relative to. */
  readonly workspace: string;
  /** Of the build. */
  readonly env: Readonly<Record<string, string>>;
}

export interface DocRequest extends ProcessRequest {
  readonly doc: DocTests;
  readonly options: TestOptions;
}

/** `words` are for rustdoc's libtest. */
export async function startDocTests(
  request: DocRequest,
  { runProcess, createNonce }: Processes,
  words: readonly string[],
): Promise<ProcessEnd> {
  const { doc, limits, scratch, signal } = request;
  const command: readonly [string, ...string[]] = [...doc.command, '--', ...words];
  const end = await runProcess({
    command,
    cwd: doc.cwd,
    env: testEnvironment(doc.env, scratch),
    stdin: null,
    limits: { ...limits, timeMs: Math.max(1, request.remainingMs()) },
    nonce: createNonce(),
    signal,
  });
  request.onProcess(command, end);
  return end;
}
