// @ts-check
/** Projects whose tests cost little, so that what is measured is the tools' and pytest's own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Functions in the project, and tests: one each. */
export const SIZE = 24;

const NUMBERS = Array.from({ length: SIZE }, (_, n) => n);

/**
 * @typedef {object} BenchProject
 * @property {string} folder
 * @property {string} source `calc.py` as it stands
 * @property {(index: number) => string} mutant `calc.py` as mutation `index` makes it
 */

/**
 * @param {object} options
 * @param {number} options.mutations how many the spec declares, each with one test that flips
 * @param {string} [options.imports] lines at the head of the module
 * @returns {BenchProject}
 */
export function createProject({ mutations, imports = '' }) {
  const source = `${imports}${NUMBERS.map(functionText).join('\n\n')}`;
  const folder = createRepository({
    'counterproof.yaml': PYTEST_LANE,
    '.gitignore': '__pycache__/\n.pytest_cache/\n.hypothesis/\nmutants/\n',
    'calc.py': source,
    'test_calc.py': `import calc\n\n\n${NUMBERS.map(
      (n) => `def test_f${n}():\n    assert calc.f${n}(1) == ${n + 2}\n`,
    ).join('\n\n')}`,
    'mutations/calc.yaml': specText(mutations, editOfFunction),
  });
  return {
    folder,
    source,
    mutant(index) {
      const n = index % SIZE;
      return source.replace(functionText(n), functionText(n).replace('+', '-'));
    },
  };
}

/**
 * A project whose tests are a file that the lane copies, and that its mutations edit: each is
 * applied, measured and pinned as anywhere, by a test run that costs next to nothing.
 *
 * @param {number} mutations how many the spec declares
 * @returns {string} its folder
 */
export const createCopiedProject = (mutations) =>
  createRepository({
    'counterproof.yaml': COPYING_LANE,
    'results.xml': `<testsuite>\n${NUMBERS.map((n) => `${caseText(n)}/>\n`).join('')}</testsuite>\n`,
    'mutations/results.yaml': specText(mutations, editOfResult),
  });

/** @param {Readonly<Record<string, string>>} files */
function createRepository(files) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cp-bench-'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'bench'],
  ])
    execFileSync('git', args, { cwd: folder });
  return folder;
}

const PYTEST_LANE = 'version: 1\nlanes: { unit: { runner: pytest } }\n';

const COPYING_LANE = `version: 1
lanes:
  unit:
    runner: junit
    command: [cp, results.xml, "{report}"]
    report: "{report}"
`;

/** @param {number} n */
const functionText = (n) => `def f${n}(a):\n    return a + ${n + 1}\n`;

/** @param {number} n */
const caseText = (n) => `<testcase classname="calc" name="f${n}"`;

/** @param {number} n */
const editOfFunction = (n) => `    file: calc.py
    within: "def f${n}(a):"
    replace: { find: "a + ${n + 1}", with: "a - ${n + 1}" }
    flips: ["test_calc.py::test_f${n}"]
`;

/** @param {number} n */
const editOfResult = (n) => `    file: results.xml
    replace: { find: '${caseText(n)}/>', with: '${caseText(n)}><failure/></testcase>' }
    flips: ["calc::f${n}"]
`;

/**
 * @param {number} count
 * @param {(n: number) => string} edit
 */
function specText(count, edit) {
  const mutations = Array.from({ length: count }, (_, n) => `  - id: m${n}\n${edit(n % SIZE)}`);
  return `version: 1\nlane: unit\nmutations:\n${mutations.join('')}`;
}
