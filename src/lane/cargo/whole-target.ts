/** A target with `harness = false`: one test, judged by its exit code, where the lane wants that. */
import type { Ending } from '../../proof/evidence.js';
import type { ProcessEnd } from '../process.js';
import type { Processes } from './attempt.js';
import type { Graded, ProcessRequest } from './graded.js';
import { commandOf } from './launching.js';
import type { Launch, TestBinary } from './model.js';
import { testEnvironment } from './test-environment.js';
import { howEnded, lastWords, stderrOf, stdoutOf } from '../words.js';

export interface WholeTargetRequest extends ProcessRequest {
  readonly binary: TestBinary;
  readonly launch: Launch;
}

/**
 * Started without arguments: such a program may do anything with `--list`, and many take it for
 * a run. Its exit code is all that it says.
 */
export async function gradeWholeTarget(
  request: WholeTargetRequest,
  { runProcess, createNonce }: Processes,
): Promise<Graded> {
  const { binary, launch, limits, marker, onProgress } = request;
  const id = `${binary.id} ${binary.name}`;
  const command = commandOf(launch, []);
  const remaining = Math.max(1, request.remainingMs());
  onProgress({ kind: 'started', test: id });
  const end = await runProcess({
    command,
    cwd: launch.cwd,
    env: testEnvironment(launch.env, request.scratch),
    stdin: null,
    limits: { ...limits, timeMs: Math.min(limits.testMs, remaining) },
    nonce: createNonce(),
    signal: request.signal,
  });
  request.onProcess(command, end);
  const printed = stdoutOf(end) + stderrOf(end);
  const outcome = outcomeOf(end);
  if (outcome !== null) onProgress({ kind: 'finished', test: id, outcome });
  const words = lastWords(stderrOf(end)) ?? lastWords(stdoutOf(end));
  const message = `the program ended: ${howEnded(end)}${words === null ? '' : `: ${words}`}`;
  const durationMs = end.kind === 'not-started' ? 0 : end.durationMs;
  const ending = endingOf(end, id, limits, remaining);
  return {
    results:
      outcome === null
        ? new Map()
        : new Map([
            [
              binary.name,
              {
                outcome,
                message: outcome === 'passed' ? null : message,
                at: null,
                durationMs,
                broken: null,
              },
            ],
          ]),
    ending,
    over: ending !== null,
    end,
    reached: marker !== null && printed.includes(marker) ? [binary.name] : [],
    notes: [],
  };
}

function outcomeOf(end: ProcessEnd): 'passed' | 'failed' | 'crashed' | 'timeout' | null {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? 'passed' : 'failed';
    case 'signalled':
      return 'crashed';
    case 'timeout':
      return 'timeout';
    default:
      return null;
  }
}

function endingOf(
  end: ProcessEnd,
  test: string,
  { testMs, stepMs }: ProcessRequest['limits'],
  remaining: number,
): Ending | null {
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'not-started': {
      const message = `${test} could not be started: ${end.code} ${end.message}`;
      const cause = { stage: 'configure', file: null, line: null, message } as const;
      return { kind: 'broken', causes: [cause] };
    }
    case 'out-of-memory':
      return { kind: 'out-of-memory', limitBytes: end.limitBytes, test };
    case 'timeout':
      return testMs <= remaining
        ? { kind: 'timeout', limit: 'test', limitMs: testMs, test }
        : { kind: 'timeout', limit: 'step', limitMs: stepMs, test };
    default:
      return null;
  }
}
