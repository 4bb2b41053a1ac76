/** Test code, source, support or neither: by a file's name and place, and a word on why. */
import type { PythonNames } from './python-tests.js';
import { matchesPath } from '../spec/path-pattern.js';
import { CI_SCRIPT, isCiScript } from './set-aside.js';
import { isTopSettings } from './settings.js';

export const CHANGE_CLASSES = ['source', 'test', 'support', 'other'] as const;

/**
 * `source`: taken back to see what notices. `test`: stays. `support`: modules beside the tests
 * that are none themselves, taken back on their own. `other`: no test could notice it.
 */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

export interface Classified {
  readonly class: ChangeClass;
  readonly why: string;
}

export interface ClassifyRules {
  /** From `--test-path` and the configuration: paths and patterns relative to the tree. */
  readonly testPaths: readonly string[];
  readonly sourcePaths: readonly string[];
  /** pytest's `python_files`. */
  readonly pythonFiles: readonly string[];
  /** pytest's `python_functions` and `python_classes`; left out: its own. */
  readonly pythonNames?: PythonNames;
  /** Whether the lane runs documentation tests of Rust; left out: it does not. */
  readonly runsDoctests?: boolean;
}

export const PYTHON_FILES: readonly string[] = ['test_*.py', '*_test.py'];

const LOCK_FILES = new Set([
  'Cargo.lock',
  'Gemfile.lock',
  'Pipfile.lock',
  'bun.lock',
  'bun.lockb',
  'composer.lock',
  'conda-lock.yml',
  'flake.lock',
  'go.sum',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'pdm.lock',
  'pixi.lock',
  'pnpm-lock.yaml',
  'poetry.lock',
  'pylock.toml',
  'uv.lock',
  'yarn.lock',
]);

const CODE =
  /\.(pyx?|pyi|pxd|rs|c|cc|cpp|cxx|h|hpp|hh|cu|go|js|jsx|mjs|cjs|ts|tsx|java|kt|rb|sh)$/i;
const DOCUMENTS = /\.(md|markdown|mdx|rst|adoc|txt|org|png|jpe?g|gif|svg|ico|pdf|drawio)$/i;
const DOCUMENT_NAMES =
  /^(readme|changelog|changes|history|news|license|licence|copying|notice|authors|contributors|contributing|maintainers|codeowners|security|code_of_conduct|citation)([._-].*)?$/i;
const DOCUMENT_FOLDERS = new Set([
  'doc',
  'docs',
  'documentation',
  'changelog.d',
  'changes.d',
  'newsfragments',
  'news.d',
]);
const DEPENDENCIES = /^(?:\w+-)?(?:requirements|constraints).*\.txt$/;
const SETTING_NAMES = new Set([
  'BUILD',
  'Dockerfile',
  'Justfile',
  'MANIFEST.in',
  'Makefile',
  'Procfile',
  'Vagrantfile',
  'justfile',
  'noxfile.py',
  'setup.py',
]);
const PYTHON_TEST_FOLDERS = new Set(['test', 'tests', '__tests__']);

export const isTestFolder = (name: string): boolean => PYTHON_TEST_FOLDERS.has(name);

/** @param path tree-relative. */
export function classifyFile(path: string, rules: ClassifyRules): Classified {
  const parts = path.split('/');
  const name = parts.at(-1) ?? path;
  const said = (kind: ChangeClass, why: string): Classified => ({ class: kind, why });
  for (const [paths, kind, option] of [
    [rules.testPaths, 'test', '--test-path'],
    [rules.sourcePaths, 'source', '--source-path'],
  ] as const) {
    const pattern = paths.find((each) => matchesPath(each, path));
    if (pattern !== undefined) return said(kind, `${option} ${pattern}`);
  }
  if (LOCK_FILES.has(name)) return said('other', 'lock file');
  if (name === 'conftest.py') return said('test', 'conftest');
  const fits = rules.pythonFiles.find((glob) => matchesPath(glob, name));
  if (name.endsWith('.py') && fits !== undefined && isTelling(fits))
    return said('test', `named like ${fits}`);
  if (parts.includes('mutations') && /\.ya?ml(?:\.txt)?$/.test(name))
    return said('other', 'mutations of Counterproof');
  if (name === 'counterproof.yaml' || name === 'counterproof.yml')
    return said('other', 'settings of Counterproof');
  const rust = rustPlace(parts);
  if (rust !== null) return rust;
  const folder = parts.slice(0, -1).find(isTestFolder);
  if (folder !== undefined) {
    if (name.endsWith('.py'))
      return name === '__init__.py'
        ? said('test', `package of tests in ${folder}/`)
        : fits !== undefined
          ? said('test', `named like ${fits} in ${folder}/`)
          : said('support', `module in ${folder}/ that holds no tests by its name`);
    if (!CODE.test(name)) return said('test', `test data in ${folder}/`);
  }
  return elsewhere(parts, name, said);
}

/** `*.py` is collected anywhere, and tells nothing of what is in it. */
const isTelling = (glob: string): boolean => /[a-z]/i.test(glob.replace(/\.py$/, ''));

function elsewhere(
  parts: readonly string[],
  name: string,
  said: (kind: ChangeClass, why: string) => Classified,
): Classified {
  const at = parts.slice(0, -1).findIndex((part) => DOCUMENT_FOLDERS.has(part.toLowerCase()));
  // Within a package `docs` may be a module as any other; `conf.py` is read by Sphinx alone.
  const isModule = at > 0 && CODE.test(name) && name !== 'conf.py';
  if (at !== -1 && !isModule) return said('other', `documentation in ${parts[at]}/`);
  const isTop = parts.length === 1;
  if (/\.pyi$|^py\.typed$/.test(name)) return said('other', 'type stub');
  if (SETTING_NAMES.has(name)) return said('other', 'build and settings');
  if (CODE.test(name)) return said('source', isCiScript(parts.join('/')) ? CI_SCRIPT : 'code');
  if (DOCUMENT_NAMES.test(name)) return said('other', 'documentation');
  if (name.startsWith('.') || parts.some((part) => part.startsWith('.')))
    return said('other', 'settings of tools');
  if (DEPENDENCIES.test(name)) return said('other', 'dependencies');
  if (name === 'Cargo.toml' || name === 'pyproject.toml' || (isTop && isTopSettings(name)))
    return said('other', 'build and settings');
  if (DOCUMENTS.test(name) && !(isTop ? /\.txt$/i : /\.(txt|svg|org)$/i).test(name))
    return said('other', 'documentation');
  return said('source', 'data file');
}

/** Cargo finds integration tests, benchmarks and examples by their folder. */
function rustPlace(parts: readonly string[]): Classified | null {
  const name = parts.at(-1) ?? '';
  if (!name.endsWith('.rs')) return null;
  const at = parts.lastIndexOf('tests');
  if (at !== -1 && !parts.slice(0, at).includes('src')) {
    const below = parts.slice(at + 1);
    const isTarget = below.length === 1 || (below.length === 2 && name === 'main.rs');
    return isTarget
      ? { class: 'test', why: 'integration test' }
      : { class: 'support', why: 'module of the integration tests' };
  }
  if (parts.includes('benches')) return { class: 'other', why: 'benchmark' };
  if (name === 'build.rs') return { class: 'other', why: 'build script' };
  if (name === 'tests.rs' || name === 'test.rs' || parts.slice(0, -1).includes('tests'))
    return { class: 'test', why: `named ${name === 'mod.rs' ? 'tests/' : name}` };
  return null;
}

/** Whether it is code by its name, whatever class it has. */
export const isCodeName = (path: string): boolean => CODE.test(path);

/** Whether nothing but the name of a Rust file under `src/` says that it is a test. */
export const isTestByName = ({ why }: Classified): boolean => /^named (tests\/|\S+\.rs)$/.test(why);

/** Generators say it at the very top. */
const HEAD_LINES = 20;
const COMMENT = /^\s*(#|<\?|\/\/|\/\*|\*|--|;|%|<!--|"{3}|'{3})/;
const GENERATED =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\b(auto-?generated|generated by)\b.*\bdo not (edit|modify)\b/is;

/**
 * Said by its own head to be made by a program: taking it back says nothing about a person's
 * work. Only comments say it; a generator has the same words in its code.
 */
export function isGenerated(bytes: Buffer): boolean {
  const lines = bytes.toString('latin1', 0, 4000).split('\n').slice(0, HEAD_LINES);
  const comments: string[] = [];
  let closing: string | null = null;
  for (const line of lines) {
    const text = line.replace(/^\xef\xbb\xbf/, '');
    if (closing === null && !COMMENT.test(text)) {
      if (text.trim() === '') continue;
      break;
    }
    comments.push(text);
    closing = closingAfter(text.trim(), closing);
  }
  return GENERATED.test(comments.join('\n'));
}

const BLOCKS = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['"""', '"""'],
  ["'''", "'''"],
] as const;

/** What ends the comment that goes on behind this line; null: none does. */
function closingAfter(text: string, closing: string | null): string | null {
  if (closing !== null) return text.includes(closing) ? null : closing;
  const [open, close] = BLOCKS.find(([each]) => text.startsWith(each)) ?? ['', ''];
  return open === '' || text.slice(open.length).includes(close) ? null : close;
}
