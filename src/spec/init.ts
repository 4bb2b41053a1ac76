/** What `counterproof init` writes: a configuration and first specs, all commented. */
import type { ProjectKinds } from './implicit-lanes.js';

const PYTEST_LANE = `  unit:
    runner: pytest

    # pytest's marker expression (-m). Without it, every test is selected.
    # select: "not slow"

    # Where tests are collected. Without it, pytest decides.
    # paths: ["tests"]

    # Starts pytest. Without it, the interpreter of the project is found.
    # command: ["python", "-m", "pytest"]
`;

const CARGO_LANE = `  crate:
    runner: cargo

    # Packages whose tests are run. Without it, cargo decides.
    # packages: ["my-crate"]

    # What of them is run: lib, bins, tests, doc, or test:NAME. Without it, lib, bins and tests.
    # targets: [lib, "test:decoder"]

    # A part of a test's path. Without it, every test is selected.
    # select: "decoder::"

    # A lint that is an error in the project stops a mutant from compiling, unless it is capped.
    # capLints: warn
`;

const LIMITS = `
    # Limits that end a step. The defaults grow with the baseline.
    # limits: { step: "10m", test: "60s", memory: "4GiB" }

    # 1, where tests share a port, a database or a device.
    # slots: 1
`;

/** Text of a first counterproof.yaml. */
export function initialConfig({ pytest, cargo }: ProjectKinds): string {
  const lanes = [
    ...(pytest ? [PYTEST_LANE + LIMITS] : []),
    ...(cargo ? [pytest ? CARGO_LANE : CARGO_LANE + LIMITS] : []),
  ];
  return `# Lanes and defaults of Counterproof. Every field: docs/spec-format.md
version: 1

lanes:
  # A lane is a named way to build, select and run tests. The name is yours.
${lanes.join('\n')}
defaults:
  lane: ${pytest ? 'unit' : 'crate'}
`;
}

interface Words {
  readonly lane: string;
  readonly other: string;
  readonly file: string;
  readonly find: string;
  readonly with: string;
  readonly test: string;
  readonly function: string;
}

const PYTHON: Words = {
  lane: 'unit',
  other: 'tests/test_other.py',
  file: 'src/example.py',
  find: 'return total',
  with: 'return 0',
  test: 'tests/test_example.py::test_total',
  function: 'def total',
};

const RUST: Words = {
  lane: 'crate',
  other: 'my-crate other::tests',
  file: 'src/example.rs',
  find: 'total + 1',
  with: 'total',
  test: 'my-crate example::tests::total_counts_one_more',
  function: 'fn total',
};

const specText = (
  words: Words,
): string => `# Each mutation is an edit, with the tests that must notice it. Every field: docs/spec-format.md
version: 1
about: "An example: put your own file, text and tests in."
lane: ${words.lane}

# Tests that must not move under any mutation of this file.
# controls: ["${words.other}"]

mutations:
  - id: ${words === RUST ? 'example-rust' : 'example'}
    why: "What would go wrong if this line were different."
    file: "${words.file}"
    replace:
      find: "${words.find}"
      with: "${words.with}"
    flips: ["${words.test}"]

  # Proves that the lane can fail at all: something must flip when this function raises.
  - id: ${words === RUST ? 'alive-rust' : 'alive'}
    role: liveness
    file: "${words.file}"
    within: "${words.function}"
    raise: true
`;

/** First specs by file name: one for each lane of `initialConfig`. */
export const initialSpecs = ({
  pytest,
  cargo,
}: ProjectKinds): Readonly<Record<string, string>> => ({
  ...(pytest ? { 'example.yaml': specText(PYTHON) } : {}),
  ...(cargo ? { [pytest ? 'example-rust.yaml' : 'example.yaml']: specText(RUST) } : {}),
});
