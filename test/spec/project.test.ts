import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/spec/config.js';
import { findProject, findProjectOf } from '../../src/spec/project.js';
import { folderWith } from './support.js';

describe('the root is', () => {
  const table: readonly [
    about: string,
    files: readonly string[],
    root: string,
    config: string | null,
  ][] = [
    [
      'the folder of the nearest configuration',
      ['counterproof.yaml', 'a/counterproof.yaml', 'a/b/c/setup.py'],
      'a',
      'a/counterproof.yaml',
    ],
    ['that of a configuration named .yml', ['counterproof.yml'], '.', 'counterproof.yml'],
    [
      'that of a configuration above a nearer project file',
      ['counterproof.yaml', 'a/b/pyproject.toml'],
      '.',
      'counterproof.yaml',
    ],
    ['that of the nearest project file', ['setup.py', 'a/tox.ini'], 'a', null],
    ['that of .git, which ends the search', ['counterproof.yaml', 'a/.git/HEAD'], 'a', null],
    ['the start folder where nothing is found', ['.git-not', 'a/b/x'], 'a/b/c', null],
  ];
  test.each(table)('%s', (_, files, root, config) => {
    const top = folderWith(Object.fromEntries([...files, 'a/b/c/file'].map((file) => [file, ''])));
    const project = findProject(join(top, 'a/b/c'));
    expect(project.configFile).toBe(config === null ? null : join(top, config));
    // Above the temporary folder nobody can promise that there is no project file.
    if (root !== 'a/b/c' || project.root.startsWith(top))
      expect(project.root).toBe(join(top, root));
  });

  test('that of a pyproject.toml only where it has our table', () => {
    const top = folderWith({
      'pyproject.toml': '[tool.counterproof.lanes.unit]\nrunner = "pytest"\n',
      'a/pyproject.toml': '[tool.other]\nname = "counterproof"\n',
      'b/pyproject.toml': 'tool.counterproof.version = 1\n',
      'c/pyproject.toml': '[tool.counterproof]\nbroken = \n',
    });
    const configOf = (folder: string): string | null => findProject(join(top, folder)).configFile;
    expect(configOf('a')).toBe(join(top, 'pyproject.toml'));
    expect(configOf('b')).toBe(join(top, 'b/pyproject.toml'));
    expect(configOf('c')).toBe(join(top, 'c/pyproject.toml'));
  });

  test('that of the configuration that was named', () => {
    const top = folderWith({ 'counterproof.yaml': '', 'ci/other.yaml': '' });
    expect(findProject(top, 'ci/other.yaml')).toEqual({
      root: join(top, 'ci'),
      configFile: join(top, 'ci/other.yaml'),
    });
  });
});

describe("a source file's project is", () => {
  const table: readonly [about: string, files: readonly string[], file: string, root: string][] = [
    ['that of the nearest project file', ['pyproject.toml', 'a/Cargo.toml'], 'a/src/b.rs', 'a'],
    [
      "that of its own language's, above another's",
      ['pyproject.toml', 'a/Cargo.toml'],
      'a/tools/gen.py',
      '.',
    ],
    ['the other way round', ['Cargo.toml', 'a/setup.py'], 'a/src/b.rs', '.'],
    ['of any kind where its own has none', ['.git/HEAD', 'a/setup.py'], 'a/src/b.rs', 'a'],
    ['the nearest for other files', ['setup.py', 'a/Cargo.toml'], 'a/data.json', 'a'],
    ['that of a configuration above all', ['counterproof.yaml', 'a/Cargo.toml'], 'a/b.rs', '.'],
    ['a member of a workspace', ['Cargo.toml', 'a/Cargo.toml'], 'a/src/b.rs', 'a'],
  ];
  test.each(table)('%s', (_, files, file, root) => {
    const top = folderWith(Object.fromEntries([...files, file].map((name) => [name, ''])));
    expect(findProjectOf(join(top, file)).root).toBe(join(top, root));
  });
});

describe('lanes that are found', () => {
  test.each<[about: string, files: readonly string[], lanes: readonly string[]]>([
    ['of a Python project', ['pyproject.toml'], ['pytest']],
    ['of a crate', ['Cargo.toml'], ['cargo']],
    ['where both are', ['Cargo.toml', 'setup.cfg'], ['pytest', 'cargo']],
    ['where nothing says', ['a.txt'], ['pytest']],
    ['beside a configuration without lanes', ['counterproof.yaml', 'Cargo.toml'], ['cargo']],
  ])('%s', (_, files, lanes) => {
    const root = folderWith(Object.fromEntries(files.map((name) => [name, ''])));
    const config = loadConfig(findProject(root));
    expect(config).toMatchObject({ ok: true });
    expect(config.ok ? config.value.lanes : []).toMatchObject(
      lanes.map((name) => ({ name, runner: name, where: null })),
    );
  });
});
