/** A crate and a Python package in one folder, as where Python calls into Rust. */
import type { Files } from './project.js';

/** The line of `self.seen += 1;`. */
export const COUNT_LINE = 11;

export const TWO_LANGUAGES: Files = {
  'Cargo.toml': '[package]\nname = "jail"\nversion = "0.1.0"\nedition = "2021"\n',
  'Cargo.lock': 'version = 4\n\n[[package]]\nname = "jail"\nversion = "0.1.0"\n',
  'src/lib.rs': `pub struct Decoder {
    seen: u32,
}

impl Decoder {
    pub fn new() -> Self {
        Decoder { seen: 0 }
    }

    pub fn step(&mut self) -> u32 {
        self.seen += 1;
        self.log();
        self.seen
    }

    fn log(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(Decoder::new().step(), 1);
    }

    #[test]
    fn starts_at_zero() {
        assert_eq!(Decoder::new().seen, 0);
    }
}
`,
  'pyproject.toml': '[project]\nname = "jail"\nversion = "0.1.0"\n',
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'test_calc.py': 'from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n',
};

/** One spec for both lanes. */
export const BOTH = `version: 1
mutations:
  - id: never-counts
    lane: crate
    file: src/lib.rs
    within: ["impl Decoder", "fn step"]
    patch: |
      @@
      -        self.seen += 1;
    flips: ["tests::counts"]
    controls: ["jail tests::starts_at_zero", { lane: unit, tests: "test_calc.py" }]
  - id: alive-rust
    lane: crate
    role: liveness
    file: src/lib.rs
    within: "fn step"
    raise: true
  - id: minus
    lane: unit
    file: calc.py
    replace: { find: "a + b", with: "a - b" }
    flips: ["test_calc.py::test_add"]
  - id: alive-python
    lane: unit
    role: liveness
    file: calc.py
    within: "def add"
    raise: true
`;
