import { expect, it } from 'vitest';
import { refusal } from '../../src/engine/isolation.js';

it.each([
  [
    "the slot's process ended with exit code 1: unshare: unshare failed: Operation not permitted",
    'namespaces are refused here (unshare: unshare failed: Operation not permitted)',
  ],
  [
    "the slot's process ended with exit code 1: unshare: mount /proc failed: Operation not permitted",
    'namespaces are refused here (unshare: mount /proc failed: Operation not permitted)',
  ],
  [
    "the slot's process could not be started: spawn setpriv ENOENT",
    'setpriv is not installed (it belongs to util-linux)',
  ],
  [
    "the slot's process ended with exit code 127: counterproof-slot: 6: mount: not found",
    'mount is not installed (it belongs to util-linux)',
  ],
  [
    "the slot's process ended with exit code 32: mount: /home/u/tree: wrong fs type, bad option\n       dmesg(1) may have more information after failed mount system call.",
    'the overlay cannot be mounted (mount: /home/u/tree: wrong fs type, bad option)',
  ],
  [
    'files cannot be changed in an overlay here: no',
    'files cannot be changed in an overlay here: no',
  ],
])('says in one line what a person can act upon: %s', (error, line) => {
  expect(refusal(error)).toBe(line);
});
