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

/** What an example names. */
export interface ExampleWords {
  readonly about: string;
  readonly lane: string;
  readonly other: string;
  readonly file: string;
  readonly find: string;
  readonly with: string;
  readonly test: string;
  readonly function: string;
}

const PYTHON: ExampleWords = {
  about: 'An example: put your own file, text and tests in.',
  lane: 'unit',
  other: 'tests/test_other.py',
  file: 'src/example.py',
  find: 'return total',
  with: 'return 0',
  test: 'tests/test_example.py::test_total',
  function: 'def total',
};

const RUST: ExampleWords = {
  about: 'An example: put your own file, text and tests in.',
  lane: 'crate',
  other: 'my-crate other::tests',
  file: 'src/example.rs',
  find: 'total + 1',
  with: 'total',
  test: 'my-crate example::tests::total_counts_one_more',
  function: 'fn total',
};

const specText = (
  words: ExampleWords,
  idEnd: string,
): string => `# Each mutation is an edit, with the tests that must notice it. Every field: docs/spec-format.md
version: 1
about: "${words.about}"
lane: ${JSON.stringify(words.lane)}

# Tests that must not move under any mutation of this file.
# controls: ["${words.other}"]

mutations:
  - id: example${idEnd}
    why: "What would go wrong if this line were different."
    file: ${JSON.stringify(words.file)}
    replace:
      find: ${JSON.stringify(words.find)}
      with: ${JSON.stringify(words.with)}
    flips: [${JSON.stringify(words.test)}]

  # Proves that the lane can fail at all: something must flip when this function raises.
  - id: alive${idEnd}
    role: liveness
    file: ${JSON.stringify(words.file)}
    within: ${JSON.stringify(words.function)}
    raise: true
`;

/** What is known of the project itself. */
type Found = Pick<ExampleWords, 'file' | 'find' | 'with' | 'test' | 'function'>;

/** The lane of each kind that an example is for; null: none is. */
export interface ExampleLanes {
  readonly pytest: string | null;
  readonly cargo: string | null;
}

/** Those of `initialConfig`. */
export const initialLanes = ({ pytest, cargo }: ProjectKinds): ExampleLanes => ({
  pytest: pytest ? PYTHON.lane : null,
  cargo: cargo ? RUST.lane : null,
});

/**
 * First specs by file name: one for each of the lanes. One that names nothing of the
 * project is no spec by its name, and says why.
 *
 * @param found a line and a test of Python that are there; null: none was found
 */
export const initialSpecs = (
  { pytest, cargo }: ExampleLanes,
  found: Found | null = null,
): Readonly<Record<string, string>> => ({
  ...(pytest === null ? {} : pythonSpec(pytest, found)),
  ...(cargo === null
    ? {}
    : rustSpec(cargo, pytest === null ? 'example.yaml' : 'example-rust.yaml')),
});

const pythonSpec = (lane: string, found: Found | null): Readonly<Record<string, string>> =>
  found === null
    ? {
        'example.yaml.txt':
          notASpec('example.yaml', NO_EXAMPLE) + specText({ ...PYTHON, lane }, ''),
      }
    : { 'example.yaml': specText({ ...PYTHON, ...found, lane, about: FOUND }, '') };

const rustSpec = (lane: string, name: string): Readonly<Record<string, string>> => ({
  [`${name}.txt`]:
    notASpec(name, 'an example for Rust is not looked for') + specText({ ...RUST, lane }, '-rust'),
});

const FOUND = 'An example from this project: `counterproof run` shows whether the test notices.';
const NO_EXAMPLE = 'no test was found that names a function with a line `return …` of its own';

const notASpec = (name: string, why: string): string =>
  `# Names nothing of this project, and is not run: ${why}.\n# Put your own file, text and tests in, and call it ${name}.\n`;
