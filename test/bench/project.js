// @ts-check
/** A project whose tests cost next to nothing, so that what is measured is ours and pytest's. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Functions in the project, and tests: one each. */
const SIZE = 24;

/**
 * @param {number} mutations how many the spec declares, each with one test that flips
 * @returns {string} the project's folder
 */
export function createProject(mutations) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cp-bench-'));
  const numbers = Array.from({ length: SIZE }, (_, index) => index);
  const files = {
    'counterproof.yaml': 'version: 1\nlanes: { unit: { runner: pytest } }\n',
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
    'calc.py': numbers.map((n) => `def f${n}(a):\n    return a + ${n + 1}\n`).join('\n\n'),
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
  return folder;
}

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
