/** Which lanes may have a warm interpreter at all, as far as can be told before one is started. */
import path from 'node:path';
import type { PytestLane } from '../../../spec/model.js';
import type { CommandFacts } from '../arguments.js';

/** Below it a lane is done before a server has paid for its start and its comparison with a cold run. */
const LEAST_MUTATIONS = 4;
/** Of the address of a Unix socket, without its terminating NUL. */
const SOCKET_PATH_BYTES = 107;

export interface Circumstances {
  readonly platform: NodeJS.Platform;
  readonly lane: Pick<PytestLane, 'warm'>;
  readonly command: CommandFacts;
  /** Mutations that are to be measured in the lane. */
  readonly ahead: number;
  /** Folder of the step, in which the sockets would lie. */
  readonly scratch: string;
}

/**
 * Only on Linux: a child is found by its environment in /proc, and forks of a process that has
 * loaded system frameworks are not safe on macOS. Only where the command is pytest itself: what
 * stands between us and the interpreter would have to be forked along.
 */
export function isEligible(circumstances: Circumstances): boolean {
  const { platform, lane, command, ahead, scratch } = circumstances;
  return (
    platform === 'linux' &&
    lane.warm === 'auto' &&
    ahead >= LEAST_MUTATIONS &&
    command.kind === 'pytest' &&
    isPlainPytest(command.command) &&
    Buffer.byteLength(path.join(scratch, 'cp', 'control')) <= SOCKET_PATH_BYTES
  );
}

/** `pytest …` or `python [options] -m pytest …`: the process that is started is the interpreter. */
export function isPlainPytest([first, ...rest]: readonly [string, ...string[]]): boolean {
  const name = path.basename(first);
  if (/^(pytest|py\.test)$/.test(name)) return true;
  if (!/^python[\d.]*$/.test(name)) return false;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '-m') return /^(pytest|py\.test)$/.test(rest[at + 1] ?? '');
    if (word === '-X' || word === '-W') at += 1;
    else if (!word.startsWith('-') || word === '-c' || word === '-') return false;
  }
  return false;
}
