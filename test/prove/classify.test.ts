import { describe, expect, test } from 'vitest';
import { classifyFile, isGenerated, PYTHON_FILES } from '../../src/prove/classify.js';
import { matchesPath } from '../../src/spec/path-pattern.js';

const rules = { testPaths: [], sourcePaths: [], pythonFiles: PYTHON_FILES };

describe('a file is', () => {
  test.each([
    ['tests/test_stream.py', 'test', 'named like test_*.py'],
    ['src/pkg/stream_test.py', 'test', 'named like *_test.py'],
    ['conftest.py', 'test', 'conftest'],
    ['src/pkg/tests/conftest.py', 'test', 'conftest'],
    ['tests/data/case.json', 'test', 'test data in tests/'],
    ['tests/data/case.txt', 'test', 'test data in tests/'],
    ['tests/__init__.py', 'test', 'package of tests in tests/'],
    ['tests/common/runtime.py', 'support', 'module in tests/ that holds no tests by its name'],
    ['src/stream.py', 'source', 'code'],
    ['stream.py', 'source', 'code'],
    ['src/contest.py', 'source', 'code'],
    ['src/latest.py', 'source', 'code'],
    ['src/templates/page.html', 'source', 'data file'],
    ['src/pkg/defaults.yaml', 'source', 'data file'],
    ['src/pkg/words.txt', 'source', 'data file'],
    ['pyproject.toml', 'other', 'build and settings'],
    ['setup.cfg', 'other', 'build and settings'],
    ['setup.py', 'other', 'build and settings'],
    ['requirements-dev.txt', 'other', 'dependencies'],
    ['dev-requirements.txt', 'other', 'dependencies'],
    ['package.json', 'other', 'build and settings'],
    ['tsconfig.json', 'other', 'build and settings'],
    ['tsconfig.build.json', 'other', 'build and settings'],
    ['.pre-commit-config.yaml', 'other', 'settings of tools'],
    ['.gitlab-ci.yml', 'other', 'settings of tools'],
    ['azure-pipelines.yml', 'other', 'build and settings'],
    ['Jenkinsfile', 'other', 'build and settings'],
    ['mkdocs.yml', 'other', 'build and settings'],
    ['docker-compose.dev.yml', 'other', 'build and settings'],
    ['tox.ini', 'other', 'build and settings'],
    ['shell.nix', 'other', 'build and settings'],
    ['CMakeLists.txt', 'other', 'build and settings'],
    ['LICENSE.txt', 'other', 'documentation'],
    ['notes.md', 'other', 'documentation'],
    ['logo.svg', 'other', 'documentation'],
    ['data.json', 'source', 'data file'],
    ['rules.yaml', 'source', 'data file'],
    ['words.txt', 'source', 'data file'],
    ['defaults.ini', 'source', 'data file'],
    ['limits.toml', 'source', 'data file'],
    ['package.json.tmpl', 'source', 'data file'],
    ['src/pkg/package.json', 'source', 'data file'],
    ['uv.lock', 'other', 'lock file'],
    ['tests/data/poetry.lock', 'other', 'lock file'],
    ['.github/workflows/ci.yaml', 'other', 'settings of tools'],
    ['.github/scripts/label.py', 'source', 'script of CI'],
    ['ci/build.sh', 'source', 'script of CI'],
    ['ci/steps/lint.sh', 'source', 'script of CI'],
    ['ci/core.py', 'source', 'code'],
    ['ci/src/lib.rs', 'source', 'code'],
    ['ci/index.js', 'source', 'code'],
    ['src/ci/build.py', 'source', 'code'],
    ['src/.github/build.py', 'source', 'code'],
    ['src/ci/build.sh', 'source', 'code'],
    ['README.md', 'other', 'documentation'],
    ['src/pkg/README.rst', 'other', 'documentation'],
    ['docs/conf.py', 'other', 'documentation in docs/'],
    ['docs/render.py', 'other', 'documentation in docs/'],
    ['app/docs/render.py', 'source', 'code'],
    ['app/docs/conf.py', 'other', 'documentation in docs/'],
    ['app/docs/page.html', 'other', 'documentation in docs/'],
    ['CHANGES', 'other', 'documentation'],
    ['newsfragments/12.bugfix', 'other', 'documentation in newsfragments/'],
    ['src/pkg/core.pyi', 'other', 'type stub'],
    ['counterproof.yaml', 'other', 'settings of Counterproof'],
    ['mutations/a.yaml', 'other', 'mutations of Counterproof'],
    ['mutations/example.yaml.txt', 'other', 'mutations of Counterproof'],
    ['mutations/sub/a.yml.txt', 'other', 'mutations of Counterproof'],
    ['mutations/words.txt', 'source', 'data file'],
    ['crates/jail/tests/stop.rs', 'test', 'integration test'],
    ['tests/stop/main.rs', 'test', 'integration test'],
    ['tests/common/mod.rs', 'support', 'module of the integration tests'],
    ['src/decoder/tests.rs', 'test', 'named tests.rs'],
    ['src/decoder/tests/mod.rs', 'test', 'named tests/'],
    ['src/decoder.rs', 'source', 'code'],
    ['benches/decode.rs', 'other', 'benchmark'],
    ['build.rs', 'other', 'build script'],
    ['Cargo.lock', 'other', 'lock file'],
    ['crates/jail/Cargo.toml', 'other', 'build and settings'],
  ])('%s: %s', (path, kind, why) => {
    expect(classifyFile(path, rules)).toEqual({ class: kind, why });
  });

  test('what the options say first of all, tests before source', () => {
    const given = {
      ...rules,
      testPaths: ['checks', '**/check_*.py'],
      sourcePaths: ['tests/lib', 'docs'],
    };
    const table = {
      'checks/a.py': ['test', '--test-path checks'],
      'src/check_a.py': ['test', '--test-path **/check_*.py'],
      'tests/lib/test_tool.py': ['source', '--source-path tests/lib'],
      'docs/conf.py': ['source', '--source-path docs'],
      'checks2/a.py': ['source', 'code'],
    };
    for (const [path, [kind, why]] of Object.entries(table))
      expect(classifyFile(path, given)).toEqual({ class: kind, why });
  });

  test("a test by the project's own python_files", () => {
    const own = { ...rules, pythonFiles: ['check_*.py'] };
    expect(classifyFile('src/check_a.py', own).class).toBe('test');
    expect(classifyFile('src/test_a.py', own).class).toBe('source');
  });
});

test.each([
  ['src', 'src/a/b.py', true],
  ['src/', 'src/a', true],
  ['./src/a', 'src/a', true],
  ['src', 'src2/a', false],
  ['*.py', 'a.py', true],
  ['*.py', 'b/a.py', false],
  ['**/*.py', 'a.py', true],
  ['**/*.py', 'b/c/a.py', true],
  ['a?c', 'abc', true],
  ['a.c', 'abc', false],
  ['.', 'anything/at/all', true],
])('the pattern %s and %s: %s', (pattern, path, fits) => {
  expect(matchesPath(pattern, path)).toBe(fits);
});

test.each([
  ['# Code generated by protoc. DO NOT EDIT.\n', true],
  ['# @generated\n', true],
  ['"""Autogenerated by tool; do not modify."""\n', true],
  ['# how code generated by others is edited\n', false],
  ['x = 1\n', false],
  ['#!/bin/sh\n\n# Code generated by x. DO NOT EDIT.\n', true],
  ['/*\n Code generated by x,\n do not edit\n*/\n', true],
  ['<?xml?>\n<!-- @generated -->\n', true],
  ['"""\nGenerated by x,\ndo not edit.\n"""\n', true],
  ['HEADER = "# generated by gen.py, do not edit\\n"\n', false],
  ['HEADER = """\n# generated by gen.py, do not edit\n"""\n', false],
  ['x = 1\n# @generated is what we look for\n', false],
  ['"""Writes."""\nHEADER = """\n# @generated\n"""\n', false],
  [`${'# License.\n'.repeat(25)}# @generated\n`, false],
])('whether %j is generated', (text, yes) => {
  expect(isGenerated(Buffer.from(text))).toBe(yes);
});
