import { describe, expect, it } from 'vitest';
import { answerOf, changesTold, createFix, testsTold } from '../support/fixes.js';
import { prove, type Files } from '../support/project.js';

const CRATE: Files = {
  '.gitignore': 'target/\n',
  'Cargo.toml': '[package]\nname = "jail"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 4\n\n[[package]]\nname = "jail"\nversion = "0.1.0"\n',
  'counterproof.yaml': JSON.stringify({
    version: 1,
    lanes: { jail: { runner: 'cargo', limits: { test: '3s' } } },
  }),
};

const BEFORE = `pub fn count(n: i64) -> i64 {
    let mut n = n;
    while n != 0 {
        n -= 2;
    }
    n
}

pub fn deep(n: u64) -> u64 {
    if n == 1 {
        1
    } else {
        deep(n + 1) + 1
    }
}

pub fn shout(s: &str) -> String {
    s.to_uppercase()
}

pub fn tail(s: &str) -> &str {
    &s[1..]
}
`;

const AFTER = `fn clean(s: &str) -> &str {
    s.trim()
}

/// Counts down.
pub fn count(n: i64) -> i64 {
    let mut n = n;
    while n > 0 {
        n -= 2;
    }
    n
}

pub fn deep(n: u64) -> u64 {
    if n == 1 {
        1
    } else {
        deep(n - 1) + 1
    }
}

pub fn shout(s: &str) -> String {
    clean(s).to_uppercase()
}

pub fn tail(s: &str) -> &str {
    &s[s.len() - 1..]
}
`;

const inside = (more: string): string => `
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shouts() {
        assert_eq!(shout("a"), "A");
    }
${more}}
`;

const MORE = `
    #[test]
    fn cleans() {
        assert_eq!(shout(" a "), "A");
    }

    #[test]
    fn stops() {
        assert_eq!(count(3), -1);
    }
`;

describe('prove on a crate whose tests stand inside the source', () => {
  it('joins what does not compile alone, and names what hangs, overflows and passes without the fix', async () => {
    const project = createFix(
      { ...CRATE, 'src/lib.rs': BEFORE + inside('') },
      {
        'src/lib.rs': AFTER + inside(MORE),
        'tests/deep.rs':
          '#[test]\nfn goes_down() {\n    assert_eq!(jail::deep(3), 3);\n}\n\n#[test]\nfn quiet() {\n    assert_eq!(jail::shout("b"), "B");\n}\n',
      },
    );
    const before = project.snapshot();
    const run = await prove(project, ['prove']);
    expect(changesTold(run)).toEqual([
      '1 src/lib.rs:1 held with 4 by cleans',
      '2 src/lib.rs:8 held by stops',
      '3 src/lib.rs:18 held by deep goes_down',
      '4 src/lib.rs:23 held by cleans',
      '5 src/lib.rs:27 unheld',
    ]);
    expect(answerOf(run)).toMatchObject({
      overall: 'partly-held',
    });
    expect(answerOf(run).changes[0]).toMatchObject({ joinedBy: 'name', names: ['clean'] });
    expect(
      answerOf(run)
        .changes.filter((change) => change.class !== 'source')
        .map(({ file, why }) => `${file}: ${why}`),
    ).toEqual(['src/lib.rs: compiled for tests alone', 'tests/deep.rs: integration test']);
    expect(testsTold(run)).toEqual([
      'new cleans failed',
      'new stops timeout',
      'new deep goes_down crashed',
      'new deep quiet passed',
    ]);
    expect(run.exitCode).toBe(1);
    expect(project.snapshot()).toEqual(before);
  });

  it('rests on the parts where the tests use a new name, so that the whole does not compile', async () => {
    const project = createFix(
      {
        ...CRATE,
        'src/lib.rs':
          'pub fn half(n: u32) -> u32 {\n    n / 3\n}\n\npub fn same(n: u32) -> u32 {\n    n\n}\n',
      },
      {
        'src/lib.rs':
          'pub fn half(n: u32) -> u32 {\n    n / 2\n}\n\npub fn same(n: u32) -> u32 {\n    n\n}\n\npub fn fresh() -> u32 {\n    1\n}\n',
        'tests/half.rs':
          '#[test]\nfn halves() {\n    assert_eq!(jail::half(4), 2);\n}\n\n#[test]\nfn is_fresh() {\n    assert_eq!(jail::fresh(), 1);\n}\n',
      },
    );
    const run = await prove(project, ['prove']);
    expect(answerOf(run)).toMatchObject({
      overall: 'not-measurable',
      reason: 'The tests hold hunk 1. There is no evidence about hunk 2.',
      whole: {
        state: 'not-measurable',
        reason: 'the tests use `fresh` by name, so without it they fail whatever it does',
      },
    });
    expect(testsTold(run)).toEqual(['new half halves failed', 'new half is_fresh broken']);
    expect(run.exitCode).toBe(3);
  });
});

describe('prove on a workspace', () => {
  it('tells equal tests of two packages apart, and those of a library, a program and a module elsewhere', async () => {
    const manifest = (name: string, more = '') =>
      `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;
    const tests = (text: string) =>
      `\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn checks() {\n        ${text};\n    }\n}\n`;
    const project = createFix(
      {
        ...CRATE,
        'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
        'Cargo.lock':
          'version = 4\n\n[[package]]\nname = "a"\nversion = "0.1.0"\n\n[[package]]\nname = "b"\nversion = "0.1.0"\n',
        'a/Cargo.toml': manifest('a'),
        'a/src/lib.rs': 'pub fn half(n: u32) -> u32 {\n    n / 3\n}\n',
        'a/src/main.rs': 'fn main() {}\n',
        'b/Cargo.toml': manifest('b', '[[test]]\nname = "odd"\npath = "checks/strange.rs"\n'),
        'b/src/lib.rs': '#[path = "elsewhere/inner.rs"]\npub mod inside;\n',
        'b/src/elsewhere/inner.rs': 'pub fn half(n: u32) -> u32 {\n    n / 3\n}\n',
        'b/checks/strange.rs': '',
      },
      {
        'a/src/lib.rs': `pub fn half(n: u32) -> u32 {\n    n / 3\n}\n${tests('assert_eq!(super::half(0), 0)')}`,
        'a/src/main.rs': `fn main() {}\n${tests('assert_eq!(a::half(3), 1)')}`,
        'b/src/lib.rs': `#[path = "elsewhere/inner.rs"]\npub mod inside;\n${tests('assert_eq!(crate::inside::half(0), 0)')}`,
        'b/src/elsewhere/inner.rs': `pub fn half(n: u32) -> u32 {\n    n / 2\n}\n${tests('assert_eq!(super::half(4), 2)')}`,
        'b/checks/strange.rs':
          '#[test]\nfn checks() {\n    assert_eq!(b::inside::half(4), 2);\n}\n',
      },
    );
    const run = await prove(project, ['prove']);
    expect(answerOf(run).tests.map(({ test, withoutFix }) => `${test} ${withoutFix}`)).toEqual([
      'a tests::checks passed',
      'a::bin/a tests::checks passed',
      'b::odd checks failed',
      'b inside::tests::checks failed',
      'b tests::checks passed',
    ]);
    expect(changesTold(run)).toEqual(['1 b/src/elsewhere/inner.rs:2 held by checks, odd checks']);
    expect(run.exitCode).toBe(1);
  });
});

describe('prove on two modules of a crate', () => {
  const red = '    #[test]\n    fn red() {\n        panic!("before and after");\n    }\n';
  const module = (body: string, tests: string) =>
    `${body}\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${red}${tests}}\n`;
  const strip = (a: string, b: string, c: string) =>
    `pub fn strip(s: &str) -> &str {\n    let a = ${a};\n    let _ = 1;\n    let b = ${b};\n    let _ = 2;\n    ${c}\n}\n`;

  it('names what nothing holds, and what only holds together; what was red stays what it was', async () => {
    const project = createFix(
      {
        ...CRATE,
        'src/lib.rs': 'pub mod one;\npub mod two;\n',
        'src/one.rs': module(strip('s', 'a', 'b'), ''),
        'src/two.rs': module('pub fn half(n: u32) -> u32 {\n    n / 3\n}\n', ''),
      },
      {
        'src/one.rs': module(
          strip('s.trim()', 'a.trim()', 'b.trim()'),
          '\n    #[test]\n    fn strips() {\n        assert_eq!(strip(" a "), "a");\n    }\n',
        ),
        'src/two.rs': module('pub fn half(n: u32) -> u32 {\n    n / 2\n}\n', ''),
      },
    );
    const run = await prove(project, ['prove']);
    expect(changesTold(run)).toEqual([
      '1 src/one.rs:2 held with 2+3 by strips',
      '2 src/one.rs:4 held with 1+3 by strips',
      '3 src/one.rs:6 held with 1+2 by strips',
      '4 src/two.rs:2 unheld',
    ]);
    expect(testsTold(run)).toEqual(['new strips failed']);
    expect(run.record.lanes[0]?.preExisting.map(({ test }) => test)).toEqual([
      'jail one::tests::red',
      'jail two::tests::red',
    ]);
    expect(run.exitCode).toBe(1);
  });

  it('has no evidence where the tests go with the module, nor a fix whose tests were loosened', async () => {
    const project = createFix(
      {
        ...CRATE,
        'src/lib.rs': module(
          'pub fn half(n: u32) -> u32 {\n    n / 3\n}\n',
          '\n    #[test]\n    fn halves() {\n        assert_eq!(half(3), 1);\n    }\n',
        ),
      },
      {
        'src/lib.rs': module(
          'pub fn half(n: u32) -> u32 {\n    n / 2\n}\n',
          '\n    #[test]\n    fn halves() {\n        assert!(half(3) > 0);\n    }\n',
        ),
      },
    );
    const loosened = await prove(project, ['prove']);
    expect(answerOf(loosened)).toMatchObject({ overall: 'unheld', whole: { state: 'unheld' } });
    expect(testsTold(loosened)).toEqual(['changed halves passed']);
    expect(loosened.exitCode).toBe(1);

    project.write({
      'src/lib.rs': `pub mod fresh;\n\n${project.read('src/lib.rs').toString()}`,
      'src/fresh.rs': module(
        'pub fn one() -> u32 {\n    1\n}\n',
        '\n    #[test]\n    fn is_one() {\n        assert_eq!(one(), 1);\n    }\n',
      ),
    });
    project.git('add', '-A');
    project.git('commit', '-qm', 'add');
    const added = await prove(project, ['prove', 'HEAD']);
    expect(changesTold(added)).toEqual([
      '1 src/fresh.rs not-measurable',
      '2 src/lib.rs:1 not-measurable',
    ]);
    expect(answerOf(added).changes[1]?.reason).toBe(
      'jail fresh::tests::is_one and 1 more are gone without it, and no other test notices',
    );
    expect(answerOf(added).tests.map(({ test, message }) => `${test}: ${message ?? ''}`)).toEqual([
      'jail fresh::tests::red: failed with the fix',
      'jail fresh::tests::is_one: it is gone without the fix',
    ]);
    expect(added.exitCode).toBe(3);
  });
});
