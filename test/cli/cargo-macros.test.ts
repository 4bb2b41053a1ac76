/**
 * What a macro is given may be compiled, or counted, or dropped. An edit of which nothing is in
 * any program is not loaded; beside each stands one that only looks like it.
 */
import { expect, it } from 'vitest';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { createProject, prove, verdicts, type Files } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const LIB = `macro_rules! drop_all {
    ($($anything:tt)*) => {};
}

macro_rules! keep {
    ($($anything:tt)*) => { $($anything)* };
}

macro_rules! count {
    ($($one:expr),*) => { <[()]>::len(&[$(count!(@unit $one)),*]) };
    (@unit $one:expr) => { () };
}

#[derive(PartialEq)]
pub enum Level {
    Error,
    Trace,
}

pub const MAX_LEVEL: Level = Level::Error;

macro_rules! trace {
    ($($text:tt)*) => {
        if MAX_LEVEL == Level::Trace {
            println!($($text)*);
        }
    };
}

#[inline(never)]
pub fn dropped(x: usize) -> usize {
    drop_all!(x + 1);
    let name = stringify!(alpha);
    let y = keep!([x, 2]);
    debug_assert!(x < 100, "at most");
    trace!(
        "one {}",
        x,
    );
    drop_all! {
        several
        lines
    }
    let all = [count!(3, 4), name.len(), y[1]];
    drop_all!("\\
        text");
    all[x % 3]
}

#[cfg_attr(feature = "off", inline(never))]
pub fn nothing_links_it(x: usize) -> usize {
    assert!(x < 1000);
    x
}

#[cfg(test)]
mod tests {
    #[test]
    fn gets_there() {
        assert!(super::dropped(1) > 0);
        assert!(super::dropped(2) > 0);
    }
}
`;

const FILES: Files = {
  '.gitignore': 'target/\nCargo.lock\n',
  'Cargo.toml':
    '[package]\nname = "macros"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\noff = []\n',
  'src/lib.rs': LIB,
};

const ANY = { flips: 'any' } as const;
const FILE = 'src/lib.rs';
const edit = (id: string, from: string, to: string): MutationInput =>
  swap(id, FILE, [from, to], ANY);

const EDITS = {
  dropped: edit('dropped', 'x + 1', 'x + 1000'),
  call: edit('call', '    drop_all!(x + 1);\n', ''),
  lines: edit('lines', '        several\n', '        several\n        more\n'),
  text: edit('text', '\n        text"', '\n        other\n        text"'),
  name: edit('name', 'alpha', 'gamma'),
  counted: edit('counted', 'count!(3, 4)', 'count!(30, 4)'),
  kept: edit('kept', '[x, 2]', '[x, 3]'),
  trace: edit('trace', '        "one {}",\n        x,\n', '        "one",\n'),
  assertion: edit('assertion', 'x < 100,', 'x < 1000,'),
  assert: edit('assert', '    debug_assert!(x < 100, "at most");\n', ''),
  attribute: edit('attribute', 'off", inline(never)', 'off", inline'),
  unlinked: edit('unlinked', 'x < 1000', 'x < 10000'),
} as const;

type Expected = Partial<Record<keyof typeof EDITS, 'not-loaded' | 'survived'>>;

const editsOf = (expected: Expected): readonly MutationInput[] =>
  Object.values(EDITS).filter(({ id }) => id in expected);

const project = (profile: string, expected: Expected) =>
  createProject({
    ...FILES,
    ...config({ runner: 'cargo', targets: ['lib'], profile }),
    ...spec(editsOf(expected)),
  });

it('what a macro drops is not loaded', async () => {
  const expected: Expected = {
    call: 'not-loaded',
    lines: 'not-loaded',
    text: 'not-loaded',
    name: 'survived',
    counted: 'not-loaded',
    kept: 'survived',
    assertion: 'survived',
    attribute: 'survived',
    unlinked: 'survived',
  };
  const tree = project('dev', expected);
  const before = tree.snapshot();
  const run = await prove(tree, ['run']);
  expect(verdicts(run)).toEqual(expected);
  const { loaded, reach, facts } = run.proof('lines');
  expect(facts[0]).toBe(
    'not seen to be loaded: src/lib.rs: no program of the build differs by it: what it changes stands in `drop_all!`',
  );
  expect({ loaded: loaded.proof, reach }).toEqual({ loaded: 'none', reach: null });
  expect(run.proof('kept').reach).toMatchObject({ state: 'reached' });
  expect(run.proof('unlinked').reach).toMatchObject({ state: 'unreached' });
  const { 'Cargo.lock': _, ...after } = Object.fromEntries(tree.snapshot());
  expect(after).toEqual(Object.fromEntries(before));
});

it('what a profile takes out of the program is not loaded', async () => {
  const expected: Expected = {
    dropped: 'not-loaded',
    kept: 'survived',
    trace: 'not-loaded',
    assert: 'not-loaded',
    assertion: 'not-loaded',
  };
  expect(verdicts(await prove(project('release', expected), ['run']))).toEqual(expected);
});

it('where the same source gives another program each time, nothing is said of what a macro is given', async () => {
  const run = await prove(
    createProject({
      ...FILES,
      'build.rs': `use std::time::{SystemTime, UNIX_EPOCH};
fn main() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    println!("cargo:rustc-env=BUILT_AT={now}");
}
`,
      'src/lib.rs': `${LIB}\npub const BUILT_AT: &str = env!("BUILT_AT");\n#[test]\nfn knows() {\n    println!("{BUILT_AT}");\n}\n`,
      ...config({ runner: 'cargo', targets: ['lib'] }),
      ...spec([EDITS.dropped, EDITS.kept]),
    }),
    ['run'],
  );
  expect(verdicts(run)).toEqual({ dropped: 'not-loaded', kept: 'not-loaded' });
  expect(run.proof('kept').facts[0]).toBe(
    'not seen to be loaded: src/lib.rs: whether it is compiled cannot be told here: what it changes stands in `keep!`',
  );
});
