/** Reads a lane's command: may options be appended, or must they travel in the environment? */
import path from 'node:path';

export type CommandShape =
  /** pytest itself: options may be appended. */
  | {
      readonly kind: 'pytest';
      /** What starts the same interpreter, to which `-c …` may be appended; null: not in the command. */
      readonly python: readonly [string, ...string[]] | null;
      /** The script whose first line names the interpreter, where `python` is null. */
      readonly script: string | null;
    }
  /** Something that runs pytest in its own way: options travel in PYTEST_ADDOPTS. */
  | { readonly kind: 'wrapper'; readonly via: WrapperKind };

export type WrapperKind =
  'tox' | 'nox' | 'make' | 'shell' | 'node' | 'hatch' | 'container' | 'ends-options' | 'program';

const WRAPPERS: ReadonlyMap<string, WrapperKind> = new Map([
  ['tox', 'tox'],
  ['nox', 'nox'],
  ...['make', 'gmake', 'just', 'task', 'invoke', 'inv'].map((name) => [name, 'make'] as const),
  ...['sh', 'bash', 'dash', 'zsh', 'ksh'].map((name) => [name, 'shell'] as const),
  ...['npm', 'npx', 'yarn', 'pnpm', 'bun'].map((name) => [name, 'node'] as const),
  ...['docker', 'podman', 'docker-compose', 'kubectl', 'ssh'].map(
    (name) => [name, 'container'] as const,
  ),
]);

/** Programs that run their last arguments as a command, with those of their options that take a value. */
const LAUNCHERS: ReadonlyMap<string, { readonly run: boolean; readonly valued: string }> = new Map([
  [
    'uv',
    {
      run: true,
      valued:
        '-p --python --with --with-editable --with-requirements --extra --no-extra --group --no-group --only-group --env-file --package --project --directory --index --default-index -i --index-url --extra-index-url -f --find-links --cache-dir --config-file --python-platform --link-mode --resolution --prerelease --exclude-newer',
    },
  ],
  ['poetry', { run: true, valued: '-C --directory -P --project' }],
  ['pdm', { run: true, valued: '-p --project --env-file --venv' }],
  ['pipenv', { run: true, valued: '--python' }],
  ['rye', { run: true, valued: '--pyproject' }],
  ['pixi', { run: true, valued: '-e --environment --manifest-path' }],
  ['hatch', { run: true, valued: '-e --env -p --project --data-dir --cache-dir --config' }],
  ['conda', { run: true, valued: '-n --name -p --prefix --cwd' }],
  ['mamba', { run: true, valued: '-n --name -p --prefix --cwd' }],
  ['micromamba', { run: true, valued: '-n --name -p --prefix --cwd' }],
  ['env', { run: false, valued: '-u --unset -C --chdir' }],
  ['nice', { run: false, valued: '-n --adjustment' }],
  ['time', { run: false, valued: '-f --format -o --output' }],
  ['xvfb-run', { run: false, valued: '-n --server-num -s --server-args -e --error-file' }],
]);

/** Reads nothing but the words: no file is looked at and nothing is run. */
export function classifyCommand(command: readonly string[]): CommandShape {
  return classify(command, []);
}

function classify(words: readonly string[], before: readonly string[]): CommandShape {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'wrapper', via: 'program' };
  const name = path.basename(first);
  if (name === 'pytest' || name === 'py.test') return pytest(rest, before, first);
  if (/^(python|pypy)[\d.]*$/.test(name)) return interpreter(first, rest, before);
  if (name === 'coverage') return coverage(rest, before, null, first);
  const wrapper = WRAPPERS.get(name);
  if (wrapper !== undefined) return { kind: 'wrapper', via: wrapper };
  const launcher = LAUNCHERS.get(name);
  if (launcher === undefined) return { kind: 'wrapper', via: 'program' };
  return launched(name, first, rest, before, launcher);
}

function pytest(args: readonly string[], before: readonly string[], script: string): CommandShape {
  // What follows `--` is taken for files, whatever it looks like.
  if (args.includes('--')) return { kind: 'wrapper', via: 'ends-options' };
  const python = startsEnvironment(before) ? argv([...before, 'python']) : null;
  return { kind: 'pytest', python, script: python === null ? script : null };
}

function interpreter(
  first: string,
  rest: readonly string[],
  before: readonly string[],
): CommandShape {
  let at = 0;
  for (; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const glued = /^-[A-Za-ln-z]*m(.*)$/.exec(word);
    if (glued !== null && !word.startsWith('--')) {
      const module = glued[1] === '' ? rest[at + 1] : glued[1];
      const args = rest.slice(at + (glued[1] === '' ? 2 : 1));
      const python = argv([...before, first, ...rest.slice(0, at)]);
      if (module === 'pytest' || module === 'py.test') {
        if (args.includes('--')) return { kind: 'wrapper', via: 'ends-options' };
        return { kind: 'pytest', python, script: null };
      }
      if (module === 'coverage') return coverage(args, before, python, first);
      return { kind: 'wrapper', via: WRAPPERS.get(module ?? '') ?? 'program' };
    }
    if (word === '-X' || word === '-W') at += 1;
    else if (!word.startsWith('-') || word === '-c' || word === '-') break;
  }
  const script = rest[at];
  if (script !== undefined && /^(pytest|py\.test)$/.test(path.basename(script))) {
    if (rest.slice(at).includes('--')) return { kind: 'wrapper', via: 'ends-options' };
    return {
      kind: 'pytest',
      python: argv([...before, first, ...rest.slice(0, at)]),
      script: null,
    };
  }
  return { kind: 'wrapper', via: 'program' };
}

/** `coverage run [options] -m pytest [arguments]`; what follows the module is the module's. */
function coverage(
  args: readonly string[],
  before: readonly string[],
  python: readonly [string, ...string[]] | null,
  script: string,
): CommandShape {
  const module = args.findIndex((word) => word === '-m' || word === '--module');
  if (args[0] !== 'run' || module < 0) return { kind: 'wrapper', via: 'program' };
  if (!/^(pytest|py\.test)$/.test(args[module + 1] ?? '')) {
    return { kind: 'wrapper', via: 'program' };
  }
  const inner = pytest(args.slice(module + 2), before, script);
  return inner.kind === 'pytest' && python !== null ? { ...inner, python, script: null } : inner;
}

function launched(
  name: string,
  first: string,
  rest: readonly string[],
  before: readonly string[],
  launcher: { readonly run: boolean; readonly valued: string },
): CommandShape {
  const valued = new Set(launcher.valued.split(' '));
  let awaitsRun = launcher.run;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (word === '--') continue;
    if (name === 'uv' && !awaitsRun && (word === '-m' || word === '--module')) {
      return classify(['python', ...rest.slice(at)], [...before, first, ...rest.slice(0, at)]);
    }
    if (word.startsWith('-')) {
      if (valued.has(word)) at += 1;
      continue;
    }
    if (name === 'env' && word.includes('=')) continue;
    if (awaitsRun) {
      if (word !== 'run') return { kind: 'wrapper', via: name === 'hatch' ? 'hatch' : 'program' };
      awaitsRun = false;
      continue;
    }
    const prefix = [...before, first, ...rest.slice(0, at)];
    return name === 'hatch' ? inHatch(rest.slice(at), prefix) : classify(rest.slice(at), prefix);
  }
  return { kind: 'wrapper', via: 'program' };
}

/** `hatch run ENVIRONMENT:COMMAND`: a name that is no command of ours may be a script with arguments of its own. */
function inHatch(words: readonly string[], prefix: readonly string[]): CommandShape {
  const [environment, command] = /^([\w.+-]+):(.+)$/.exec(words[0] ?? '')?.slice(1) ?? [];
  const inner = classify([command ?? words[0] ?? '', ...words.slice(1)], prefix);
  if (inner.kind === 'wrapper') {
    return inner.via === 'program' ? { kind: 'wrapper', via: 'hatch' } : inner;
  }
  if (environment === undefined || inner.python === null) return inner;
  const [python, ...options] = inner.python.slice(prefix.length);
  return {
    ...inner,
    python: argv([...prefix, `${environment}:${python ?? 'python'}`, ...options]),
  };
}

/** True for `uv run`, `poetry run` and their kind, in whose environment `python` is the right one. */
const startsEnvironment = (before: readonly string[]): boolean => before.includes('run');

function argv(words: readonly string[]): readonly [string, ...string[]] {
  const [first, ...rest] = words;
  if (first === undefined) throw new Error('Internal error: an empty command');
  return [first, ...rest];
}
