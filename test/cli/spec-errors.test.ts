import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, MINUS, specOf } from '../support/calc.js';
import { counterproof, createProject, eachOf, prove, verdicts } from '../support/project.js';

const FAULTY = `version: 1
lane: unti
mutations:
  - id: same
    file: calc.py
    replace: { find: "1", with: "2" }
  - id: none
    file: calc.py
    flips: [t.py::x]
  - id: two
    file: calc.py
    replace: { find: "1", with: "2" }
    raise: true
    flips: [t.py::x]
  - id: absolute
    file: /etc/passwd
    replace: { find: "1", with: "2" }
    flips: [t.py::x]
  - id: outside
    file: ../calc.py
    replace: { find: "1", with: "2" }
    flips: [t.py::x]
  - id: cut #1
    file: calc.py
    replace: { find: "1", with: "2" }
    flips: [t.py::x]
  - id: misspelt
    file: calc.py
    replcae: { find: "1", with: "2" }
    flips: [t.py::x]
`;

const EXPECTED = [
  ['mutations/a.yaml:2:7', 'there is no lane `unti`', '    lane: unti\n          ^~~~\n'],
  ['mutations/a.yaml:4:9', '`same` does not say which tests flip', '^~~~'],
  ['mutations/a.yaml:7:9', 'no edit is declared', '^~~~'],
  ['mutations/a.yaml:13:5', '`replace` and `raise` are two edits', '^~~~'],
  ['mutations/a.yaml:16:11', 'the path is absolute', '^~~~'],
  ['mutations/a.yaml:20:11', 'the path leads out of the tree', '^~~~'],
  ['mutations/a.yaml:23:13', 'YAML takes this for a comment', '^~'],
  ['mutations/a.yaml:29:5', 'replcae', 'Did you mean `replace`?'],
  ['mutations/b.yml:4:9', 'the id `same` is taken', 'It is already at mutations/a.yaml:4:9'],
  ['mutations/empty.yaml:2:1', 'the file declares no mutation', '^~~~'],
  ['mutations/quote.yaml:', 'a quote is opened and not closed', ''],
] as const;

describe('specs that cannot be meant', () => {
  it('are told all at once, by place, line and caret, before anything is touched', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'mutations/a.yaml': FAULTY,
      'mutations/b.yml': specOf(MINUS.replace('minus', 'same')),
      'mutations/empty.yaml': 'version: 1\nmutations: []\n',
      'mutations/quote.yaml': 'version: 1\nmutations:\n  - id: "open\n',
    });
    const before = project.snapshot();
    const results = await eachOf(project, [['run', '--json'], ['check']]);
    for (const { exitCode, stdout, stderr } of results) {
      expect(exitCode).toBe(2);
      expect(stdout).toBe('');
      for (const [place, message, hint] of EXPECTED) {
        const block = stderr.split('\n\n').find((each) => each.startsWith(place)) ?? '';
        expect(block, `${place} in\n${stderr}`).toContain(message);
        expect(`${block}\n`).toContain(hint);
      }
    }
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain', '--ignored')).toBe('');
  });

  it('are named as they open from where the person stands', async () => {
    const project = createProject({ ...CALC, ...CONFIG, 'mutations/a.yaml': FAULTY, 'sub/x': '' });
    const { stderr } = await counterproof(project, ['run'], { cwd: `${project.folder}/sub` });
    expect(stderr).toContain('../mutations/a.yaml:2:7');
  });
});

describe('a configuration that cannot be meant', () => {
  const table: readonly (readonly [string, string, RegExp])[] = [
    [
      'counterproof.yaml',
      'version: 1\nlanes:\n  unit: { runner: pytset }\n',
      /^counterproof\.yaml:3:19 {2}`pytset` .*\n.*\n +\^~~~~~\n.*Did you mean `pytest`\?/,
    ],
    [
      'counterproof.yaml',
      'version: 1\nlanes: { unit: { runner: pytest } }\ndefaults: { lane: nuit }\n',
      /^counterproof\.yaml:3:\d+ .*nuit/,
    ],
    [
      'counterproof.yaml',
      'version: 1\nlanes: { unit: { runner: pytest, sleect: x } }\n',
      /sleect[^]*Did you mean `select`\?/,
    ],
    ['counterproof.yaml', 'version: 1\nlanes: [\n', /^counterproof\.yaml:\d+:\d+ /],
    [
      'counterproof.yaml',
      'version: 9\nlanes: { unit: { runner: pytest } }\n',
      /^counterproof\.yaml:1:10 .*version 1/,
    ],
    [
      'pyproject.toml',
      '[tool.counterproof]\nversion = 1\n[tool.counterproof.lanes.unit]\nrunner = "pytset"\n',
      /^pyproject\.toml:4:\d+ {2}`pytset`[^]*Did you mean `pytest`\?/,
    ],
    ['pyproject.toml', '[tool.counterproof]\nversion = \n', /^pyproject\.toml:2:\d+ /],
  ];
  it('is told by place, and ends with 2', async () => {
    const project = createProject({});
    for (const [index, [file, text]] of table.entries())
      project.write({ [`p${index}/${file}`]: text, [`p${index}/mutations/a.yaml`]: specOf(MINUS) });
    const results = await eachOf(
      project,
      table.map((_, index) => ['run', '-C', `p${index}`]),
    );
    for (const [index, [, text, message]] of table.entries()) {
      const { exitCode, stdout, stderr = '' } = results[index] ?? {};
      expect({ text, exitCode, stdout }).toEqual({ text, exitCode: 2, stdout: '' });
      expect(stderr.replace(`p${index}/`, '')).toMatch(message);
    }
  });
});

describe('where the configuration stands', () => {
  it('is [tool.counterproof] in pyproject.toml as well', async () => {
    const project = createProject({
      ...CALC,
      'pyproject.toml':
        '[tool.counterproof]\nversion = 1\n[tool.counterproof.lanes.unit]\nrunner = "pytest"\nargs = ["-k", "add"]\n',
      'mutations/a.yaml': specOf(MINUS),
    });
    const run = await prove(project);
    expect(verdicts(run)).toEqual({ minus: 'pinned' });
    expect(run.record.lanes[0]).toMatchObject({ name: 'unit', selected: 1 });
  });

  it('may be nowhere: then one lane is pytest as it is', async () => {
    const project = createProject({
      ...CALC,
      'mutations/a.yaml': `version: 1\nmutations:\n${MINUS}`,
    });
    const run = await prove(project);
    expect(run.exitCode).toBe(0);
    expect(verdicts(run)).toEqual({ minus: 'pinned' });
    expect(run.record.lanes).toMatchObject([{ selected: 2, deselected: 0 }]);
  });
});
