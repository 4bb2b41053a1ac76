import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, MINUS, THRICE, specOf } from '../support/calc.js';
import { counterproof, createProject, type TestProject } from '../support/project.js';

const COMMANDS = ['run', 'try', 'check', 'lane', 'recover', 'doctor', 'init', 'schema'];

const twoMutations = (): TestProject =>
  createProject({ ...CALC, ...CONFIG, 'mutations/calc.yaml': specOf(MINUS + THRICE) });

describe('help', () => {
  it('is there for every command, in English whatever the locale', async () => {
    const project = createProject({});
    const env = { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', LANGUAGE: 'de' };
    for (const name of COMMANDS) {
      const { exitCode, stdout, stderr } = await counterproof(project, [name, '--help'], { env });
      expect(exitCode).toBe(0);
      expect(stderr).toBe('');
      expect(stdout).toContain(`counterproof ${name}`);
      expect(stdout).toContain('Show help');
      expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
    }
    const { stdout } = await counterproof(project, ['--help'], { env });
    for (const name of COMMANDS) expect(stdout).toContain(`counterproof ${name}`);
  });
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
      ['run --out=', /--out: its value is empty/],
      ['run --no-lane', /There is no option --no-lane/],
      ['run --lane unit --lane unit', /--lane was given 2 times; it takes one value/],
      ['run --verify ful', /Given: "ful", Choices: "moved", "full"/],
      ['run --baseline-runs -1', /--baseline-runs -1: write a whole number of at least 1/],
      ['run --baseline-runs 1e1', /--baseline-runs 1e1: write a whole number/],
      ['run --jobs 2', /In place there is one slot/],
      ['run --isolation overlay', /works in place only/],
      ['run --allow survivd', /--allow survivd: Did you mean `survived`\?/],
      ['run --allow not-restored', /never allowed/],
      ['run --report mark', /did you mean markdown\?/],
      ['run --list --json', /no record for --json/],
      ['run --only minus --tag ((', /tag/i],
      ['run mutations/clac.yaml', /Did you mean `mutations\/calc.yaml`\?/],
      ['run mutations/calc.yaml::mins', /Did you mean `minus`\?/],
      ['run --lane unti', /There is no lane unti; Did you mean `unit`\?/],
      ['run -C nowhere', /There is no folder .*nowhere \(-C\)/],
      ['run -c none.yaml', /There is no configuration .*none\.yaml \(-c\)/],
      ['lane unti', /There is no lane unti; Did you mean `unit`\?/],
      ['schema recrod', /Given: "recrod"/],
    ];
    for (const [line, message] of table) {
      const args = line === '' ? [] : line.split(' ');
      const { exitCode, stdout, stderr } = await counterproof(project, args);
      expect({ line, exitCode, stdout }).toEqual({ line, exitCode: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(project.snapshot()).toEqual(before);
    expect(project.git('status', '--porcelain', '--ignored')).toBe('');
  });
});

describe('--list', () => {
  const listed = async (
    project: TestProject,
    line: string,
    cwd?: string,
  ): Promise<readonly string[]> => {
    const args = [...line.split(' '), '--list'];
    const result = await counterproof(project, args, cwd === undefined ? {} : { cwd });
    return result.stdout.split('\n').flatMap((row) => row.split(' ')[0] || []);
  };

  it('names the selection on stdout, with options before, between and behind', async () => {
    const project = twoMutations();
    project.write({ 'deep/er/x': '' });
    const both = ['minus', 'thrice'];
    expect(await listed(project, 'run')).toEqual(both);
    expect(await listed(project, '-C . run')).toEqual(both);
    expect(await listed(project, 'run -C deep')).toEqual(both);
    expect(await listed(project, 'run', `${project.folder}/deep/er`)).toEqual(both);
    expect(await listed(project, 'run --only minus --only thr*')).toEqual(both);
    expect(await listed(project, 'run --tag slow mutations/calc.yaml')).toEqual(['thrice']);
    expect(await listed(project, 'run mutations/calc.yaml::minus --lane unit')).toEqual(['minus']);
    expect(await listed(project, 'run --exact --no-exact --only minus')).toEqual(['minus']);
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
    expect(await listed(project, 'run --only 007')).toEqual(['007']);
    expect(await listed(project, 'run --only 7')).toEqual(['7']);
    expect(await listed(project, 'run --only 1e3')).toEqual(['1e3']);
    expect(await listed(project, 'run mutations/calc.yaml::007')).toEqual(['007']);
    const negative = await counterproof(project, ['run', '--only', '-1', '--list']);
    expect(negative).toMatchObject({ exitCode: 5, stdout: '' });
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
