/** What is put into a function compiles, in every edition, with and without std, where each warning is an error. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitLines } from '../../src/mutation/lines.js';
import { RUST_REACH, raiseInRust } from '../../src/mutation/rust-raise.js';

/** Every line that ends in `{ //` begins a function to raise in. */
const FUNCTIONS = `
pub fn plain(a: u8) -> u8 { //
    a + 1
}
pub fn unit() { //
}
pub const fn constant(a: u8) -> u8 { //
    a
}
pub const COMPUTED: usize = core::mem::size_of::<u8>();
pub fn never() -> ! { //
    loop {}
}
pub fn opaque() -> impl Iterator<Item = u8> { //
    (0..3).map(|x| x)
}
pub fn generic<T: Clone>(t: &T) -> T { //
    t.clone()
}
pub unsafe fn raw(p: *const u8) -> u8 { //
    unsafe_read(p)
}
fn unsafe_read(p: *const u8) -> u8 { //
    unsafe { *p }
}
pub fn moved(s: &mut u8) -> &mut u8 { //
    *s = 1;
    s
}
pub fn attributed() -> u8 { //
    #![allow(unused_variables)]
    let x = 1;
    5
}
pub fn closures() -> u8 {
    let f = |x: u8| { //
        x + 1
    };
    let g = move || -> u8 { //
        2
    };
    f(1) + g()
}
pub fn late() -> u8 { //
    let x;
    x = 3;
    x
}
pub fn negative(a: i8) -> i8 { //
    -a
}
pub fn pair() -> (u8, u8) { //
    (1, 2)
}
pub fn array() -> [u8; 1] { //
    [1]
}
pub fn reference(a: &u8) -> &u8 { //
    &*a
}
pub fn recursive(n: u8) -> u8 { //
    if n == 0 { 0 } else { recursive(n - 1) }
}
pub extern "C" fn foreign() { //
}
pub trait Default2 {
    fn given(&self) -> u8 { //
        1
    }
    fn required(&self) -> Self
    where
        Self: Sized;
}
pub struct Unit;
impl Drop for Unit {
    fn drop(&mut self) { //
    }
}
impl Unit {
    #[inline]
    #[must_use]
    pub fn new() -> Self { //
        Unit
    }
    pub fn labelled(&self) -> u8 { //
        'a: loop {
            break 'a 1;
        }
    }
}
pub mod inner {
    pub mod core {
    }
    pub fn beside_a_module_of_that_name() -> u8 { //
        4
    }
}
`;

const ASYNC = `
pub async fn waiting(a: u8) -> u8 { //
    a
}
`;

/** The source with the reach statement in each of its functions. */
function raisedEverywhere(source: string): string {
  const marks = source.split('\n').flatMap((line, at) => (line.endsWith('{ //') ? [at] : []));
  return marks.reduceRight((text, at) => {
    // A closure counts from inside its block.
    const line = /\|/.test(text.split('\n')[at] ?? '') ? at + 1 : at;
    const raised = raiseInRust(splitLines(Buffer.from(text)), line, RUST_REACH);
    if (!raised.ok) throw new Error(raised.error);
    return raised.value.toString();
  }, source);
}

const hasRustc = spawnSync('rustc', ['--version']).status === 0;

describe.skipIf(!hasRustc)('the panic at the head of a function', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cp-rustc-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function compile(source: string, edition: string): string {
    const file = join(folder, 'lib.rs');
    writeFileSync(file, source);
    const how = ['--edition', edition, '--crate-type', 'lib', '--emit', 'metadata'];
    const args = [...how, '--color', 'never', '-o', join(folder, 'out'), file];
    const { status, stderr } = spawnSync('rustc', args, { encoding: 'utf8' });
    return status === 0 ? '' : stderr;
  }

  const table = ['2015', '2018', '2021', '2024'].flatMap((edition) =>
    ['', '#![no_std]\n'].map((head) => [edition, head] as const),
  );
  test.each(table)('compiles in edition %s with the head %j', (edition, head) => {
    const body = edition === '2015' ? FUNCTIONS : FUNCTIONS + ASYNC;
    const source = `${head}#![deny(warnings, unused, unreachable_code)]\n${body}`;
    const raised = raisedEverywhere(source);
    expect(raised.split(RUST_REACH).length).toBeGreaterThan(24);
    expect(compile(raised, edition)).toBe('');
  });

  test('a panic alone would not', () => {
    const alone = 'panic!("x");';
    const source = `#![deny(warnings)]\n${FUNCTIONS}`;
    const raised = raisedEverywhere(source).replaceAll(RUST_REACH, alone);
    expect(compile(raised, '2021')).toContain('unreachable');
  });
});
