/** The smallest project that can be proven: two functions, two tests, a lane, a spec. */
export const CALC = {
  'calc.py': `def add(a, b):
    return a + b


def double(a):
    return a * 2


def unused(a):
    return a - 1
`,
  'test_calc.py': `from calc import add, double


def test_add():
    assert add(2, 3) == 5


def test_double():
    assert double(2) == 4
`,
};

export const CONFIG = {
  'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: pytest } }\n',
};

export const specOf = (mutations: string): string =>
  `version: 1\nlane: unit\nmutations:\n${mutations}`;

export const MINUS = `  - id: minus
    file: calc.py
    replace: { find: "a + b", with: "a - b" }
    flips: ["test_calc.py::test_add"]
`;

export const THRICE = `  - id: thrice
    tags: [slow]
    file: calc.py
    replace: { find: "a * 2", with: "a * 3" }
    flips: ["test_calc.py::test_double"]
`;
