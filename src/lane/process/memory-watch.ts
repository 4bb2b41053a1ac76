/** Watches what a run has in memory. By sampling: an rlimit would show as a MemoryError in a test, a false flip. */
import type { Members } from './members.js';
import { proportionalBytes, residentBytes } from './proc.js';

export interface MemoryWatch {
  /** The most that a sample showed, in bytes. */
  readonly peak: () => number;
  readonly stop: () => void;
}

/** One look, in bytes. */
export interface MemorySample {
  /** Of each process, added up. */
  readonly resident: number;
  /** What counts: shared pages once, where that was found out. */
  readonly counted: number;
}

/** 0.5 to 3 ms a look. A page writer at 2.6 GB/s overshoots by 170 MB at 250 ms, by 60 MB at 100 ms. */
const CALM_MS = 100;
/** Huge pages fill at 9 GB/s: 693 MB too much at 100 ms, 57 MB at 20 ms. */
const ALERT_MS = 20;
/** The confirmation takes about 10 ms a GB. */
const BETWEEN_CONFIRMATIONS_MS = 200;

/**
 * Calls `onExceeded` once, with the bytes in use as confirmed by the kernel's proportional sizes.
 *
 * @param onSample called after each look, before anything follows from it
 */
export function watchMemory(
  members: Members,
  limitBytes: number,
  onExceeded: (bytes: number) => void,
  onSample: (sample: MemorySample) => void = () => undefined,
): MemoryWatch {
  let peak = 0;
  let stopped = false;
  let nextConfirmation = 0;
  let timer: NodeJS.Timeout;

  const sample = async (): Promise<void> => {
    const pids = members.look().map((member) => member.pid);
    const resident = sum(pids.map(residentBytes));
    let bytes = resident;
    if (bytes > limitBytes) {
      // Shared pages were counted once for each process: a fork server with its children.
      if (performance.now() >= nextConfirmation) {
        bytes = sum(await Promise.all(pids.map(proportionalBytes)));
        nextConfirmation = performance.now() + BETWEEN_CONFIRMATIONS_MS;
      } else {
        bytes = Math.min(bytes, limitBytes);
      }
    }
    peak = Math.max(peak, bytes);
    onSample({ resident, counted: bytes });
    if (stopped) return;
    if (bytes > limitBytes) {
      stopped = true;
      onExceeded(bytes);
      return;
    }
    schedule(bytes > limitBytes / 2 ? ALERT_MS : CALM_MS);
  };
  const schedule = (ms: number): void => {
    timer = setTimeout(() => void sample(), ms);
  };
  schedule(ALERT_MS);

  return {
    peak: () => peak,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
