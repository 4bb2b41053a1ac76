import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { venv } from '../support/venvs.js';
import { laneOver, LANE, project } from './pytest-harness.js';

const python = await venv('default');
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const never = new AbortController().signal;

describe('compiling mutants before they are written', () => {
  const SOURCES = [
    { name: 'good code', path: 'a.py', bytes: bytes('x = 1\n'), answer: null },
    {
      name: 'a SyntaxError, with its line',
      path: 'app/b.py',
      bytes: bytes('x = 1\ndef (\n'),
      answer: {
        stage: 'compile',
        file: 'b.py',
        line: 2,
        message: expect.stringMatching(/^SyntaxError: /),
      },
    },
    {
      name: 'a bad indentation',
      path: 'app/c.py',
      bytes: bytes('def f():\nreturn 1\n'),
      answer: {
        stage: 'compile',
        file: 'c.py',
        line: 2,
        message: expect.stringMatching(/^IndentationError: /),
      },
    },
    {
      name: 'bytes that are no UTF-8',
      path: 'a.py',
      bytes: bytes('x = "\xe4"\n'),
      answer: {
        stage: 'compile',
        file: '../a.py',
        line: expect.anything(),
        message: expect.stringMatching(/^SyntaxError: .*utf-8/),
      },
    },
    {
      name: 'the same bytes under a declared encoding',
      path: 'a.py',
      bytes: bytes('# -*- coding: latin-1 -*-\nx = "\xe4"\n'),
      answer: null,
    },
    {
      name: 'a byte order mark and CRLF',
      path: 'a.py',
      bytes: bytes('\xef\xbb\xbfx = 1\r\ny = 2\r\n'),
      answer: null,
    },
    {
      name: 'an encoding that only the project knows',
      path: 'a.py',
      bytes: bytes('# -*- coding: future-fstrings -*-\nx = 1\n'),
      answer: null,
    },
    {
      name: 'code that only warns',
      path: 'a.py',
      bytes: bytes('x = "\\d"\nassert (1, "always")\n'),
      answer: null,
    },
    {
      name: 'a null byte',
      path: 'a.py',
      bytes: bytes('x = 1\0\n'),
      answer: {
        stage: 'compile',
        file: '../a.py',
        line: null,
        message: expect.stringMatching(/null bytes/),
      },
    },
    {
      name: 'a return outside of a function',
      path: 'a.py',
      bytes: bytes('return 1\n'),
      answer: {
        stage: 'compile',
        file: '../a.py',
        line: 1,
        message: expect.stringContaining('outside function'),
      },
    },
    { name: 'a file that is no Python', path: 'data.json', bytes: bytes('{'), answer: null },
  ];

  it('answers for each source, in order', async () => {
    const tree = project({ 'app/x.py': '' });
    const answers = await laneOver(tree, python, { root: 'app' }).runner.compile(SOURCES);
    for (const [index, source] of SOURCES.entries())
      expect.soft(answers[index], source.name).toEqual(source.answer);
    expect(answers).toHaveLength(SOURCES.length);
  });

  it('says nothing where the interpreter is not known', async () => {
    const lane = laneOver(project({}), python, { interpreter: null });
    expect(await lane.runner.compile([{ path: 'a.py', bytes: bytes('def (') }])).toEqual([null]);
  });

  it('blames the one source over which the interpreter dies', async () => {
    const tree = project({
      python:
        '#!/bin/sh\ninput=$(cat)\ncase "$input" in *a2lsbGVy*) kill -9 $$;; esac\nprintf %s "$input" | exec "$REAL" "$@"\n',
    });
    const { chmodSync } = await import('node:fs');
    chmodSync(tree.path('python'), 0o755);
    const lane = laneOver(tree, python, {
      interpreter: tree.path('python'),
      env: { REAL: python.python },
    });
    const answers = await lane.runner.compile([
      { path: 'a.py', bytes: bytes('x = 1') },
      { path: 'b.py', bytes: bytes('killer') },
    ]);
    expect(answers).toEqual([
      null,
      {
        stage: 'compile',
        file: 'b.py',
        line: null,
        message: 'the interpreter died while it compiled this file',
      },
    ]);
  });
});

describe('after a write', () => {
  const CACHED = [
    'cpython-311',
    'cpython-311.opt-1',
    'cpython-39.opt-2',
    'cpython-311-pytest-9.0.3',
    'pypy310',
  ];

  it('every compiled copy of the file is gone, and nothing else is', async () => {
    const files = Object.fromEntries(
      CACHED.map((tag) => [`pkg/__pycache__/mod.${tag}.pyc`, 'old']),
    );
    const kept = {
      'pkg/__pycache__/model.cpython-311.pyc': 'x',
      'pkg/__pycache__/mod.txt': 'x',
      'pkg/mod.pyc': 'x',
      'pkg/mod.py': '',
    };
    const tree = project({ ...files, ...kept });
    await laneOver(tree, python).runner.written(['pkg/mod.py']);
    for (const name of Object.keys(files)) expect(existsSync(tree.path(name)), name).toBe(false);
    for (const name of Object.keys(kept)) expect(existsSync(tree.path(name)), name).toBe(true);
  });

  it.each([
    {
      name: 'PYTHONPYCACHEPREFIX',
      options: (prefix: string) => ({ env: { PYTHONPYCACHEPREFIX: prefix } }),
    },
    {
      name: 'PYTHONPYCACHEPREFIX of the lane',
      options: (prefix: string) => ({ lane: { ...LANE, env: { PYTHONPYCACHEPREFIX: prefix } } }),
    },
    {
      name: '-X pycache_prefix',
      options: (prefix: string) => ({
        command: [python.python, '-X', `pycache_prefix=${prefix}`, '-m', 'pytest'] as const,
      }),
    },
  ])('so are those under $name', async ({ options }) => {
    const tree = project({ 'pkg/mod.py': '' });
    const name = `hidden${tree.path('pkg')}/mod.cpython-311.pyc`;
    tree.write(name, 'old');
    await laneOver(tree, python, options(tree.path('hidden'))).runner.written(['pkg/mod.py']);
    expect(existsSync(tree.path(name))).toBe(false);
  });

  it('a sourceless copy goes with its deleted source', async () => {
    const tree = project({ 'pkg/mod.pyc': 'x' });
    await laneOver(tree, python).runner.written(['pkg/mod.py']);
    expect(existsSync(tree.path('pkg/mod.pyc'))).toBe(false);
  });

  it('the build runs, and its failure is a breakage with its last words', async () => {
    const tree = project({ 'pkg/mod.py': '' });
    const built = laneOver(tree, python, { lane: { build: 'echo built > out' } });
    expect(await built.runner.build(never)).toEqual([]);
    expect(tree.read('out')).toBe('built\n');
    const fails = laneOver(tree, python, {
      lane: { build: ['sh', '-c', 'echo one; echo "error: no such header" >&2; exit 3'] },
    });
    expect(await fails.runner.build(never)).toEqual([
      {
        stage: 'build',
        file: null,
        line: null,
        message: '`build` failed: exit 3: error: no such header',
      },
    ]);
  });

  it('a failed preparation is a problem of the lane', async () => {
    const lane = laneOver(project({}), python, { lane: { prepare: 'exit 4' } });
    expect(await lane.runner.prepare(never)).toEqual({
      ok: false,
      error: { message: '`prepare` of lane unit failed: exit 4', hint: null },
    });
  });
});
