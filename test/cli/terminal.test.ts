import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CALC, CONFIG, MINUS, THRICE, specOf } from '../support/calc.js';
import { counterproof, createProject, type TestProject } from '../support/project.js';
import { onTerminal } from '../support/terminal.js';
import { venv } from '../support/venvs.js';

const survivor = `  - id: survivor
    file: calc.py
    replace: { find: "return a - 1", with: "return a - 2" }
    flips: any
`;

const project = (): TestProject =>
  createProject({ ...CALC, ...CONFIG, 'mutations/calc.yaml': specOf(MINUS + THRICE + survivor) });

/** What stays on the screen: each line as it was last drawn. */
const onScreen = (raw: string): readonly string[] =>
  stripVTControlCharacters(raw.replaceAll('\u001B[K', '\u0000'))
    .split('\n')
    .map((line) => line.split('\r').at(-1)?.replaceAll('\u0000', '') ?? '');

describe('on a terminal', () => {
  it('a moving line shows what runs, goes away, and the answer is the last line', async () => {
    const shown = await onTerminal(project(), ['run'], { columns: 80, stdout: 'terminal' });
    expect(shown.exitCode).toBe(1);
    expect(shown.terminal.replaceAll('\u001B', '␛')).toMatch(/\r␛\[K[^\n]* [0-3]\/3 /);
    expect(shown.terminal).toContain('\u001B[32m');
    const screen = onScreen(shown.terminal);
    expect(screen.filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(line))).toEqual([]);
    expect(screen.at(-2)).toMatch(/^1 refuted, 2 pinned, .*exit 1$/);
    expect(screen.find((line) => line.includes('verdict'))).toMatch(/mutation +verdict +flips/);
    for (const line of screen) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('a narrow one gets narrow lines, whole ids, and the same answer', async () => {
    const options = { columns: 40, stdout: 'terminal' } as const;
    const { exitCode, terminal } = await onTerminal(project(), ['run'], options);
    expect(exitCode).toBe(1);
    const screen = onScreen(terminal);
    for (const line of screen) expect(line.length).toBeLessThanOrEqual(40);
    for (const id of ['minus', 'thrice', 'survivor'])
      expect(screen.some((line) => line.includes(id))).toBe(true);
    expect(screen.at(-2)).toMatch(/exit 1$/);
  });

  it('results go into a pipe as they are, at 80 columns and without colour', async () => {
    const options = { columns: 40, stdout: 'pipe' } as const;
    const { terminal, piped } = await onTerminal(project(), ['run', '--only', 'minus'], options);
    expect(terminal).toContain('\u001B[K');
    expect(terminal).not.toContain('PINNED');
    expect(piped).toContain('✓ PINNED  minus: 1 test notices, 1 other did not move.');
    expect(piped).not.toContain('\u001B');
    expect(Math.max(...piped.split('\n').map((line) => line.length))).toBeGreaterThan(60);
  });

  it('NO_COLOR, a dumb terminal and a locale without Unicode are respected', async () => {
    const env = { NO_COLOR: '1', LC_ALL: 'C', TERM: 'dumb' };
    const args = ['run', '--only', 'minus'];
    const options = { columns: 80, stdout: 'terminal', env } as const;
    const { terminal } = await onTerminal(project(), args, options);
    expect(terminal).not.toContain('\u001B');
    expect(terminal).toMatch(/^\+ PINNED {2}minus/m);
    // Names are shown as they are, that of the interpreter's folder too.
    const { python } = await venv('default');
    const own = Array.from(terminal, (letter) => (python.includes(letter) ? '' : letter)).join('');
    expect(own).toMatch(/^[\n\r -~]*$/);
  });
});

describe('in a pipe', () => {
  const run = async (
    args: readonly string[],
  ): Promise<{ readonly stdout: string; readonly stderr: string }> =>
    counterproof(project(), ['run', '--only', 'minus', ...args]);

  it('stdout carries the result alone, stderr a line for each step', async () => {
    const { stdout, stderr } = await run([]);
    expect(stdout).not.toContain('\u001B');
    expect(stdout).toMatch(/^lane {6}pytest, from /);
    expect(stderr).toMatch(/^baseline unit: 2 passed, /m);
    expect(stderr).toMatch(/^✓ minus {2}pinned .* 1\/1$/m);
  });

  it('-q and --no-progress leave stderr empty; -q keeps the answer and what was not verified', async () => {
    const quiet = await run(['-q']);
    expect(quiet.stderr).toBe('');
    expect(quiet.stdout).toMatch(/^not run /m);
    expect(quiet.stdout).toMatch(/1 of 1 pinned, .*exit 0$/m);
    expect(quiet.stdout).not.toContain('flipped   ');
    const silent = await run(['--no-progress', '-v']);
    expect(silent.stderr).toBe('');
    expect(silent.stdout).toContain('flipped   test_calc.py::test_add');
  });

  it('colour comes with --color and FORCE_COLOR, and goes with --no-color and NO_COLOR', async () => {
    const table = [
      { args: ['--color'], env: { NO_COLOR: '1' }, coloured: true },
      { args: [], env: { FORCE_COLOR: '1' }, coloured: true },
      { args: ['--no-color'], env: { FORCE_COLOR: '1' }, coloured: false },
      { args: [], env: { FORCE_COLOR: '1', NO_COLOR: '1' }, coloured: false },
    ];
    const shared = project();
    for (const { args, env, coloured } of table) {
      // A blank line cannot be taken away: there is a verdict, and no test has to run for it.
      const { stdout } = await counterproof(shared, ['try', 'calc.py:3', ...args], { env });
      expect(stdout).toContain('NOT-APPLIED');
      expect({ args, env, coloured: stdout.includes('\u001B[') }).toEqual({ args, env, coloured });
    }
  });
});
