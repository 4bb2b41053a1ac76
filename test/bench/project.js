// @ts-check
/** Projects whose tests cost little, so that what is measured is the tools' and pytest's own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Functions in the project, and tests: one each. */
export const SIZE = 24;

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
 * @param {string} [options.config] `counterproof.yaml`
 * @returns {BenchProject}
 */
export function createProject({ mutations, imports = '', config = PYTEST_LANE }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cp-bench-'));
  const numbers = Array.from({ length: SIZE }, (_, index) => index);
  const source = `${imports}${numbers.map(functionText).join('\n\n')}`;
  const files = {
    'counterproof.yaml': config,
    '.gitignore': '__pycache__/\n.pytest_cache/\n.hypothesis/\nmutants/\n',
    'calc.py': source,
    'test_calc.py': `import calc\n\n\n${numbers
      .map((n) => `def test_f${n}():\n    assert calc.f${n}(1) == ${n + 2}\n`)
      .join('\n\n')}`,
    'mutations/calc.yaml': specText(mutations),
  };
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
  return {
    folder,
    source,
    mutant(index) {
      const n = index % SIZE;
      return source.replace(functionText(n), functionText(n).replace('+', '-'));
    },
  };
}

const PYTEST_LANE = 'version: 1\nlanes: { unit: { runner: pytest } }\n';

/** @param {number} n */
const functionText = (n) => `def f${n}(a):\n    return a + ${n + 1}\n`;

/** @param {number} count */
function specText(count) {
  const mutations = Array.from({ length: count }, (_, index) => {
    const n = index % SIZE;
    return `  - id: m${index}
    file: calc.py
    within: "def f${n}(a):"
    replace: { find: "a + ${n + 1}", with: "a - ${n + 1}" }
    flips: ["test_calc.py::test_f${n}"]
`;
  });
  return `version: 1\nlane: unit\nmutations:\n${mutations.join('')}`;
}
