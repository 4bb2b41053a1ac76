/** Cargo lanes that are stopped in the midst, and two of them at once: neither tree nor build keeps a mutant. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { allGone, processesOf, until, workerOf } from '../support/processes.js';
import {
  counterproof,
  createProject,
  prove,
  startCli,
  verdicts,
  type Files,
  type TestProject,
} from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

/** Stops where `$GATE/hold` says so: the n-th time that a build script, or a test, comes by. */
const GATE = `use std::process::Command;
pub fn pass(what: &str) {
    if let Some(gate) = std::env::var_os("GATE") {
        let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gate.sh");
        let status = Command::new("sh").arg(script).arg(what).env("GATE", gate).status();
        assert!(status.unwrap().success());
    }
}
`;

const FILES: Files = {
  'Cargo.toml': '[package]\nname = "gated"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 4\n\n[[package]]\nname = "gated"\nversion = "0.1.0"\n',
  'build.rs':
    '#[path = "gate.rs"]\nmod gate;\n\nfn main() {\n    println!("cargo:rerun-if-changed=src");\n    gate::pass("compile");\n}\n',
  'gate.rs': GATE,
  'gate.sh': `echo "$1" >> "$GATE/passed"
count=$(grep -cx "$1" "$GATE/passed")
[ "$1 $count" = "$(cat "$GATE/hold")" ] || exit 0
: > "$GATE/held"
read answer < "$GATE/go"
`,
  'src/lib.rs': `#[cfg(test)]
#[path = "../gate.rs"]
mod gate;

pub fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        super::gate::pass("run");
        assert_eq!(super::add(2, 2), 4);
        assert_eq!(super::add(2, 3), 5);
    }

    #[test]
    fn of_nothing() {
        assert_eq!(super::add(0, 0), 0);
    }
}
`,
  ...config({ runner: 'cargo', targets: 'lib', limits: { step: '10m', test: '10m' } }),
  ...spec([
    swap('times', 'src/lib.rs', ['a + b', 'a * b'], {
      flips: ['tests::adds'],
      controls: ['tests::of_nothing'],
    }),
  ]),
};

interface Gate {
  readonly env: Readonly<Record<string, string>>;
  readonly held: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/** @param hold `compile 2`: the build of the first mutant; `run 2`: its tests */
function openGate(project: TestProject, hold: string): Gate {
  const folder = join(dirname(project.folder), 'gate');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  execFileSync('mkfifo', [join(folder, 'go')]);
  writeFileSync(join(folder, 'hold'), hold);
  return {
    env: { GATE: folder },
    held: () => until(() => existsSync(join(folder, 'held'))),
    release: () => writeFile(join(folder, 'go'), 'on\n'),
  };
}

const dateBack = (project: TestProject): void =>
  utimesSync(join(project.folder, 'src/lib.rs'), 1_577_836_800, 1_577_836_800);

/** An overlay would leave nothing in the tree that could have to come back. */
const IN_PLACE = ['run', '--isolation', 'in-place'];

const isMutant = (folder: string): boolean =>
  readFileSync(join(folder, 'src/lib.rs'), 'utf8').includes('a * b');

it('Ctrl-C while a mutant builds or runs, and kill -9 of everything, leave the original in tree and build', async () => {
  const project = createProject(FILES);
  dateBack(project);
  const before = project.snapshot();

  for (const hold of ['compile 2', 'run 2']) {
    const gate = openGate(project, hold);
    const { child, ended } = await startCli(project, [...IN_PLACE, '--json'], { env: gate.env });
    await gate.held();
    expect(isMutant(project.folder)).toBe(true);
    child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode, stderr).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      complete: false,
      stopped: 'interrupted by SIGINT',
      proofs: [{ verdict: 'incomplete' }],
    });
    expect(processesOf(project)).toEqual([]);
    expect(project.snapshot()).toEqual(before);
  }

  for (const hold of ['compile 2', 'run 2']) {
    // The original gets its old time back with its inode, and the mutant's build is newer.
    dateBack(project);
    const gate = openGate(project, hold);
    const { child, ended } = await startCli(project, IN_PLACE, { env: gate.env });
    await gate.held();
    for (const pid of [child.pid ?? 0, workerOf(project)]) process.kill(pid, 'SIGKILL');
    await ended;
    expect(isMutant(project.folder)).toBe(true);

    const next = await prove(project, IN_PLACE);
    expect(next.stderr).toContain('src/lib.rs');
    expect(verdicts(next)).toEqual({ times: 'pinned' });
    expect(next.exitCode).toBe(0);
    await allGone(project);
    expect(project.snapshot()).toEqual(before);
  }
});

it('two worktrees with the same packages run at once, and never each other’s mutant', async () => {
  const project = createProject(FILES);
  const before = project.snapshot();
  const other = join(dirname(project.folder), 'zweiter Baum');
  project.git('worktree', 'add', '-q', '--detach', other);
  const gate = openGate(project, 'run 2');
  // A folder that both are told to share, as people do.
  const shared = { CARGO_TARGET_DIR: join(project.state, 'shared') };
  const { child, ended } = await startCli(project, [...IN_PLACE, '--json'], {
    env: { ...gate.env, ...shared },
  });
  await gate.held();

  const second = await counterproof(project, ['run', '--json']);
  expect(second).toMatchObject({ exitCode: 2, stdout: '' });
  expect(second.stderr).toContain(
    `counterproof run --isolation in-place --json (pid ${String(child.pid)}`,
  );
  const elsewhere = await prove(project, IN_PLACE, { cwd: other, env: shared });
  expect(verdicts(elsewhere)).toEqual({ times: 'pinned' });
  expect(elsewhere.record.lanes).toMatchObject([
    { baseline: { counts: { passed: 2 } }, closing: { equal: true } },
  ]);
  expect([isMutant(project.folder), isMutant(other)]).toEqual([true, false]);

  await gate.release();
  const { exitCode, stdout } = await ended;
  expect(exitCode, stdout).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ proofs: [{ verdict: 'pinned' }] });
  expect(project.snapshot()).toEqual(before);
  const targets = fastGlob.sync('**/cargo/unit/target', {
    cwd: project.state,
    onlyDirectories: true,
  });
  expect(targets).toHaveLength(2);
  expect(existsSync(shared.CARGO_TARGET_DIR)).toBe(false);
});
