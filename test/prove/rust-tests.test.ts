import { describe, expect, test } from 'vitest';
import { innerTests } from '../../src/prove/inner-tests.js';
import { rustTestsIn } from '../../src/prove/rust-tests.js';

const isTestLine = (bytes: Buffer, line: number): boolean =>
  innerTests({ pythonFiles: [] })('src/lib.rs', bytes, line);

const CODE = `pub fn step() -> u32 {
    1
}

#[cfg(not(test))]
fn log() {}

#[cfg(all(test, unix))]
use std::fs;

#[cfg(test)]
// Tests of this file.
mod tests {
    use super::*;

    fn helper() -> u32 {
        1
    }

    #[test]
    #[should_panic(expected = "x")]
    fn counts() {
        assert_eq!(step(), helper());
    }

    mod inner {
        #[tokio::test(flavor = "current_thread")]
        async fn waits() {}
    }
}

#[rstest]
#[case(1)]
fn rows(#[case] a: u32) {}

#[cfg(feature = "test")]
fn latest() {}
`;

describe('the tests inside a Rust file', () => {
  const bytes = Buffer.from(CODE);

  test('have the lines of their items, attributes included', () => {
    const lines = CODE.split('\n');
    const marked = lines.flatMap((line, index) => (isTestLine(bytes, index) ? [line] : []));
    expect(marked).toEqual([
      '#[cfg(all(test, unix))]',
      'use std::fs;',
      ...lines.slice(10, 30),
      '#[rstest]',
      '#[case(1)]',
      'fn rows(#[case] a: u32) {}',
    ]);
  });

  test('are called by the modules around them', () => {
    expect(rustTestsIn(bytes).tests.map(({ name }) => name)).toEqual([
      'tests::counts',
      'tests::inner::waits',
      'rows',
    ]);
  });

  test('are the whole file where it says so at its head', () => {
    const whole = Buffer.from('#![cfg(test)]\n\nfn helper() {}\n');
    expect([0, 1, 2].every((line) => isTestLine(whole, line))).toBe(true);
  });
});
