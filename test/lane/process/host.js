/** A process with a run in it, which ends in the way that its first argument says once it is told to. */
import { createNonce, killAllGroups, runProcess } from './lane/process.js';

const [, , way, pipe] = process.argv;
const script = `trap '' TERM HUP
setsid sh -c 'trap "" TERM HUP; while :; do sleep 600; done' &
echo "$$ $!" > '${pipe}'
while :; do wait; done`;

process.stdin.once('data', () => {
  switch (way) {
    case 'exit':
      process.exit(0);
      break;
    case 'throw':
      throw new Error('on purpose');
    default:
      killAllGroups();
  }
});
const end = await runProcess({
  command: ['sh', '-c', script],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  stdin: null,
  nonce: createNonce(),
  limits: { timeMs: 60_000, memoryBytes: null, outputBytes: 1_000 },
  signal: new AbortController().signal,
});
process.stdout.write(`${end.kind}\n`, () => process.exit());
