import { describe, expect, test } from 'vitest';
import { explain } from '../../../src/lane/cargo/explain.js';
import { panicOf } from '../../../src/lane/cargo/panic.js';
import { sourcePlace } from '../../../src/lane/cargo/source-place.js';

const NOTE = 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace';

describe('what a failing test said', () => {
  test.each([
    [
      'a panic',
      `\nthread 't' (2413) panicked at src/lib.rs:10:5:\nit is late\n${NOTE}`,
      { message: 'it is late', at: { file: 'src/lib.rs', line: 10 } },
    ],
    [
      'before threads had numbers',
      `thread 't' panicked at src/lib.rs:10:5:\nit is late\n${NOTE}`,
      { message: 'it is late', at: { file: 'src/lib.rs', line: 10 } },
    ],
    [
      'in one line, before Rust 1.73',
      `thread 't' panicked at 'it is late', src/lib.rs:10:5\n${NOTE}`,
      { message: 'it is late', at: { file: 'src/lib.rs', line: 10 } },
    ],
    [
      'an assertion with both sides',
      "thread 't' (1) panicked at a b/ü.rs:3:9:\nassertion `left == right` failed: 3 events\n  left: 4\n right: 5",
      {
        message: 'assertion `left == right` failed: 3 events (left: 4, right: 5)',
        at: { file: 'a b/ü.rs', line: 3 },
      },
    ],
    [
      'a text of several lines',
      "thread 't' (1) panicked at src/lib.rs:1:1:\nfirst\nleft: not compared\n right: neither",
      { message: 'first', at: { file: 'src/lib.rs', line: 1 } },
    ],
    [
      'its own panic before that of another thread',
      "thread '<unnamed>' (2) panicked at src/a.rs:1:1:\ninner\n\nthread 't' (1) panicked at src/b.rs:2:2:\nouter\n\nthread 'x' (3) panicked at src/c.rs:3:3:\nlast",
      { message: 'outer', at: { file: 'src/b.rs', line: 2 } },
    ],
    [
      'the panic of another thread, where there is no own',
      "thread '<unnamed>' (2) panicked at src/a.rs:1:1:\ninner",
      { message: 'inner', at: { file: 'src/a.rs', line: 1 } },
    ],
    [
      'an error that was returned',
      'debug output\nError: "no"',
      { message: 'Error: "no"', at: null },
    ],
    [
      'a should_panic that did not',
      'note: test did not panic as expected at src/lib.rs:23:32',
      { message: 'test did not panic as expected', at: { file: 'src/lib.rs', line: 23 } },
    ],
    ['nothing', '', { message: null, at: null }],
    [
      'an empty message',
      "thread 't' (1) panicked at src/lib.rs:1:1:\n",
      { message: null, at: { file: 'src/lib.rs', line: 1 } },
    ],
  ])('%s', (_what, captured, expected) => {
    expect(panicOf(captured, 't')).toEqual(expected);
  });

  test('what libtest wrote down outweighs what the test printed', () => {
    const reason = 'test did not panic as expected at src/my lib.rs:23:32';
    expect(
      explain(
        't',
        { name: 't', outcome: 'failed', reason },
        "thread 't' panicked at x.rs:1:1:\nfake",
      ),
    ).toEqual({
      message: 'test did not panic as expected',
      at: { file: 'src/my lib.rs', line: 23 },
    });
    const other =
      'panic did not contain expected string\n  panic message: "a"\n expected substring: "b"';
    expect(
      explain(
        't',
        { name: 't', outcome: 'failed', reason: other },
        "thread 't' (1) panicked at x.rs:4:1:\na",
      ),
    ).toEqual({
      message: other,
      at: { file: 'x.rs', line: 4 },
    });
  });
});

describe('the place of a panic', () => {
  const folders = { root: '/r/crates', workspace: '/r' };
  test.each([
    ['crates/a/src/lib.rs', 'a/src/lib.rs:7'],
    ['/r/crates/b/src/lib.rs', 'b/src/lib.rs:7'],
    ['other/src/lib.rs', 'other/src/lib.rs:7'],
    ['/rustc/abc/library/core/src/option.rs', '/rustc/abc/library/core/src/option.rs:7'],
  ])('%s is %s', (file, shown) => {
    expect(sourcePlace({ file, line: 7 }, folders)).toBe(shown);
  });
});
