/** Chooses the display by the stream it is for. */
import { type LookRequest, lookFor } from '../look.js';
import { type Display, type Ticker, liveDisplay, plainDisplay, silentDisplay } from './display.js';

export type { Display, Ticker } from './display.js';

/** The part of stderr that a display needs. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressOptions extends Pick<LookRequest, 'env' | 'platform' | 'color'> {
  readonly stream: ProgressStream;
  /** `-q` or `--no-progress`. */
  readonly silent: boolean;
  readonly ticker: Ticker;
}

/** The process's own clock; its timers do not keep the process alive. */
export const systemTicker: Ticker = {
  now: () => performance.now(),
  every(ms, callback) {
    const timer = setInterval(callback, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Shows a run on `stream`: moving on a terminal, line by line in a pipe or on a dumb terminal. */
export function createProgress(options: ProgressOptions): Display {
  if (options.silent) return silentDisplay();
  const { stream, ticker } = options;
  const isTTY = stream.isTTY === true;
  const display = {
    write: (text: string): void => void stream.write(text),
    // Asked anew each time: a terminal changes its width while a run goes on.
    look: () => lookFor({ ...options, isTTY, columns: isTTY ? stream.columns : undefined }),
    ticker,
  };
  return isTTY && options.env['TERM'] !== 'dumb' ? liveDisplay(display) : plainDisplay(display);
}
