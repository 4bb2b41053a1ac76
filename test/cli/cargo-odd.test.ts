/** Crates in which a verdict is easily wrong: what was built, what ran, and what a test found from before. */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MutationInput } from '../../src/spec/spec-schema.js';
import { fixture } from '../support/fixtures.js';
import { createProject, prove, verdicts } from '../support/project.js';
import { swap } from '../support/specs.js';

const UNIT: readonly MutationInput[] = [
  // Without its own file the test passes on what the baseline had written.
  swap('kept-file', 'src/lib.rs', ['    1\n', '    2\n'], { flips: ['odd::it keeps_a_file'] }),
  swap('started', 'src/main.rs', ['"tool', '"other'], { flips: ['odd::it starts_the_tool'] }),
  swap('no-text', 'src/lib.rs', ['    0xff', '    0xfe'], { flips: ['tests::no_text'] }),
  swap('in-a-macro', 'macros/src/lib.rs', ['"7"', '"8"'], { flips: ['tests::unwinds'] }),
  swap('behind-a-link', 'src/linked.rs', ['= 9', '= 10'], { flips: ['odd::it starts_the_tool'] }),
  swap('uncalled-behind-a-link', 'src/linked.rs', ['    8', '    9'], { flips: 'any' }),
  // Its build script puts the original back before it is compiled.
  swap('made-again', 'src/made.rs', ['= 1', '= 2'], { flips: ['odd::it made'] }),
];

/** Of these only rustdoc builds the library. */
const DOCS: readonly MutationInput[] = [
  swap('exits-in-a-doctest', 'src/lib.rs', ['    0\n', '    3\n'], {
    flips: ['odd::doc src/lib.rs - code'],
    controls: ['odd::doc src/lib.rs - code #2'],
  }),
  swap('compiles-after-all', 'src/lib.rs', ['kept() -> u32', 'kept() -> u64'], {
    flips: ['odd::doc src/lib.rs - code #2'],
  }),
];

const ALL: readonly MutationInput[] = [
  swap('whatever-a-main-does', 'src/lib.rs', ['    1\n', '    2\n'], { flips: 'any' }),
];

/** After every write: the time of what was built last. */
const OLD_TIMES = `built=$(find "$CARGO_TARGET_DIR" -path '*/odd-*/dep-lib-odd' -printf '%T@ %p\\n' | sort -n | tail -n 1)
if [ -n "$built" ]; then touch -r "\${built#* }" src/lib.rs; fi`;

const host = (): string =>
  /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))?.[1] ?? '';

it('a mutant that is not where one looks for it is proven, or said not to be', async () => {
  const project = createProject({
    ...fixture('cargo/odd'),
    '.gitignore': 'target/\nCargo.lock\n',
    'counterproof.yaml': JSON.stringify({
      version: 1,
      lanes: {
        unit: { runner: 'cargo', packages: 'odd' },
        docs: { runner: 'cargo', packages: 'odd', targets: ['lib', 'doc'], build: OLD_TIMES },
        // More than it names, by what it passes on.
        all: { runner: 'cargo', targets: 'tests', args: ['--workspace'] },
      },
    }),
    'mutations/1.yaml': JSON.stringify({ version: 1, lane: 'unit', mutations: UNIT }),
    'mutations/2.yaml': JSON.stringify({ version: 1, lane: 'docs', mutations: DOCS }),
    'mutations/3.yaml': JSON.stringify({ version: 1, lane: 'all', mutations: ALL }),
  });
  symlinkSync('../shared/linked.rs', join(project.folder, 'src/linked.rs'));
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'second');
  const before = project.snapshot();
  const OWN_STARTED = join(project.state, 'started');

  // Everything lies one folder deeper for a target that is named.
  const env = { CARGO_BUILD_TARGET: host(), OWN_STARTED };
  const run = await prove(project, ['run'], { env });

  expect(verdicts(run)).toEqual({
    'kept-file': 'pinned',
    started: 'pinned',
    'no-text': 'pinned',
    'in-a-macro': 'pinned',
    'behind-a-link': 'pinned',
    'uncalled-behind-a-link': 'survived',
    'exits-in-a-doctest': 'pinned',
    'compiles-after-all': 'pinned',
    'made-again': 'tree-touched',
    'whatever-a-main-does': 'broken',
  });
  for (const id of ['in-a-macro', 'behind-a-link', 'uncalled-behind-a-link'])
    expect(run.proof(id).loaded.proof).toBe('rebuilt');
  expect(run.proof('no-text').flips.expected[0]?.message).toMatch(/^[\x20-\x7e]*$/);
  expect(run.proof('whatever-a-main-does').reason).toContain('own::harness has `harness = false`');
  expect(existsSync(OWN_STARTED)).toBe(false);
  expect(project.snapshot()).toEqual(before);
});
