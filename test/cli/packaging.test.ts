/** What `npm pack` makes works alone, with its own dependencies and nothing else of this folder. */
import { execFile, execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testEnvironment } from '../support/environment.js';
import { venv } from '../support/venvs.js';

const run = promisify(execFile);

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const MANIFEST = JSON.parse(readFileSync(path.join(TOP, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

let place = '';
let shipped: readonly string[] = [];

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'counterproof päckchen '));
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', place],
    { cwd: TOP, env: { ...process.env, npm_config_cache: path.join(place, 'npm') } },
  );
  const modules = path.join(place, 'app', 'node_modules');
  mkdirSync(path.join(modules, 'counterproof'), { recursive: true });
  const tarball = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '';
  const target = path.join(modules, 'counterproof');
  execFileSync('tar', ['-xzf', path.join(place, tarball), '-C', target, '--strip-components=1']);
  // Only what package.json declares: a package that is imported without being named is missed.
  for (const name of Object.keys(MANIFEST.dependencies)) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(TOP, 'node_modules', name), path.join(modules, name));
  }
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, Packed>);
  shipped = (packed?.files ?? []).map((file) => file.path);
});

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

const counterproof = (args: readonly string[]) =>
  run(process.execPath, ['node_modules/counterproof/bin/counterproof.js', ...args], {
    cwd: path.join(place, 'app'),
    env: { ...testEnvironment(process.env), XDG_STATE_HOME: path.join(place, 'state') },
  });

describe('the package', () => {
  test('ships what is not TypeScript: the pytest plugin and the schemas', () => {
    const plugin = readdirSync(path.join(TOP, 'src/lane/pytest/plugin'))
      .filter((name) => name.endsWith('.py'))
      .map((name) => `src/lane/pytest/plugin/${name}`);
    expect(plugin.length).toBeGreaterThan(0);
    expect(shipped).toEqual(
      expect.arrayContaining([
        ...plugin,
        'schemas/config.json',
        'schemas/record.json',
        'schemas/spec.json',
        'bin/counterproof.js',
        'dist/cli/main.js',
        'dist/slot/entry.js',
        'dist/LICENCES.txt',
        'README.md',
        'CHANGELOG.md',
        'LICENSE',
      ]),
    );
  });

  test('ships neither tests, nor sources, nor what a run left', () => {
    const unwanted = /^(test|examples|mutations|\.)|\.ts$|\.map$|\.tsbuildinfo$|\.pyc$|__pycache__/;
    expect(shipped.filter((file) => unwanted.test(file))).toEqual([]);
  });

  test('names the licence of each package that is built in', () => {
    const built = path.join(place, 'app/node_modules/counterproof/dist');
    const texts = readFileSync(path.join(built, 'LICENCES.txt'), 'utf8').split(/\n-{72}\n\n/);
    const names = texts.map((text) => text.split(' ', 1)[0]);
    expect(names).toEqual(expect.arrayContaining(['execa', 'zod', 'yaml', 'yargs', 'diff']));
    expect(texts.filter((text) => !/licen[cs]e|copyright|MIT|ISC|BSD/i.test(text))).toEqual([]);
  });

  test('says its version', async () => {
    const { stdout } = await counterproof(['--version']);
    expect(stdout.trim()).toBe(MANIFEST.version);
  });

  test('proves a mutation', async () => {
    const project = path.join(place, 'app', 'projekt ü');
    const write = (name: string, text: string): void => {
      mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
      writeFileSync(path.join(project, name), text);
    };
    write('counterproof.yaml', 'version: 1\nlanes: { unit: { runner: pytest } }\n');
    write('calc.py', 'def add(a, b):\n    return a + b\n');
    write('test_calc.py', 'from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n');
    write(
      'mutations/add.yaml',
      `version: 1
lane: unit
mutations:
  - id: minus
    file: calc.py
    replace: { find: "a + b", with: "a - b" }
    flips: ["test_calc.py::test_add"]
`,
    );
    const { python } = await venv('default');

    const { stdout } = await counterproof(['run', '-C', project, '--python', python, '--json']);

    const record = JSON.parse(stdout) as { readonly proofs: readonly object[] };
    expect(record.proofs).toMatchObject([{ id: 'minus', verdict: 'pinned' }]);
    expect(readFileSync(path.join(project, 'calc.py'), 'utf8')).toContain('a + b');
  });
});
