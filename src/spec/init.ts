/** What `counterproof init` writes: a configuration and a first spec, both commented. */

/** Text of a first counterproof.yaml. */
export const initialConfig =
  (): string => `# Lanes and defaults of Counterproof. Every field: docs/spec-format.md
version: 1

lanes:
  # A lane is a named way to select and run tests. The name is yours.
  unit:
    runner: pytest

    # pytest's marker expression (-m). Without it, every test is selected.
    # select: "not slow"

    # Where tests are collected. Without it, pytest decides.
    # paths: ["tests"]

    # Starts pytest. Without it, the interpreter of the project is found.
    # command: ["python", "-m", "pytest"]

    # Limits that end a step. The defaults grow with the baseline.
    # limits: { step: "10m", test: "60s", memory: "4GiB" }

    # 1, where tests share a port, a database or a device.
    # slots: 1

defaults:
  lane: unit
`;

/** Text of a first mutations/example.yaml. */
export const initialSpec =
  (): string => `# Each mutation is an edit, with the tests that must notice it. Every field: docs/spec-format.md
version: 1
about: "An example: put your own file, text and tests in."
lane: unit

# Tests that must not move under any mutation of this file.
# controls: ["tests/test_other.py"]

mutations:
  - id: example
    why: "What would go wrong if this line were different."
    file: "src/example.py"
    replace:
      find: "return total"
      with: "return 0"
    flips: ["tests/test_example.py::test_total"]

  # Proves that the lane can fail at all: something must flip when this function raises.
  - id: alive
    role: liveness
    file: "src/example.py"
    within: "def total"
    raise: true
`;
