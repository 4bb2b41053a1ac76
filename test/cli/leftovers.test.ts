import { expect, it } from 'vitest';
import { processesBelow } from '../support/proc.js';
import { createProject, prove, verdicts } from '../support/project.js';
import { config, spec, swap } from '../support/specs.js';

it('a daemon and a thread that outlive their test run are ended, noted, and no verdict', async () => {
  const project = createProject({
    'calc.py': `def daemon():
    return 1


def thread():
    return 1
`,
    'test_calc.py': `import subprocess, threading, time
import calc


def test_daemon():
    if calc.daemon() != 1:
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    assert calc.daemon() == 1


def test_thread():
    if calc.thread() != 1:
        threading.Thread(target=time.sleep, args=(600,)).start()
    assert calc.thread() == 1
`,
    ...config(),
    ...spec([
      swap('daemon', 'calc.py', ['return 1', 'return 2'], {
        within: 'def daemon',
        flips: 'test_calc.py::test_daemon',
        controls: 'test_calc.py::test_thread',
      }),
      swap('thread', 'calc.py', ['return 1', 'return 2'], {
        within: 'def thread',
        flips: 'test_calc.py::test_thread',
        controls: 'test_calc.py::test_daemon',
      }),
    ]),
  });
  const before = project.snapshot();

  const run = await prove(project);

  expect(verdicts(run)).toEqual({ daemon: 'pinned', thread: 'pinned' });
  expect(run.exitCode).toBe(0);
  const notesOf = (id: string): string =>
    run
      .proof(id)
      .steps.filter(({ step }) => step === 'mutated')
      .flatMap(({ notes }) => notes)
      .join('\n');
  expect(notesOf('daemon')).toMatch(/a process was left over and killed: sleep 600 \(pid \d+\)/);
  expect(notesOf('thread')).toMatch(/did not end within 5 s of its last test and was killed/);
  expect(processesBelow(project.folder)).toEqual([]);
  expect(project.snapshot()).toEqual(before);
});
