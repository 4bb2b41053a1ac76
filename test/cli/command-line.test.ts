import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, MINUS, THRICE, specOf } from '../support/calc.js';
import { counterproof, createProject, eachOf, type TestProject } from '../support/project.js';

const COMMANDS = ['run', 'try', 'check', 'lane', 'recover', 'doctor', 'init', 'schema'];

const twoMutations = (): TestProject =>
  createProject({ ...CALC, ...CONFIG, 'mutations/calc.yaml': specOf(MINUS + THRICE) });

describe('help', () => {
  it('is there for every command, in English whatever the locale', async () => {
    const project = createProject({});
    const env = { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' };
    const [all, ...each] = await eachOf(
      project,
      [['--help'], ...COMMANDS.map((name) => [name, '--help'])],
      { env },
    );
    for (const [index, name] of COMMANDS.entries()) {
      const { exitCode, stdout = '', stderr } = each[index] ?? {};
      expect(exitCode).toBe(0);
      expect(stderr).toBe('');
      expect(stdout).toContain(`counterproof ${name}`);
      expect(stdout).toContain('Show help');
      expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    }
    for (const name of COMMANDS) expect(all?.stdout).toContain(`counterproof ${name}`);
  });
});

it.each([
  ['/nowhere/at/all', 'it does not exist'],
  ['here', 'it is not an absolute path'],
  [import.meta.filename, 'it is not a folder'],
])('nothing is run where TMPDIR is %s', async (TMPDIR, why) => {
  const project = twoMutations();
  const lines = [['run'], ['lane'], ['check'], ['prove'], ['try', 'calc.py:2']];
  for (const { exitCode, stdout, stderr } of await eachOf(project, lines, { env: { TMPDIR } })) {
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `Temporary files cannot be kept in ${TMPDIR}: ${why}.\nName another folder in TMPDIR, or unset it.\n`,
    );
    expect(exitCode).toBe(2);
  }
});

describe('a command line that cannot be meant', () => {
  it('ends with 2, names the word, suggests the nearest, and writes nothing', async () => {
    const project = twoMutations();
    const before = project.snapshot();
    const table: readonly (readonly [string, RegExp])[] = [
      ['rnu', /Did you mean run\?/],
      ['', /Which command\?/],
      ['run --exakt', /There is no option --exakt\. Did you mean `--exact`\?/],
      ['try calc.py:2 --replac +', /no option --replac\. Did you mean `--replace`\?/],
      ['run -Z', /no option -Z/],
      ['init extra', /extra: this command takes no such argument/],
      ['run --lane', /--lane: its value is missing/],
      ['try calc.py:2 --replace', /--replace: its value is missing/],
      ['schema confg', /Given: "confg"[^]*Did you mean `config`\?/],
      ['try calc.py:2 --with -=', /--with: its value is missing; one that [^]*--with=-=$/m],
      ['run --out=', /--out: its value is empty/],
      ['run --no-lane', /There is no option --no-lane/],
      ['run --lane unit --lane unit', /--lane was given 2 times; it takes one value/],
      ['run --verify ful', /Given: "ful", Choices: "moved", "full"/],
      ['run --baseline-runs -1', /--baseline-runs -1: write a whole number of at least 1/],
      ['run --baseline-runs 1e1', /--baseline-runs 1e1: write a whole number/],
      ['run --isolation in-place --jobs 2', /In place there is one slot/],
      ['run --isolation overlai', /Given: "overlai"/],
      ['run --jobs many', /--jobs many: write a whole number of at least 1/],
      ['run --budget soon', /--budget soon: write a duration, such as 90s/],
      ['run --allow survivd', /--allow survivd: Did you mean `survived`\?/],
      ['run --allow not-restored', /never allowed/],
      ['run --report mark', /did you mean markdown\?/],
      ['run --list --json', /no record for --json/],
      ['run --only minus --tag ((', /tag/i],
      ['run mutations/clac.yaml', /Did you mean `mutations\/calc.yaml`\?/],
      ['run mutations/calc.yaml::mins', /Did you mean `minus`\?/],
      ['run --lane unti', /There is no lane unti\. Did you mean `unit`\?/],
      ['run -C nowhere', /There is no folder .*nowhere \(-C\)/],
      ['run -c none.yaml', /There is no configuration .*none\.yaml \(-c\)/],
      ['lane unti', /There is no lane unti\. Did you mean `unit`\?/],
      ['schema recrod', /Given: "recrod"/],
    ];
    const results = await eachOf(
      project,
      table.map(([line]) => (line === '' ? [] : line.split(' '))),
    );
    for (const [index, [line, message]] of table.entries()) {
      const { exitCode, stdout, stderr } = results[index] ?? {};
      expect({ line, exitCode, stdout }).toEqual({ line, exitCode: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain', '--ignored')).toBe('');
  });
});

it('the help of a command lists the options that mean something to it, and no others', async () => {
  const project = createProject({ ...CALC, ...CONFIG });
  const [run, tried, proven] = await eachOf(project, [
    ['run', '--help'],
    ['try', '--help'],
    ['prove', '--help'],
  ]);
  const listed = (help: typeof run, options: readonly string[]): readonly string[] =>
    options.filter((option) => help?.stdout.includes(` ${option} `) === true);
  const some = ['--only', '--tag', '--exact', '--allow', '--fail-fast', '--keep-going', '--jobs'];
  expect(listed(run, some)).toEqual(some);
  expect(listed(tried, some)).toEqual(['--exact', '--allow', '--jobs']);
  expect(listed(proven, some)).toEqual(['--fail-fast', '--keep-going', '--jobs']);
});

it.each([
  [
    'try calc.py:2 --only other',
    '--only means nothing to `try`: it chooses among stored mutations.',
  ],
  ['try calc.py:2 --tag=slow', '--tag means nothing to `try`: it chooses among stored mutations.'],
  ['try calc.py:2 -x', '--fail-fast means nothing to `try`: there is one mutation.'],
  ['prove --exact HEAD', '--exact means nothing to `prove`: any test may notice.'],
  ['prove --allow survived HEAD', '--allow means nothing to `prove`: the answer is one for all'],
])('%s is taken, and said to mean nothing', async (line, said) => {
  const project = createProject({ ...CALC, ...CONFIG });
  const given = await counterproof(project, line.split(' '));
  expect(given.exitCode).not.toBe(2);
  expect(given.stderr).toContain(said);
  const quiet = await counterproof(project, [...line.split(' '), '-q']);
  expect(quiet).toMatchObject({ exitCode: given.exitCode });
  expect(quiet.stderr).not.toContain(said);
});

describe('an argument that is not UTF-8', () => {
  it.each([
    ['try', String.raw`calc\377.py:2`],
    ['check', String.raw`mutations/\351.yaml`],
    ['run', String.raw`mutations/\351.yaml`],
  ])('of %s is named by its bytes, and nothing is run', async (name, bytes) => {
    const project = createProject({ ...CALC, ...CONFIG });
    const script = `exec "$@" "$(printf '${bytes}')"`;

    const run = await counterproof(project, [name], { through: ['sh', '-c', script, 'sh'] });

    expect(run.stderr).toContain(`${bytes}: this argument is not UTF-8`);
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('is none where somebody wrote the character that stands for such bytes', async () => {
    const project = createProject({ ...CALC, ...CONFIG });
    const run = await counterproof(project, ['try', 'calc\u{FFFD}.py:2']);
    expect(run.stderr).not.toContain('is not UTF-8');
    expect(run.exitCode).toBe(2);
  });
});

describe('--list', () => {
  /** What each command line names. */
  const listed = async (
    project: TestProject,
    lines: readonly string[],
    options: Parameters<typeof eachOf>[2] = {},
  ): Promise<Readonly<Record<string, readonly string[]>>> => {
    const results = await eachOf(
      project,
      lines.map((line) => [...line.split(' '), '--list']),
      options,
    );
    return Object.fromEntries(
      results.map(({ stdout }, index) => [
        lines[index],
        stdout.split('\n').flatMap((row) => row.split(' ')[0] || []),
      ]),
    );
  };

  it('names the selection on stdout, with options before, between and behind', async () => {
    const project = twoMutations();
    project.write({ 'deep/er/x': '' });
    const both = ['minus', 'thrice'];
    const expected = {
      run: both,
      '-C . run': both,
      'run -C deep': both,
      'run --only minus --only thr*': both,
      'run --tag slow mutations/calc.yaml': ['thrice'],
      'run mutations/calc.yaml::minus --lane unit': ['minus'],
      'run --exact --no-exact --only minus': ['minus'],
    };
    expect(await listed(project, Object.keys(expected))).toEqual(expected);
    const deep = { cwd: `${project.folder}/deep/er` };
    expect(await listed(project, ['run'], deep)).toEqual({ run: both });
    const config = createProject({
      ...CALC,
      'mutations/calc.yaml': specOf(MINUS),
      'ci/other.yaml': 'version: 1\nlanes: { unit: { runner: pytest } }\n',
    });
    expect((await counterproof(config, ['run', '--list', '-c', 'ci/other.yaml'])).exitCode).toBe(5);
  });

  it('takes numbers and negative-looking values as the texts they are', async () => {
    const project = createProject({
      ...CALC,
      ...CONFIG,
      'mutations/calc.yaml': specOf(
        ['007', '7', '1e3'].map((id) => MINUS.replace('minus', id)).join(''),
      ),
    });
    const expected = {
      'run --only 007': ['007'],
      'run --only 7': ['7'],
      'run --only 1e3': ['1e3'],
      'run mutations/calc.yaml::007': ['007'],
      'run --only -1': [],
    };
    expect(await listed(project, Object.keys(expected))).toEqual(expected);
  });
});

describe('a tree that cannot be locked', () => {
  it('ends with 2 and says why, and nobody is to be waited for', async () => {
    const project = createProject({ ...CALC, ...CONFIG, '.counterproof': 'mine' });

    const { exitCode, stderr } = await counterproof(project, ['try', 'calc.py:2']);

    expect(exitCode).toBe(2);
    expect(stderr).toContain('.counterproof');
    expect(stderr).not.toContain('Wait for it');
    expect(project.read('.counterproof').toString()).toBe('mine');
  });
});
