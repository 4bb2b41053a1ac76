/** What a cargo lane leaves out and may notice an edit is said by every command. */
import { describe, expect, it } from 'vitest';
import { answerOf, createFix } from '../support/fixes.js';
import { createProject, prove, type Files } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

const manifest = (name: string, more = ''): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;

const CRATE: Files = {
  '.gitignore': 'target/\n',
  'Cargo.toml': manifest('jail'),
  'Cargo.lock': 'version = 4\n\n[[package]]\nname = "jail"\nversion = "0.1.0"\n',
};

const lib = (body: string, example: string): string => `/// Doubles.
///
/// \`\`\`
/// assert_eq!(jail::double(2), 4);
${example}/// \`\`\`
pub fn double(x: u32) -> u32 {
    ${body}
}

pub fn other() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    #[test]
    fn others() {
        assert_eq!(super::other(), 1);
    }
}
`;

const DOCTESTS =
  'doctests of jail: there may be some, and the lane has no `doc` (`targets: [lib, bins, tests, doc]` in a lane of counterproof.yaml runs them)';

const TRY = ['try', 'src/lib.rs:7', '--replace', 'x * 2', '--with', 'x * 3'];

describe('doctests that the lane does not run', () => {
  it('are named by `try`, also as what a survivor may need, and notice where the lane has them', async () => {
    const files = { ...CRATE, 'src/lib.rs': lib('x * 2', '') };
    const run = await prove(createProject(files), TRY);
    const [proof] = run.record.proofs;
    expect(proof).toMatchObject({ verdict: 'survived', reach: { state: 'unreached' } });
    expect(run.record.notVerified).toContain(DOCTESTS);
    expect(proof?.next).toEqual([
      'write a test that gets to the edited function; or run first what the lane leaves out: doctests of jail',
    ]);

    const lane = { runner: 'cargo', targets: ['lib', 'bins', 'tests', 'doc'] };
    const yaml = JSON.stringify({ version: 1, lanes: { all: lane } });
    const whole = await prove(createProject({ ...files, 'counterproof.yaml': yaml }), TRY);
    expect(whole.record.proofs[0]).toMatchObject({ verdict: 'pinned' });
    expect(whole.record.notVerified.join('\n')).not.toContain('doctest');
  });

  it('are named by `run`', async () => {
    const project = createProject({
      ...CRATE,
      'src/lib.rs': lib('x * 2', ''),
      ...config({ runner: 'cargo', targets: ['lib'] }),
      ...spec([
        swap('noticed', 'src/lib.rs', ['    1\n', '    2\n'], { flips: ['tests::others'] }),
      ]),
    });
    const { record } = await prove(project, ['run']);
    expect(record.proofs[0]).toMatchObject({ verdict: 'pinned' });
    expect(record.notVerified).toContain(
      'doctests of jail: there may be some, and the lane has no `doc` (`targets: [lib, doc]` in the lane runs them)',
    );
  });

  it('are no comments to `prove`', async () => {
    const project = createFix(
      { ...CRATE, 'src/lib.rs': lib('x * 2', '') },
      { 'src/lib.rs': lib('x.saturating_mul(2)', '/// assert_eq!(jail::double(!0), !0);\n') },
    );
    const run = await prove(project, ['prove']);
    const stays = answerOf(run).changes.find((change) => change.class === 'other');
    expect(stays).toMatchObject({ line: 5, why: 'doctest, which the lane does not run' });
    expect(answerOf(run)).toMatchObject({ overall: 'unheld' });
    expect(run.record.notVerified).toContain(DOCTESTS);
    expect(run.record.notVerified).toContain(
      'changed doctests, as the lane has no `doc` among its `targets`: src/lib.rs',
    );
  });
});

describe('members of a workspace that depend on the edited one', () => {
  const WORKSPACE: Files = {
    '.gitignore': 'target/\n',
    'Cargo.toml': '[workspace]\nmembers = ["core", "app", "tested"]\nresolver = "2"\n',
    'core/Cargo.toml': manifest('core_of'),
    'core/src/lib.rs': 'pub fn value() -> u32 {\n    2\n}\n',
    'core/tests/it.rs': '#[test]\nfn calls() {\n    core_of::value();\n}\n',
    'app/Cargo.toml': manifest('app', '[dependencies]\ncore_of = { path = "../core" }\n'),
    'app/src/lib.rs': '#[test]\nfn notices() {\n    assert_eq!(core_of::value(), 2);\n}\n',
    'tested/Cargo.toml': manifest('tested', '[dev-dependencies]\ncore_of = { path = "../core" }\n'),
    'tested/src/lib.rs': '',
  };
  const EDIT = ['try', 'core/src/lib.rs:2', '--replace', '2', '--with', '3'];

  it('are named with the command that runs them, which is true', async () => {
    const project = createProject(WORKSPACE);
    const alone = await prove(project, EDIT);
    expect(alone.record.proofs[0]).toMatchObject({ verdict: 'survived' });
    expect(alone.record.notVerified).toContain(
      'tests of app, tested: they depend on core_of, and are not in the lane (`-- --workspace` behind `try` and `prove`, or `packages: [core_of, app, tested]` in a lane of counterproof.yaml, runs them)',
    );
    expect(alone.record.proofs[0]?.next[0]).toContain(
      'or run first what the lane leaves out: tests of app, tested',
    );

    const all = await prove(project, [...EDIT, '--', '--workspace']);
    expect(all.record.proofs[0]).toMatchObject({ verdict: 'pinned' });
    expect(all.record.notVerified.join('\n')).not.toContain('tests of');

    const lane = { runner: 'cargo', packages: ['core_of', 'app', 'tested'] };
    project.write({
      'core/counterproof.yaml': JSON.stringify({ version: 1, lanes: { all: lane } }),
    });
    const named = await prove(project, EDIT);
    expect(named.record.proofs[0]).toMatchObject({ verdict: 'pinned' });
  });

  it('are told where `[patch]` puts the edited one in place of what they name', async () => {
    const dep = {
      'Cargo.toml': manifest('dep'),
      'src/lib.rs': 'pub fn value() -> u32 {\n    2\n}\n',
    };
    const under = (folder: string, files: Files): Files =>
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
    const checksum = { '.cargo-checksum.json': '{"files":{},"package":null}' };
    const project = createProject({
      '.gitignore': 'target/\n',
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "here"\n\n[source.here]\ndirectory = "vendor"\n',
      'Cargo.toml':
        '[workspace]\nmembers = ["dep", "renames", "behind", "apart"]\nresolver = "2"\n\n[patch.crates-io]\ndep = { path = "dep" }\n',
      ...under('dep', dep),
      'dep/tests/it.rs': '#[test]\nfn calls() {\n    dep::value();\n}\n',
      ...under('vendor/dep', { ...dep, ...checksum }),
      ...under('vendor/mid', {
        'Cargo.toml': manifest('mid', '[dependencies]\ndep = "0.1"\n'),
        'src/lib.rs': 'pub use dep::value;\n',
        ...checksum,
      }),
      ...under('renames', {
        'Cargo.toml': manifest(
          'renames',
          '[target."cfg(unix)".build-dependencies]\nother = { package = "dep", version = "0.1" }\n',
        ),
        'build.rs': 'fn main() {\n    println!("cargo:rustc-env=VALUE={}", other::value());\n}\n',
        'src/lib.rs': '#[test]\nfn notices() {\n    assert_eq!(env!("VALUE"), "2");\n}\n',
      }),
      ...under('behind', {
        'Cargo.toml': manifest('behind', '[dev-dependencies]\nmid = "0.1"\n'),
        'src/lib.rs': '#[test]\nfn notices() {\n    assert_eq!(mid::value(), 2);\n}\n',
      }),
      ...under('apart', { 'Cargo.toml': manifest('apart'), 'src/lib.rs': '' }),
    });
    const edit = EDIT.map((word) => word.replace('core/', 'dep/'));
    const alone = await prove(project, edit);
    expect(alone.record.proofs[0]).toMatchObject({ verdict: 'survived' });
    expect(alone.record.notVerified.join('\n')).toContain(
      'tests of renames, behind: they depend on dep, and are not in the lane',
    );

    const all = await prove(project, [...edit, '--', '--workspace']);
    expect(all.record.proofs[0]).toMatchObject({ verdict: 'pinned' });
    expect(all.record.proofs[0]?.flips.expected.map(({ test }) => test).toSorted()).toEqual([
      'behind notices',
      'renames notices',
    ]);
  });
});
