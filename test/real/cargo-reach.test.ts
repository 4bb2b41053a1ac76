/** "No test gets there" is said only where each that does would have been seen. */
import { expect, it } from 'vitest';
import { createProject, prove, type Files } from '../support/project.js';
import { swap } from '../support/specs.js';

const FILES: Files = {
  '.gitignore': 'target/\nCargo.lock\n',
  'Cargo.toml': '[package]\nname = "reach"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': `/// \`\`\`should_panic
/// reach::refuses(1);
/// \`\`\`
pub fn refuses(x: u32) {
    if x > 0 {
        panic!("no");
    }
}

pub fn printed() -> u32 {
    3
}

pub fn uncalled() -> u32 {
    4
}

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic]
    fn swallows() {
        super::refuses(1);
    }

    #[test]
    fn passes() {}
}
`,
  'src/main.rs': 'fn main() {\n    println!("{}", reach::printed());\n}\n',
  'tests/it.rs': `#[test]
fn starts_it() {
    let _ = std::process::Command::new(env!("CARGO_BIN_EXE_reach")).output().unwrap();
}
`,
};

const SURVIVORS = [
  swap('refuses', 'src/lib.rs', ['"no"', '"never"'], { flips: 'any' }),
  swap('printed', 'src/lib.rs', ['    3', '    33'], { flips: 'any' }),
  swap('uncalled', 'src/lib.rs', ['    4', '    44'], { flips: 'any' }),
];

it('who swallows a panic, or starts a program, is not said to get nowhere', async () => {
  const lanes = {
    unit: { runner: 'cargo', targets: ['lib'] },
    started: { runner: 'cargo', targets: ['tests'] },
    docs: { runner: 'cargo', targets: ['doc'] },
  };
  const project = createProject({
    ...FILES,
    'counterproof.yaml': JSON.stringify({ version: 1, lanes }),
    ...Object.fromEntries(
      Object.keys(lanes).map((lane) => [
        `mutations/${lane}.yaml`,
        JSON.stringify({
          version: 1,
          lane,
          mutations: SURVIVORS.map((each) => ({ ...each, id: `${lane}-${each.id}` })),
        }),
      ]),
    ),
  });
  const run = await prove(project, ['run']);

  const reach = Object.fromEntries(run.record.proofs.map((proof) => [proof.id, proof.reach]));
  const states = Object.fromEntries(
    Object.entries(reach).map(([id, found]) => [id, found?.state ?? null]),
  );
  expect(states).toEqual({
    'unit-refuses': 'reached',
    'unit-printed': 'unreached',
    'unit-uncalled': 'unreached',
    'started-refuses': 'unreached',
    'started-printed': 'unknown',
    'started-uncalled': 'unreached',
    'docs-refuses': 'unknown',
    'docs-printed': 'unknown',
    'docs-uncalled': 'unknown',
  });
  expect(reach['started-printed']).toMatchObject({
    why: 'it is built into reach, which a test may start without showing what it prints',
  });
  expect(reach['docs-refuses']).toMatchObject({
    why: 'a doctest of reach::doc may get there and pass, of which rustdoc shows nothing',
  });
});
