/**
 * Code that no build holds, although its file is in the build: a test can neither hold nor miss
 * it. Beside each edit that is left out stands one that only looks as if it were.
 */
import { expect, it } from 'vitest';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const LIB = `//! A crate.

/// As a caller sees it:
///
/// \`\`\`
/// assert_eq!(left_out::in_a_doctest!(), 6);
/// \`\`\`
#[macro_export]
macro_rules! in_a_doctest {
    () => {
        5 + 1
    };
}

macro_rules! unused {
    () => {
        7
    };
}

macro_rules! used {
    () => {
        8
    };
}

#[cfg(feature = "off")]
pub fn by_feature() -> u32 {
    9
}

#[cfg(not(feature = "off"))]
pub fn without_it() -> u32 {
    10
}

pub fn statement() -> u32 {
    let mut sum = 11;
    #[cfg(target_os = "none")]
    {
        sum += 12;
    }
    #[cfg(not(target_os = "none"))]
    {
        sum += 13;
    }
    sum + used!()
}

#[cfg(feature = "off")]
pub fn appears() {}

#[cfg(test)]
mod tests {
    pub fn helper() -> u32 {
        14
    }

    #[test]
    fn passes() {
        super::statement();
    }
}
`;

const FILES = {
  '.gitignore': 'target/\nCargo.lock\n',
  'Cargo.toml':
    '[package]\nname = "left-out"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\noff = []\n',
  'src/lib.rs': LIB,
  'tests/it.rs': '#[test]\nfn it() {\n    left_out::statement();\n}\n',
};

const ANY = { flips: 'any' } as const;
const FILE = 'src/lib.rs';

const MUTATIONS: readonly MutationInput[] = [
  swap('feature', FILE, ['    9', '    90'], ANY),
  swap('feature-on', FILE, ['    10', '    100'], ANY),
  swap('statement', FILE, ['sum += 12', 'sum += 120'], ANY),
  swap('statement-on', FILE, ['sum += 13', 'sum += 130'], ANY),
  swap('macro', FILE, ['        7', '        70'], ANY),
  swap('macro-on', FILE, ['        8', '        80'], ANY),
  swap('nobody-moves', FILE, ['    9', '    90'], { flips: 'none' }),
  swap('liveness', FILE, ['    9', '    90'], { role: 'liveness' }),
  swap('gate-goes', FILE, ['#[cfg(feature = "off")]\npub fn appears', 'pub fn appears'], ANY),
];

const LEFT_OUT = ['feature', 'statement', 'macro', 'nobody-moves', 'liveness'];

it('edited code that is in no build is not loaded, whatever its file is', async () => {
  const project = createProject({
    ...FILES,
    ...config({ runner: 'cargo', targets: ['lib'] }),
    ...spec(MUTATIONS),
  });
  const before = project.snapshot();
  const run = await prove(project, ['run']);

  expect(verdicts(run)).toEqual(
    Object.fromEntries(
      MUTATIONS.map(({ id }) => [id, LEFT_OUT.includes(id) ? 'not-loaded' : 'survived']),
    ),
  );
  expect(run.proof('feature').facts[0]).toBe(
    'not seen to be loaded: src/lib.rs: the edited code is not compiled here: #[cfg(feature = "off")]',
  );
  expect(run.proof('macro').facts[0]).toContain('nothing expands this rule of `unused!`');
  expect(run.proof('feature').reach).toBeNull();
  expect(run.proof('statement-on').reach).toMatchObject({ state: 'reached' });
  for (const id of LEFT_OUT) expect(run.proof(id).loaded.proof).toBe('none');
  expect(project.snapshot()).toEqual(before);
});

it('each target of a lane has its own builds: of tests, and of what a doctest compiles', async () => {
  const project = createProject({
    ...FILES,
    'counterproof.yaml': JSON.stringify({
      version: 1,
      lanes: {
        it: { runner: 'cargo', targets: ['tests'] },
        docs: { runner: 'cargo', targets: ['lib', 'doc'] },
      },
    }),
    'mutations/it.yaml': JSON.stringify({
      version: 1,
      lane: 'it',
      mutations: [
        swap('helper', FILE, ['        14', '        140'], ANY),
        swap('doctest-not-run', FILE, ['5 + 1', '1 + 5'], ANY),
      ],
    }),
    'mutations/docs.yaml': JSON.stringify({
      version: 1,
      lane: 'docs',
      mutations: [
        swap('helper-on', FILE, ['        14', '        140'], ANY),
        swap('doctest', FILE, ['5 + 1', '1 + 5'], ANY),
      ],
    }),
  });
  const run = await prove(project, ['run']);

  expect(verdicts(run)).toEqual({
    helper: 'not-loaded',
    'doctest-not-run': 'not-loaded',
    'helper-on': 'survived',
    doctest: 'survived',
  });
  expect(run.proof('helper').facts[0]).toContain('#[cfg(test)]');
});
