/** Three ways of showing a run while it runs; all take events and say nothing on stdout. */
import type { RunEvent } from '../../record/events.js';
import type { Look } from '../look.js';
import { heartbeat, lastingLine, plainLine, statusLine } from './line.js';
import { type ProgressState, advance, initialState } from './state.js';

/** Time from outside, so that a test decides when a minute is over. */
export interface Ticker {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Calls back until the answer is called. */
  readonly every: (ms: number, callback: () => void) => () => void;
}

export interface Display {
  readonly emit: (event: RunEvent) => void;
  /** Takes the moving line away. Harmless when called again. */
  readonly close: () => void;
}

export interface DisplayOptions {
  readonly write: (text: string) => void;
  readonly look: () => Look;
  readonly ticker: Ticker;
}

/** At most ten redraws a second: a terminal over a slow line must not hold the run up. */
const FRAME_MS = 100;
const HEARTBEAT_MS = 60_000;
/** Back to the first column, and clear to the end of the line. */
const CLEAR = '\r\u001B[K';

/** One moving line, with finished proofs above it. For a terminal. */
export function liveDisplay({ write, look, ticker }: DisplayOptions): Display {
  let state: ProgressState = initialState(ticker.now());
  let drawnAt = Number.NEGATIVE_INFINITY;
  let frame = 0;
  let drawn = false;
  let closed = false;
  const draw = (): void => {
    if (closed || state.declared === 0 || ticker.now() - drawnAt < FRAME_MS) return;
    write(`${CLEAR}${statusLine(state, look(), ticker.now(), frame)}`);
    drawn = true;
    drawnAt = ticker.now();
  };
  const clear = (): void => {
    if (drawn) write(CLEAR);
    drawn = false;
  };
  const stop = ticker.every(FRAME_MS, () => {
    frame += 1;
    draw();
  });
  const close = (): void => {
    if (closed) return;
    stop();
    clear();
    closed = true;
  };
  return {
    emit(event) {
      if (closed) return;
      state = advance(state, event, ticker.now());
      const line = lastingLine(event, look());
      if (line !== null) {
        clear();
        write(`${line}\n`);
      }
      if (event.type === 'run-finished') close();
      else draw();
    },
    close,
  };
}

/** A line for each thing that is done, and one a minute that says what is running. For a pipe. */
export function plainDisplay({ write, look, ticker }: DisplayOptions): Display {
  let state: ProgressState = initialState(ticker.now());
  const stop = ticker.every(HEARTBEAT_MS, () => write(`${heartbeat(state, ticker.now())}\n`));
  return {
    emit(event) {
      state = advance(state, event, ticker.now());
      const line = plainLine(event, state, look());
      if (line !== null) write(`${line}\n`);
      if (event.type === 'run-finished') stop();
    },
    close: stop,
  };
}

/** For `-q` and `--no-progress`. */
export function silentDisplay(): Display {
  return { emit: () => undefined, close: () => undefined };
}
