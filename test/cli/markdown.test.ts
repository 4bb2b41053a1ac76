import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, specOf } from '../support/calc.js';
import { counterproof, createProject } from '../support/project.js';
import { shapeOf } from '../report/markdown/commonmark.js';

/** Names that real parametrized tests have, and that a comment could take for its own. */
const HOSTILE = [
  '`tick`',
  'a|b',
  '<img src=x onerror=alert(1)>',
  '</details>',
  '@octocat #1 https://example.com',
  '*bold* _em_ ~~gone~~ [link](x)',
  '\\x1b[31mred\\x07',
  'line\\nbreak\\ttab',
  '\\u202eright-to-left\\u200b',
  '``` fence -->',
  'long-' + 'x'.repeat(3000),
];

describe('the Markdown report of a real run', () => {
  it('holds hostile test ids without letting one out, or losing one', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'test_hostile.py': `import pytest
from calc import add

IDS = [${HOSTILE.map((id) => `"${id}"`).join(', ')}]


@pytest.mark.parametrize("name", IDS, ids=IDS)
def test_add(name):
    assert add(1, 1) == 2, name
`,
      'mutations/add.yaml': specOf(`  - id: "a|b \`c\`"
    why: "@everyone <script> | \`\`\`"
    file: calc.py
    replace: { find: "a + b", with: "a - b  # \`\`\` </details> |" }
    flips: ["test_hostile.py::test_add"]
`),
    });
    const { exitCode, stdout } = await counterproof(project, ['run', '--report', 'markdown']);
    expect(exitCode).toBe(0);
    const { faults, seen } = shapeOf(stdout);
    expect(faults).toEqual([]);
    for (const id of ['`tick`', 'a|b', '<img src=x onerror=alert(1)>', '@octocat #1'])
      expect(seen).toContain(`test_hostile.py::test_add[${id}`);
    expect(stdout.length).toBeLessThan(65_536);
  });

  it('stays under the limit of a comment with 300 failing tests, verdict and gaps included', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'test_rows.py': `import pytest
from calc import add


@pytest.mark.parametrize("n", range(300), ids=lambda n: f"row-{n}-" + "y" * 1500)
def test_row(n):
    assert add(n, 1) == n + 1, "z" * 2000
`,
      'mutations/add.yaml': specOf(
        Array.from(
          { length: 2 },
          (_, n) => `  - id: rows-${n}
    file: calc.py
    replace: { find: "a + b", with: "a - b - ${n}" }
    flips: ["test_rows.py::test_row"]
`,
        ).join(''),
      ),
    });
    const { exitCode, stdout } = await counterproof(project, ['run', '--report', 'markdown']);
    expect(exitCode).toBe(0);
    expect(stdout.length).toBeLessThan(65_536);
    expect(shapeOf(stdout).faults).toEqual([]);
    expect(stdout).toMatch(/2 of 2 pinned/);
    expect(stdout).toContain('300 flipped');
    expect(stdout).toContain('### Not verified');
    expect(stdout).toMatch(/^Left out, all of it in the record: the tests that flipped/m);
  });
});
